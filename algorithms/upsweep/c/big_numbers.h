/* The C interface of libupsweep_cuda: whole numbers of any length (upsweep/big_numbers.hpp). Limbs are UPSWEEP_UINT32
 * or UPSWEEP_UINT64, the least significant first, and all ranges of a call are of one of them, and of one size.
 */
#ifndef UPSWEEP_C_BIG_NUMBERS_H
#define UPSWEEP_C_BIG_NUMBERS_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out = a + b, a - b, -in; `out` may be exactly an input. Of one number when `length` is 0, else of numbers of `length`
 * limbs each, which follow one another. carried[k], where the device reaches it, is 1 when something is carried out of
 * the k-th number, or borrowed for it, and else 0. They do not wait. */
UPSWEEP_C_API int upsweep_big_add(upsweep_device* device, upsweep_input a, upsweep_input b, upsweep_output out,
                                  int64_t length, uint8_t* carried);
UPSWEEP_C_API int upsweep_big_subtract(upsweep_device* device, upsweep_input a, upsweep_input b, upsweep_output out,
                                       int64_t length, uint8_t* carried);
UPSWEEP_C_API int upsweep_big_negate(upsweep_device* device, upsweep_input in, upsweep_output out, int64_t length,
                                     uint8_t* carried);

#ifdef __cplusplus
}
#endif
#endif
