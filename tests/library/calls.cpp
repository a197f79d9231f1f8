// Prints the table of calls that are compiled into upsweep::cuda, for algorithms/compiled/README.md: of the same rows
// that make its units, the compiler's errors and the test of all combinations.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <upsweep/automaton/library/sizes.hpp>
#include <upsweep/compaction/library/has.hpp>
#include <upsweep/filter/library/signals.hpp>
#include <upsweep/images/library/table_entries.hpp>
#include <upsweep/numbers/library/limbs.hpp>
#include <upsweep/recurrence/library/numbers.hpp>
#include <upsweep/sight/library/heights.hpp>
#include <upsweep/sort/library/has.hpp>
#include <upsweep/sparse/library/matrices.hpp>
#include <upsweep/statistics/library/monoids.hpp>

namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> found;
  for (std::string word; in >> word;) found.push_back(word);
  return found;
}
//! "a, b and c"
std::string listed(const std::vector<std::string>& things) {
  std::string text;
  for (std::size_t i = 0; i < things.size(); i++)
    text += (i == 0 ? "" : i + 1 == things.size() ? " and " : ", ") + things[i];
  return text;
}
std::string code(const std::string& name) { return "`" + name + "`"; }
std::string codes(const std::string& names) {
  std::vector<std::string> things = words(names);
  std::ranges::transform(things, things.begin(), code);
  return listed(things);
}
//! A sentence of names and "and", as errors have it: every name is code.
std::string calls(const std::string& sentence) {
  const auto of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string text;
  for (auto at = sentence.begin(); at != sentence.end();) {
    const auto end = std::find_if_not(at, sentence.end(), of_name);
    const std::string name(at, end);
    text += name.empty() || name == "and" ? name : code(name);
    at = std::find_if(end, sentence.end(), of_name);
    text.append(end, at);
  }
  return text;
}
//! Sizes of which there are integers with and without a sign are told together.
std::string types(const std::string& names) {
  std::vector<std::string> left = words(names), sizes, found;
  for (const char* bits : {"8", "16", "32", "64"}) {
    const std::string with_sign = std::string("int") + bits, without = "u" + with_sign;
    if (!std::ranges::count(left, with_sign) || !std::ranges::count(left, without)) continue;
    std::erase_if(left, [&](const std::string& name) { return name == with_sign || name == without; });
    sizes.emplace_back(bits);
  }
  if (!sizes.empty()) found.push_back("integers of " + listed(sizes) + " bits");
  std::ranges::transform(left, std::back_inserter(found), code);
  return listed(found);
}
std::string signals(const std::string& names) {
  std::string text;
  for (const std::string& name : words(names)) {
    const auto to = name.find("_to_");
    text += (text.empty() ? "" : ", ") +
            (to == std::string::npos ? code(name) : code(name.substr(0, to)) + " to " + code(name.substr(to + 4)));
  }
  return text;
}

void row(const std::string& call, const std::string& items, const std::string& by) {
  std::cout << "| " << call << " | " << items << " | " << by << " |\n";
}

// Of a row, its name.
#define LAST_OF_3(a, b, name) " " name
#define COMPARISON(comparison) ", `" #comparison "`"
#define MATRIX(value, column, offset, name) ", `" name "`"
#define STATISTIC(monoid, function) " " #monoid
#define TYPE(type) " " #type
const std::string item_types = types(UPSWEEP_LIBRARY_TYPE_NAMES), key_types = types(UPSWEEP_LIBRARY_KEY_NAMES),
                  value_bytes = listed(words(UPSWEEP_LIBRARY_VALUES(UPSWEEP_LIBRARY_VALUE_BYTES))) + " bytes",
                  word_bytes = listed(words(UPSWEEP_LIBRARY_WORDS(UPSWEEP_LIBRARY_VALUE_BYTES))) + " bytes",
                  comparisons = std::string(UPSWEEP_LIBRARY_COMPARISONS(COMPARISON)).substr(2);

void scans() {
  const std::string monoids =
      codes(UPSWEEP_LIBRARY_MONOID_NAMES) + "; integers also " + codes(UPSWEEP_LIBRARY_INTEGER_NAMES);
  row(calls(UPSWEEP_LIBRARY_SCANS), item_types + ", accumulated in the same type",
      monoids + "; with and without `init`");
  row(calls(UPSWEEP_LIBRARY_SEGMENT_SCANS), "the same",
      "the same; `heads` of one byte, `offsets` of " + codes(UPSWEEP_LIBRARY_OFFSET_NAMES) +
          ", keys that are integers of " + listed(words(UPSWEEP_LIBRARY_KEY_BYTES)) + " bytes");
  row(calls(UPSWEEP_LIBRARY_REDUCTIONS), "`float` and `double`", codes(UPSWEEP_LIBRARY_SUM_NAMES));
  row("the same", "flags of one byte", codes(UPSWEEP_LIBRARY_FLAG_NAMES));
  row("`reduce` of `contiguous(range, indices())` and `lift_indexed`", item_types, codes(UPSWEEP_LIBRARY_PLACE_NAMES));
  row("`reduce`", codes(UPSWEEP_LIBRARY_STATISTICS_TYPES(TYPE)), codes(UPSWEEP_LIBRARY_STATISTICS(STATISTIC)));
  row("`linear_recurrence` of order 1 and 2; both directions, rows, segments, values in front of each row",
      codes(UPSWEEP_LIBRARY_RECURRENCES(UPSWEEP_LIBRARY_SHORT_NAME)) + ", all ranges of one type",
      "`offsets` of " + codes(UPSWEEP_LIBRARY_RECURRENCE_OFFSETS(UPSWEEP_LIBRARY_SHORT_NAME)));
}
void compactions() {
  row(calls(UPSWEEP_LIBRARY_COMPACTIONS), "one range of " + item_types,
      comparisons + " ([comparisons.hpp](../../core/upsweep/comparisons.hpp)); integers by integers");
  row(code("three_way_partition"), "the same", "`first_of` two of these");
  row(calls(UPSWEEP_LIBRARY_RUNS), "the same", "`==`; lengths are integers of " + word_bytes);
  row(calls(UPSWEEP_LIBRARY_FLAGGED), "items of " + value_bytes,
      "flags of one byte; indices are integers of " + word_bytes);
}
void sorts() {
  row(calls(UPSWEEP_LIBRARY_SORTS), "keys: " + key_types,
      "values of " + value_bytes + "; indices and `offsets` are integers of " + word_bytes);
  row(code("quicksort"), "the same", "`less_than{}`, `std::less`, `std::greater`");
}
void products() {
  row(calls(UPSWEEP_LIBRARY_PRODUCTS) + "; " + calls(UPSWEEP_LIBRARY_MATRIX_CALLS),
      "matrices of (values, columns, offsets): " + std::string(UPSWEEP_LIBRARY_MATRICES(MATRIX)).substr(2),
      "vectors of the type of the values");
}
void filters() {
  row(calls("sosfilt, lfilter, sosfiltfilt, filtfilt, exponential_moving_average and leaky_integrator"),
      signals(UPSWEEP_LIBRARY_SIGNALS(LAST_OF_3)),
      "any number of sections; planar and interleaved channels, a filter for each, states; segments by `offsets` of " +
          codes(UPSWEEP_LIBRARY_FILTER_OFFSETS(UPSWEEP_LIBRARY_SHORT_NAME)));
}
void images() {
  row(calls("histogram, equalize_histogram, equalization_table, match_histogram and clahe"),
      "images of `uint8` and `uint16`", "a mask, where the call takes one");
  row(calls("histogram_even and histogram_range"),
      types(UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_LIBRARY_NAME) UPSWEEP_LIBRARY_TYPE_NAMES), "the same");
  row(code("apply_table"), "images of `uint8` and `uint16`",
      "tables with entries of " + listed(words(UPSWEEP_LIBRARY_TABLE_ENTRIES(UPSWEEP_LIBRARY_ENTRY_BYTES))) + " bytes");
  row(code("equalize_luma"), "pictures of `uint8`", "3 and 4 channels");
}
void others() {
  row(calls(UPSWEEP_LIBRARY_BIG_NUMBERS) + ", of one number and of rows",
      "limbs: " + codes(UPSWEEP_LIBRARY_LIMBS(UPSWEEP_LIBRARY_LIMB_NAME)), "carries of one byte");
  row("`line_of_sight`, of rows and of maps", "heights: " + codes(UPSWEEP_LIBRARY_HEIGHTS(UPSWEEP_LIBRARY_HEIGHT_NAME)),
      "flags of one byte");
  row(calls(UPSWEEP_LIBRARY_AUTOMATON_CALLS),
      "automata with room for " + listed(words(UPSWEEP_LIBRARY_AUTOMATA(UPSWEEP_LIBRARY_SHORT_NAME))) + " states",
      "states and kinds of `uint8`, positions and lengths of `int64`");
}

}  // namespace

int main() {
  std::cout << "| call | of | by, with |\n|---|---|---|\n";
  scans();
  compactions();
  sorts();
  products();
  filters();
  images();
  others();
}
