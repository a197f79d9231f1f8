// Scans by the access patterns, where an executor works, and what of them is measured on a GPU.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/classic/access_patterns.hpp>
#include <upsweep/classic/pattern_scan.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>

#include "log_log_plot.hpp"
#include "own_device.hpp"

namespace app {
namespace classic = upsweep::classic;

//! f(name, pattern)
template <class F>
void for_each_pattern(int banks, const F& f) {
  f("CM", classic::connection_machine::over(banks));
  f("NoPadding", classic::right_sums<classic::no_padding>::over(banks));
  f("Padding", classic::right_sums<classic::padding>::over(banks));
  f("LeftRight", classic::left_right::over(banks));
}

//! By blocks of 2,048 items, by the pattern of this name.
template <class Executor, class M>
void scan_by_pattern(Executor& executor, const std::string& pattern, std::span<const typename M::value_type> in,
                     std::span<typename M::value_type> out, const M& m, classic::prefixes which) {
  bool found = false;
  for_each_pattern(32, [&]<class Pattern>(const char* name, const Pattern&) {
    if (name != pattern) return;
    classic::scan_by_blocks<Pattern>(executor, in, out, 2048, m, which);
    found = true;
  });
  if (!found) throw std::invalid_argument("there is no pattern " + pattern);
}
//! The panels that are drawn of times on a GPU: a host has none. (What nvcc compiles has them in pattern_timings.hpp.)
inline std::vector<log_log_panel> measured_panels(upsweep::host&) { return {}; }

// ---------------------------------------------------------------- the same in banks.cu
//! Of std::uint32_t by their sums, or of maps of them by their composition.
struct pattern_scan {
  std::string pattern;
  bool composes, inclusive;
  const void* in;
  void* out;
  std::size_t size;
};
void scan_by_pattern(device_stream there, const pattern_scan& scan);
template <class M>
void scan_by_pattern(device_stream there, const std::string& pattern, std::span<const typename M::value_type> in,
                     std::span<typename M::value_type> out, const M&, classic::prefixes which) {
  constexpr bool composes = std::is_same_v<M, upsweep::affine<std::uint32_t>>;
  static_assert(composes || std::is_same_v<M, upsweep::plus<std::uint32_t>>);
  scan_by_pattern(there, {pattern, composes, which == classic::prefixes::inclusive, in.data(), out.data(), in.size()});
}
std::vector<log_log_panel> measured_panels(device_stream there);

}  // namespace app
