// The C interface of reductions to statistics, and their instances.
#include <string>
#include <type_traits>

#include <upsweep/c/statistics.h>
#include <upsweep/reduce.hpp>
#include <upsweep/statistics.hpp>
#include <upsweep/statistics/library/monoids.hpp>

#include "boundary.hpp"
#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {
//! f(std::type_identity<T>) of the types that statistics are of.
template <class F>
void with_numbers(int type, const F& f) {
#define UPSWEEP_ROW(T) \
  if (type == library::type_code<T>) return f(std::type_identity<T>{});
  UPSWEEP_LIBRARY_STATISTICS_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("in: statistics of type " + std::to_string(type) + " are not in the library");
}
}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {
#define UPSWEEP_ROW(monoid, function)                                                                             \
  int function(upsweep_device* device, upsweep_input in, void* result) {                                          \
    return guarded([&] {                                                                                          \
      with_numbers(in.type, [&]<class T>(std::type_identity<T>) {                                                 \
        using M = upsweep::monoid<T>;                                                                             \
        upsweep::reduce(executor_of(device), items_of<T>(in), M{}, static_cast<typename M::value_type*>(result)); \
      });                                                                                                         \
    });                                                                                                           \
  }
UPSWEEP_LIBRARY_STATISTICS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}  // extern "C"
