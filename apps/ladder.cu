// The ladder's rungs on a device, but for those that the library has, for a program that is linked with it.
#include "common/ladder_calls.hpp"

namespace app {
namespace {

//! f(call) of the scan, or reduction, of this number.
template <class F>
void with_scan(int number, const F& f) {
  for_each_rung([&](const rung&, const auto& call) {
    if (number-- == 0) f(call);
  });
}
template <class M, class F>
void with_reduction(int number, const F& f) {
  for_each_reduction<M>([&](const rung&, const auto& call) {
    if (number-- == 0) f(call);
  });
}

}  // namespace

void run_scan(device_stream there, int rung, int monoid, const void* in, void* out, std::size_t n) {
  with_monoid(monoid, [&]<class M>(const M& m) {
    using T = typename M::value_type;
    with_scan(rung, [&]<class Call>(const Call& call) {
      if constexpr (!is_in_library<Call, M>)
        run_scan(device_on(there), rung, call, m, std::span(static_cast<const T*>(in), n),
                 std::span(static_cast<T*>(out), n));
    });
  });
}
void run_reduction(device_stream there, int rung, int monoid, const void* in, std::size_t n, void* result) {
  with_monoid(monoid, [&]<class M>(const M& m) {
    using T = typename M::value_type;
    with_reduction<M>(rung, [&]<class Call>(const Call& call) {
      if constexpr (!is_in_library<Call, M>)
        *static_cast<T*>(result) =
            run_reduction(device_on(there), rung, call, m, std::span(static_cast<const T*>(in), n));
    });
  });
}
cost count_scan(device_stream there, int rung, std::int64_t n) {
  cost counted;
  with_scan(rung, [&](const auto& call) { counted = count_scan(device_on(there), rung, call, n); });
  return counted;
}
cost count_reduction(device_stream there, int rung, std::int64_t n) {
  cost counted;
  with_reduction<upsweep::plus<std::int32_t>>(
      rung, [&](const auto& call) { counted = count_reduction(device_on(there), rung, call, n); });
  return counted;
}
void copy_items(device_stream there, std::byte* to, const std::byte* from, std::int64_t bytes) {
  copy_items(device_on(there), to, from, bytes);
}

}  // namespace app
