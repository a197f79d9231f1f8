/* The C interface of libupsweep_cuda: radix sorts (upsweep/radix_sort.hpp). */
#ifndef UPSWEEP_C_RADIX_SORT_H
#define UPSWEEP_C_RADIX_SORT_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct upsweep_radix_options {
  int descending;
  int begin_bit;
  int end_bit; /* one behind the last; -1: to the highest */
} upsweep_radix_options;

/* Stable, and they do not wait. keys_out and values_out may be exactly keys_in and values_in. Null options: by all
 * bits, ascending. Of values only the size of their type counts. */
UPSWEEP_C_API int upsweep_radix_sort(upsweep_device* device, upsweep_input keys_in, upsweep_output keys_out,
                                     const upsweep_radix_options* options);
UPSWEEP_C_API int upsweep_radix_sort_by_key(upsweep_device* device, upsweep_input keys_in, upsweep_input values_in,
                                            upsweep_output keys_out, upsweep_output values_out,
                                            const upsweep_radix_options* options);

#ifdef __cplusplus
}
#endif
#endif
