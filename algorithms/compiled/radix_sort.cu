// The C interface of radix sorts.
#include <upsweep/sort/library/values.hpp>

#include "radix_sort.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

void sort(const sort_request& request) {
  if (request.keys_in.type != request.keys_out.type) throw not_compiled("keys_out: its type is not that of keys_in");
  with_type(request.keys_in.type, "keys_in", [&]<class Key>(std::type_identity<Key>) { sort_keys<Key>(request); });
}
void sort_by_key(const sort_request& request) {
  if (request.keys_in.type != request.keys_out.type) throw not_compiled("keys_out: its type is not that of keys_in");
  if (request.values_in.type != request.values_out.type)
    throw not_compiled("values_out: its type is not that of values_in");
  with_type(request.keys_in.type, "keys_in", [&]<class Key>(std::type_identity<Key>) {
    with_type(request.values_in.type, "values_in", [&]<class V>(std::type_identity<V>) {
#define UPSWEEP_ROW(value, bytes) \
  if constexpr (sizeof(V) == sizeof(value)) return sort_pairs<Key, value>(request);
      UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
    });
  });
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

namespace {
constexpr upsweep_radix_options by_all_bits{0, 0, -1};
}

extern "C" {

int upsweep_radix_sort(upsweep_device* device, upsweep_input keys_in, upsweep_output keys_out,
                       const upsweep_radix_options* options) {
  return guarded([&] { sort({executor_of(device), keys_in, {}, keys_out, {}, options ? *options : by_all_bits}); });
}
int upsweep_radix_sort_by_key(upsweep_device* device, upsweep_input keys_in, upsweep_input values_in,
                              upsweep_output keys_out, upsweep_output values_out,
                              const upsweep_radix_options* options) {
  return guarded([&] {
    sort_by_key({executor_of(device), keys_in, values_in, keys_out, values_out, options ? *options : by_all_bits});
  });
}

}  // extern "C"
