// A plugin, of which a process has two, each with headers and a library of a version of its own.
#include <cstdint>
#include <span>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/scan.hpp>

//! What a program calls that has both: headers' and library's minor version. PART is its name.
extern "C" int PART(bool headers) { return headers ? UPSWEEP_VERSION_MINOR : upsweep_c_version(); }

//! Calls whose templates and inline functions must not be the other plugin's.
void call(upsweep::any_executor& exec, std::span<const std::uint32_t> in, std::span<std::uint32_t> out) {
  upsweep::buffer<std::uint32_t> sorted(exec, std::ssize(in));
  upsweep::radix_sort(exec, in, sorted);
  upsweep::inclusive_scan(exec, sorted, out);
}
