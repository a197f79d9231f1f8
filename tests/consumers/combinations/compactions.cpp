// Compactions and counts: algorithms/upsweep/compaction/library/has.hpp.
#include <upsweep/compaction.hpp>
#include <upsweep/library/bytes.hpp>
#include <upsweep/search.hpp>

#include "check.hpp"
#include "compares.hpp"

namespace {

template <class T>
void check_kept(tested& exec, upsweep::index_t n, const std::string& of) {
  const std::vector<T> in = special_items<T>(n);
  const upsweep::buffer<T> from(exec, in);
  for_each_comparison<T>(n, [&](const auto& comparison, const std::string& name) {
    const std::string what = name + ", of " + of;
    const std::vector<T> expected = items_where(in, comparison);
    check(upsweep::count_if(exec, from, comparison) == std::ssize(expected), "count_if, " + what);
    upsweep::buffer<T> to(exec, n);
    const upsweep::index_t kept = upsweep::copy_if(exec, from, to, comparison);
    check_front(exec, to, kept, expected, "copy_if, " + what);
  });
}

template <class T, class Length>
void check_runs(tested& exec, upsweep::index_t n, const std::string& of) {
  std::vector<T> in = special_items<T>(n);
  for (T& x : in)
    if (x == T{}) x = T{};  // one zero: of equal items a run gives its last
  std::vector<T> values;
  std::vector<Length> lengths;
  for (std::size_t i = 0; i < in.size(); i++) {
    if (i == 0 || !(in[i - 1] == in[i])) {
      values.push_back(in[i]);
      lengths.push_back(0);
    }
    lengths.back()++;
  }
  const upsweep::buffer<T> from(exec, in);
  upsweep::buffer<T> to(exec, n);
  upsweep::buffer<Length> beside(exec, n);
  check_front(exec, to, upsweep::unique_copy(exec, from, to), values, "unique_copy, " + of);
  const upsweep::index_t runs = upsweep::run_length_encode(exec, from, to, beside);
  check_front(exec, to, runs, values, "values of run_length_encode, " + of);
  check_front(exec, beside, runs, lengths, "lengths of run_length_encode, " + of);
}

template <class V>
void check_flagged(tested& exec, upsweep::index_t n, const std::string& of) {
  const std::vector<V> in = any_values<V>(n);
  std::vector<V> expected;
  for (std::size_t i = 0; i < in.size(); i++)
    if (is_flagged(i)) expected.push_back(in[i]);
  const upsweep::buffer<V> from(exec, in);
  const upsweep::buffer<unsigned char> set(exec, flags(n));
  upsweep::buffer<V> to(exec, n);
  check_front(exec, to, upsweep::copy_flagged(exec, from, set, to), expected, "copy_flagged, " + of);
}

template <class Index>
void check_positions(tested& exec, upsweep::index_t n, const std::string& of) {
  std::vector<Index> expected;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); i++)
    if (is_flagged(i)) expected.push_back(static_cast<Index>(i));
  const upsweep::buffer<unsigned char> set(exec, flags(n));
  upsweep::buffer<Index> to(exec, n);
  check_front(exec, to, upsweep::nonzero(exec, set, to), expected, "nonzero, " + of);
}

}  // namespace

void check_compactions(tested& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(type, name, code)                                       \
  check_kept<type>(exec, n, counted(name, n));                              \
  check_runs<type, std::int32_t>(exec, n, counted(name ", by int32", n));   \
  check_runs<type, std::uint64_t>(exec, n, counted(name ", by uint64", n)); \
  if constexpr (std::is_integral_v<type>) check_positions<type>(exec, n, counted(name, n));
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(type, bytes, code) check_flagged<type>(exec, n, counted(bytes " bytes", n));
  UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}
