// The C interface of scans and reductions.
#include <cstring>
#include <type_traits>

#include "boundary.hpp"
#include "monoids.hpp"
#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

void scan(const scan_request& request) {
  check_same_type(request.in, "in", request.out, "out");
  with_unit<scans>(request.in.type, request.monoid, [&]<class T>(std::type_identity<T>) {
    if (request.along.row_length) scan_rows<T>(request);
    else scan_items<T>(request);
  });
}
void reduce_to(device& executor, const upsweep_input& in, int monoid, void* result) {
  with_unit<reductions>(in.type, monoid,
                        [&]<class T>(std::type_identity<T>) { reduce_items<T>(executor, in, monoid, result); });
}
//! Through the memory of results, which holds one of any type. What converts to an item is one then.
void reduce_and_wait(device& executor, const upsweep_input& in, int monoid, void* result) {
  with_instance<reductions>(in.type, monoid, [&]<class T, class M>(std::type_identity<T>, const M&) {
    using V = typename M::value_type;
    const V value = executor.returned<V>([&](V* to) { reduce_to(executor, in, monoid, to); });
    const std::conditional_t<std::is_convertible_v<V, T>, T, V> told = value;
    std::memcpy(result, &told, sizeof told);
  });
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_inclusive_scan(upsweep_device* device, upsweep_input in, upsweep_output out, int monoid,
                           upsweep_along along) {
  return guarded([&] { scan({executor_of(device), in, out, monoid, false, nullptr, along}); });
}
int upsweep_exclusive_scan(upsweep_device* device, upsweep_input in, upsweep_output out, int monoid, const void* init,
                           upsweep_along along) {
  return guarded([&] { scan({executor_of(device), in, out, monoid, true, init, along}); });
}
int upsweep_reduce(upsweep_device* device, upsweep_input in, int monoid, void* result) {
  return guarded([&] {
    upsweep::detail::require(result != nullptr, "result", "is a null pointer");
    reduce_and_wait(executor_of(device), in, monoid, result);
  });
}
int upsweep_reduce_to(upsweep_device* device, upsweep_input in, int monoid, void* result) {
  return guarded([&] { reduce_to(executor_of(device), in, monoid, result); });
}

}  // extern "C"
