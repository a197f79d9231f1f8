// Scans and reductions of segments: core/upsweep/library/table.hpp.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/compensated_plus.hpp>
#include <upsweep/library/table.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/reproducible_plus.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>

#include "check.hpp"

namespace {

//! The same segments said in all ways, of 0 to 40 items; some are empty, which offsets alone say.
struct cuts {
  explicit cuts(upsweep::index_t n) : begins(static_cast<std::size_t>(n)) {
    const std::vector<std::uint32_t> random = items<std::uint32_t>(n + 1, false);
    for (std::size_t i = 0, length = 5; i < begins.size(); i += length) {
      length = random[i] % 41;
      begins[i] = 1;
      positions.push_back(i);
      if (length == 0) positions.push_back(i++);
    }
    positions.push_back(begins.size());
  }
  template <class Key>
  std::vector<Key> keys() const {
    std::vector<Key> keys(begins.size());
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < keys.size(); i++) {
      if (begins[i]) key = i * 0x9E3779B97F4A7C15u;  // another one in any 32 bits
      keys[i] = static_cast<Key>(key);
    }
    return keys;
  }
  template <class Offset>
  std::vector<Offset> offsets() const {
    std::vector<Offset> offsets;
    for (const std::size_t position : positions) offsets.push_back(static_cast<Offset>(position));
    return offsets;
  }
  //! Is item i the first one of a segment, from this side?
  bool is_first(std::size_t i, bool reversed) const {
    if (!reversed) return i == 0 || begins[i];
    return i + 1 == begins.size() || begins[i + 1];
  }

  std::vector<unsigned char> begins;
  std::vector<std::size_t> positions;
};

template <class T, class M>
std::vector<T> serial_scan(const std::vector<T>& in, const M& m, const cuts& cut, bool exclusive, bool reversed) {
  std::vector<T> out(in.size());
  T before{};
  for (std::size_t k = 0; k < in.size(); k++) {
    const std::size_t i = reversed ? in.size() - 1 - k : k;
    const bool first = cut.is_first(i, reversed);
    const T now = first ? in[i] : m(before, in[i]);
    out[i] = !exclusive ? now : first ? m.identity() : before;
    before = now;
  }
  return out;
}
template <class T, class M>
std::vector<T> serial_reduction(const std::vector<T>& in, const M& m, const std::vector<std::size_t>& positions) {
  using V = typename M::value_type;
  std::vector<T> out;
  for (std::size_t s = 0; s + 1 < positions.size(); s++) {
    V fold = m.identity();
    for (std::size_t i = positions[s]; i < positions[s + 1]; i++)
      fold = i == positions[s] ? static_cast<V>(in[i]) : m(fold, static_cast<V>(in[i]));
    out.push_back(static_cast<T>(fold));
  }
  return out;
}

template <class T, class M, class D>
void check_scans_along(tested& exec, const std::vector<T>& in, const cuts& cut, const std::string& of, const M& m,
                       const D& along) {
  const std::vector<T> inclusive = serial_scan(in, m, cut, false, D::reversed);
  const std::vector<T> exclusive = serial_scan(in, m, cut, true, D::reversed);
  const auto check_segments = [&](const auto& segments, const std::string& what) {
    compare(exec, in, inclusive, "inclusive_segmented_scan" + what,
            [&](const auto& x, auto& y) { upsweep::inclusive_segmented_scan(exec, x, segments, y, m, along); });
    compare(exec, in, exclusive, "exclusive_segmented_scan" + what,
            [&](const auto& x, auto& y) { upsweep::exclusive_segmented_scan(exec, x, segments, y, m, along); });
  };
  const upsweep::buffer<unsigned char> flags(exec, cut.begins);
  check_segments(upsweep::heads(flags), " by heads, " + of);
#define UPSWEEP_ROW(offset, name)                                                  \
  {                                                                                \
    const upsweep::buffer<offset> positions(exec, cut.offsets<offset>());          \
    check_segments(upsweep::offsets(positions), " by offsets of " name ", " + of); \
  }
  UPSWEEP_LIBRARY_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  const auto check_keys = [&]<class Key>(std::type_identity<Key>, const std::string& what) {
    const upsweep::buffer<Key> keys(exec, cut.keys<Key>());
    compare(exec, in, inclusive, "inclusive_scan_by_key" + what,
            [&](const auto& x, auto& y) { upsweep::inclusive_scan_by_key(exec, keys, x, y, m, along); });
    compare(exec, in, exclusive, "exclusive_scan_by_key" + what,
            [&](const auto& x, auto& y) { upsweep::exclusive_scan_by_key(exec, keys, x, y, m, along); });
  };
#define UPSWEEP_ROW(key, bytes) check_keys(std::type_identity<std::make_signed_t<key>>{}, " of " bytes " bytes, " + of);
  UPSWEEP_LIBRARY_KEYS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

template <class T, class M>
void check_reductions(tested& exec, const std::vector<T>& in, const cuts& cut, const std::string& of, const M& m) {
  const upsweep::buffer<T> from(exec, in);
  const std::vector<T> folds = serial_reduction(in, m, cut.positions);
#define UPSWEEP_ROW(offset, name)                                                                \
  {                                                                                              \
    const upsweep::buffer<offset> positions(exec, cut.offsets<offset>());                        \
    upsweep::buffer<T> to(exec, positions.size() - 1);                                           \
    upsweep::segmented_reduce(exec, from, positions, to, m);                                     \
    check(same_bits(to.to_vector(exec), folds), "segmented_reduce, offsets of " name ", " + of); \
  }
  UPSWEEP_LIBRARY_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW

  std::vector<std::size_t> run_positions;
  for (std::size_t i = 0; i < in.size(); i++)
    if (cut.is_first(i, false)) run_positions.push_back(i);
  run_positions.push_back(in.size());
  const std::vector<T> runs = serial_reduction(in, m, run_positions);
  const auto check_keys = [&]<class Key>(std::type_identity<Key>, const std::string& what) {
    const std::vector<Key> all_keys = cut.keys<Key>();
    std::vector<Key> keys_of_runs;
    for (std::size_t r = 0; r < runs.size(); r++) keys_of_runs.push_back(all_keys[run_positions[r]]);
    const upsweep::buffer<Key> keys(exec, all_keys);
    upsweep::buffer<Key> keys_to(exec, keys.size());
    upsweep::buffer<T> to(exec, from.size());
    const upsweep::index_t count = upsweep::reduce_by_key(exec, keys, from, keys_to, to, m);
    std::vector<Key> keys_found = keys_to.to_vector(exec);
    std::vector<T> found = to.to_vector(exec);
    keys_found.resize(static_cast<std::size_t>(count));
    found.resize(static_cast<std::size_t>(count));
    check(keys_found == keys_of_runs && same_bits(found, runs), what);
  };
#define UPSWEEP_ROW(key, bytes) check_keys(std::type_identity<key>{}, "reduce_by_key, keys of " bytes " bytes, " + of);
  UPSWEEP_LIBRARY_KEYS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

template <class T>
void check_type(tested& exec, upsweep::index_t n, const char* name) {
  const cuts cut(n);
  const auto named = [&](const char* monoid) { return counted(std::string(monoid) + " of " + name, n); };
  const auto check_monoid = [&](const auto& m, int code, const std::string& of) {
    const std::vector<T> in = items<T>(n, code == UPSWEEP_MULTIPLIES);
    check_scans_along(exec, in, cut, "forward, " + of, m, upsweep::forward);
    check_scans_along(exec, in, cut, "reversed, " + of, m, upsweep::reversed);
    check_reductions(exec, in, cut, of, m);
  };
#define UPSWEEP_ROW(monoid, monoid_name, code) check_monoid(upsweep::monoid<T>{}, code, named(monoid_name));
  UPSWEEP_LIBRARY_MONOIDS(UPSWEEP_ROW)
  if constexpr (std::is_integral_v<T>) {
    UPSWEEP_LIBRARY_MONOIDS_OF_INTEGERS(UPSWEEP_ROW)
  }
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, monoid_name, code) \
  check_reductions(exec, items<T>(n, false), cut, named(monoid_name), upsweep::monoid<T>{});
  if constexpr (std::is_floating_point_v<T>) {
    UPSWEEP_LIBRARY_SUMS_OF_FLOATS(UPSWEEP_ROW)
  }
#undef UPSWEEP_ROW
}

}  // namespace

void check_segments(tested& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(type, name, code) check_type<type>(exec, n, name);
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  const cuts cut(n);
#define UPSWEEP_ROW(monoid, name, code)   \
  for (const bool sparse : {false, true}) \
    check_reductions(exec, bytes_as_flags(n, sparse), cut, counted(name " of flags", n), upsweep::monoid{});
  UPSWEEP_LIBRARY_MONOIDS_OF_FLAGS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}
