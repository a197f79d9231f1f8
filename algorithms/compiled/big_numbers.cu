// The C interface of big numbers.
#include <string>

#include <upsweep/numbers/library/limbs.hpp>

#include "big_numbers.hpp"
#include "boundary.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {
void combine(device& executor, const limb_request& request) {
  check_same_type(request.a, "a", request.out, "out");
  if (request.operation != limb_operation::negate) check_same_type(request.b, "b", request.out, "out");
#define UPSWEEP_ROW(Limb, name) \
  if (request.out.type == library::type_code<Limb>) return combine_limbs<Limb>(executor, request);
  UPSWEEP_LIBRARY_LIMBS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("out: limbs of type " + std::to_string(request.out.type) + " are not in the library");
}
}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_big_add(upsweep_device* device, upsweep_input a, upsweep_input b, upsweep_output out, int64_t length,
                    uint8_t* carried) {
  return guarded([&] { combine(executor_of(device), {limb_operation::add, a, b, out, length, carried}); });
}
int upsweep_big_subtract(upsweep_device* device, upsweep_input a, upsweep_input b, upsweep_output out, int64_t length,
                         uint8_t* carried) {
  return guarded([&] { combine(executor_of(device), {limb_operation::subtract, a, b, out, length, carried}); });
}
int upsweep_big_negate(upsweep_device* device, upsweep_input in, upsweep_output out, int64_t length, uint8_t* carried) {
  return guarded([&] { combine(executor_of(device), {limb_operation::negate, in, {}, out, length, carried}); });
}

}  // extern "C"
