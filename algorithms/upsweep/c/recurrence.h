/* The C interface of libupsweep_cuda: linear recurrences whose coefficients vary (upsweep/linear_recurrence.hpp).
 */
#ifndef UPSWEEP_C_RECURRENCE_H
#define UPSWEEP_C_RECURRENCE_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* x[i] = a1[i]·x[i-1] + a2[i]·x[i-2] + b[i], of order 1 without a2. What is not given is zero, its type included. All
 * ranges are of one type, UPSWEEP_FLOAT or UPSWEEP_DOUBLE, of one size, and where the device reaches them. */
typedef struct upsweep_recurrence {
  upsweep_input a1;
  upsweep_input a2; /* not given: of order 1 */
  upsweep_input b;
  upsweep_output x; /* may be exactly a1, a2 or b */
  /* Rows, each on its own: of one length, or segments between offsets, of UPSWEEP_INT32 or UPSWEEP_INT64. */
  upsweep_along along;
  upsweep_input offsets;
  /* What stands before a row, as many values as the order, in the order of memory: in host memory the same for all; or
   * where the device reaches them, those of each row. Neither given: 0. */
  const void* before;
  upsweep_input before_each;
} upsweep_recurrence;

/* Does not wait. */
UPSWEEP_C_API int upsweep_linear_recurrence(upsweep_device* device, const upsweep_recurrence* recurrence);

#ifdef __cplusplus
}
#endif
#endif
