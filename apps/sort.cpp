// sort: numbers of a file in order. On a GPU numbers of one width are sorted by one program, whatever they mean: as
// unsigned integers, by a function that makes the order of the numbers that of unsigned integers. Radix sort takes that
// function as it is; quicksort a comparison of what it gives.
#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>

#include "common/account.hpp"
#include "common/file.hpp"
#include "common/npy.hpp"
#include "common/numbers.hpp"
#include "common/output_files.hpp"
#include "common/own_device.hpp"
#include "common/program.hpp"
#include "common/quicksort_levels.hpp"
#include "common/report.hpp"
#include "common/sort_sweeps.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"

namespace {

using upsweep::buffer;
using upsweep::index_t;

struct options {
  std::string type, method = "radix", order = "ascending", picture;
  bool check = false;
  bool descends() const { return order == "descending"; }
};

// ---------------------------------------------------------------- the order of numbers, by their bits
template <class U>
app::rank_of_bits<U> rank_of(const app::number_type& type, bool descends) {
  const auto all = static_cast<U>(~U{0}), sign = static_cast<U>(all ^ (all >> 1)), way = descends ? all : U{0};
  const auto flipped = [&](U bits) { return static_cast<U>(bits ^ way); };
  if (type.kind == 'u') return {flipped(0), flipped(0)};
  return {flipped(sign), flipped(type.kind == 'f' ? all : sign)};
}

//! f(the same ranges as numbers of their type), where they have the size of U.
template <class U, class F>
void as_numbers(const app::number_type& type, std::span<const U> from, std::span<U> to, const F& f) {
  app::with_type(type, [&]<class T>(T) {
    if constexpr (sizeof(T) == sizeof(U))
      f(std::span(reinterpret_cast<const T*>(from.data()), from.size()),
        std::span(reinterpret_cast<T*>(to.data()), to.size()));
  });
}

//! Is it a device whose code is the library's?
template <class Executor>
constexpr bool is_in_library = UPSWEEP_HAS_LIBRARY && !std::is_same_v<std::remove_cvref_t<Executor>, upsweep::host>;

//! On a device of the library's numbers are keys of their own type: it has all of them, and this order.
template <class U>
void radix_sort_bits(upsweep::any_executor& exec, const app::number_type& type, std::span<const U> from,
                     std::span<U> to, const upsweep::radix_options& options) {
  exec.visit([&](auto& chosen) {
    if constexpr (is_in_library<decltype(chosen)>)
      as_numbers(type, from, to,
                 [&](const auto& in, const auto& out) { upsweep::radix_sort(chosen, in, out, options); });
    else upsweep::radix_sort(chosen, from, to, rank_of<U>(type, false), options);
  });
}
//! Those of one and two bytes are integers, by whose order the library sorts.
template <class U>
void quicksort_bits(upsweep::any_executor& exec, const app::number_type& type, std::span<U> numbers, bool descends) {
  exec.visit([&](auto& chosen) {
    if constexpr (sizeof(U) <= 2 && is_in_library<decltype(chosen)>) {
      as_numbers<U>(type, numbers, numbers, [&](const auto&, const auto& items) {
        if (descends) upsweep::quicksort(chosen, items, std::greater<>{});
        else upsweep::quicksort(chosen, items, std::less<>{});
      });
    } else {
      app::quicksort_bits(app::own_code(chosen), numbers, app::comes_before<U>{rank_of<U>(type, descends)});
    }
  });
}

struct sorted_numbers {
  buffer<std::byte> memory, copy;
  std::span<const std::byte> bytes;  // where the host reads them
};

template <class U>
sorted_numbers sort_bits(upsweep::any_executor& exec, const app::numbers& in, const options& asked,
                         app::seconds& spent) {
  const app::stage sorting("sorting");
  app::stopwatch watch;
  buffer<U> in_copy;
  const auto size = static_cast<std::size_t>(in.size);
  const std::span from = app::bring(exec, std::span(reinterpret_cast<const U*>(in.data), size), in_copy);
  sorted_numbers result;
  result.memory = buffer<std::byte>(exec, in.bytes());
  const std::span to(reinterpret_cast<U*>(result.memory.data()), size);
  spent.to_device += watch.lap();
  if (asked.method == "quick") {
    exec.copy(to.data(), from.data(), from.size_bytes());
    quicksort_bits(exec, *in.type, to, asked.descends());
  } else {
    const auto order = asked.descends() ? upsweep::sort_order::descending : upsweep::sort_order::ascending;
    radix_sort_bits<U>(exec, *in.type, from, to, {.order = order});
  }
  exec.synchronize();
  spent.work += watch.lap();
  result.bytes = app::fetch(exec, std::as_bytes(std::span<const U>(to)), result.copy);
  spent.from_device += watch.lap();
  return result;
}

// Calls f(U{}), U being the unsigned integer of as many bytes.
template <class F>
auto with_bits(int bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}
sorted_numbers sort(upsweep::any_executor& exec, const app::numbers& in, const options& asked, app::seconds& spent) {
  return with_bits(in.type->bytes, [&]<class U>(U) { return sort_bits<U>(exec, in, asked, spent); });
}

// ---------------------------------------------------------------- the picture
// The colour of a number is its place among all of them in order, so that it tells of numbers of any distribution.
// Equal ones have one: that in the middle of their places.
app::quicksort_picture draw(upsweep::any_executor& exec, const app::numbers& in, std::span<const std::byte> sorted,
                            bool descends) {
  return with_bits(in.type->bytes, [&]<class U>(U) {
    const app::rank_of_bits<U> rank = rank_of<U>(*in.type, descends);  // in the order that was asked for
    const auto key_of = [&](U bits) { return std::uint64_t{rank(bits)}; };
    const auto size = static_cast<std::size_t>(in.size);
    std::vector<std::uint64_t> keys(size);
    std::transform(reinterpret_cast<const U*>(in.data), reinterpret_cast<const U*>(in.data) + size, keys.begin(),
                   key_of);
    const std::span all(reinterpret_cast<const U*>(sorted.data()), size);
    return app::draw_quicksort(exec, keys, [&](std::uint64_t key) {
      const auto same = std::ranges::equal_range(all, key, {}, key_of);
      const auto before = same.begin() - all.begin(), until = same.end() - all.begin();
      const double place = static_cast<double>(before + until) / 2 / static_cast<double>(size);
      return descends ? 1 - place : place;
    });
  });
}

// ---------------------------------------------------------------- the same by the standard library
// std::strong_order is IEEE 754's total order of floats: -NaN, -inf, ..., -0, +0, ..., inf, NaN.
void verify(const app::numbers& in, std::span<const std::byte> sorted, bool descends) {
  const app::stage verifying("verifying");
  app::with_type(*in.type, [&]<class T>(T) {
    std::vector<T> expected(static_cast<std::size_t>(in.size));
    if (in.size > 0) std::memcpy(expected.data(), in.data, sorted.size());
    std::sort(expected.begin(), expected.end(), [descends](T a, T b) {
      const auto order = std::strong_order(a, b);
      return descends ? std::is_gt(order) : std::is_lt(order);
    });
    for (index_t i = 0; i < in.size; i++)
      if (std::is_neq(std::strong_order(app::number_at<T>(sorted.data(), i), expected[static_cast<std::size_t>(i)])))
        throw std::runtime_error("number " + app::grouped(i + 1) + " differs from what std::sort gives");
  });
}

// ---------------------------------------------------------------- files
app::numbers read(const std::string& name, const options& asked) {
  app::file_bytes file(name);
  const app::number_type* type = app::find_number_type(asked.type);
  if (app::npy::is_npy(file.view()) || app::npy::is_name(name)) {
    app::numbers in = app::npy::read(std::move(file));
    if (type && type != in.type)
      throw std::runtime_error(std::string("holds ") + in.type->name + ", not " + asked.type);
    return in;
  }
  return app::parse_numbers(file.view(), type ? *type : app::guess_type(file.view()));
}

int sort_file(upsweep::any_executor& exec, const std::string& in_name, const std::string& out_name,
              const options& asked) {
  app::seconds spent;
  app::stopwatch watch;
  const app::numbers in = app::about(in_name, [&] { return read(in_name, asked); });
  spent.read += watch.lap();
  const sorted_numbers sorted = sort(exec, in, asked, spent);
  watch.lap();
  if (asked.check) verify(in, sorted.bytes, asked.descends());
  spent.verify += watch.lap();
  app::output_files files;
  int levels = 0;
  if (!asked.picture.empty()) {
    const app::stage drawing("drawing " + asked.picture);
    const app::quicksort_picture drawn = draw(exec, in, sorted.bytes, asked.descends());
    files.open(asked.picture).write(drawn.pixels.png());
    levels = drawn.levels;
  }
  const double drawing = watch.lap();
  const app::stage writing(out_name == "-" ? "" : "writing " + out_name);  // else it is told to who reads that
  const auto write = app::npy::is_name(out_name) ? app::npy::write : app::write_text;
  write(files.open(out_name), *in.type, sorted.bytes.data(), in.size);
  files.commit();
  spent.write += watch.lap();
  std::fprintf(stderr, "sort: %s %s numbers, %s, by %s sort; %s\n", app::grouped(in.size).c_str(), in.type->name,
               asked.order.c_str(), asked.method.c_str(),
               app::account(spent, in.bytes(), exec, in.size, "numbers").c_str());
  if (asked.check) std::fprintf(stderr, "sort: verified against std::sort (%s)\n", app::duration(spent.verify).c_str());
  if (!asked.picture.empty())
    std::fprintf(stderr, "sort: %s shows a quicksort of them in %d levels (%s)\n", asked.picture.c_str(), levels,
                 app::duration(drawing).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("Sorts a file of numbers.", "sort");
  cli.footer(R"(A file whose name ends in .npy is a NumPy array of one dimension; other files are text, one number a
line. Text is read as int64, or as float64 when a number has a point, an exponent or letters, and
rounded to that; --type says otherwise. Text is written with as many digits as it takes to read the
same numbers again. -0 comes before 0, and NaNs are at the ends: by their sign.

--picture draws how a data-parallel quicksort puts the numbers in order, whatever --method says. The
uppermost band is INPUT from left to right, its least number dark, its greatest bright: a colour is the
place of a number among all in order. Each band below is one level further: every segment is split at
once around a pivot of its own (the median of 5 of its numbers), those below it to the left, and both
sides keep their order. A segment ends when its numbers are equal, or when it is no wider than a pixel;
when all have ended the picture does. A pixel shows the number at its middle. So steps of colour get
smaller from band to band, and the number of bands tells how good the pivots were.

OUTPUT and the picture are written whole or not at all: when something fails an old file stays. OUTPUT
may be INPUT. Times are on standard error.)");
  options asked;
  std::string backend, in_name, out_name = "-";
  std::vector<std::string> types;
  for (const app::number_type& type : app::number_types) types.emplace_back(type.name);
  cli.add_option("--method", asked.method, "radix: by the digits of the numbers; quick: by comparisons")
      .shows_default()
      .one_of({"radix", "quick"});
  cli.add_option("--order", asked.order, "Which way").shows_default().one_of({"ascending", "descending"});
  cli.add_option("--type", asked.type, "What the numbers are").one_of(types);
  cli.add_file("--picture", asked.picture, "A PNG file: draw the levels of a quicksort");
  cli.add_flag("--check", asked.check, "Compare the result with std::sort's; a difference is an error");
  app::add_backend(cli, backend);
  cli.add_file("INPUT", in_name, "A file; - is standard input").required();
  cli.add_file("OUTPUT", out_name, "A file; -, or none, is standard output, as text");
  const auto body = [&] {
    app::check_files({{"INPUT", in_name}}, {{"--picture", asked.picture, true}, {"OUTPUT", out_name, true, "INPUT"}});
    auto exec = app::executor_of(backend);
    return sort_file(exec, in_name, out_name, asked);
  };
  return app::run(cli, argc, argv, body);
}
