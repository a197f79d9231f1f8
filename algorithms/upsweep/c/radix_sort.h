/* The C interface of libupsweep_cuda: radix sorts, and numbers in their own order (upsweep/radix_sort.hpp,
 * upsweep/quicksort.hpp). Keys are of any type but UPSWEEP_16_BYTES.
 */
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

/* Where the keys stand in the order of their sort, as integers of 4 or 8 bytes. */
UPSWEEP_C_API int upsweep_radix_argsort(upsweep_device* device, upsweep_input keys, upsweep_output indices,
                                        const upsweep_radix_options* options);

/* Every segment, the keys from offsets[s] up to offsets[s + 1], by itself. Offsets are integers of 4 or 8 bytes, one
 * more than there are segments. */
UPSWEEP_C_API int upsweep_segmented_radix_sort(upsweep_device* device, upsweep_input keys_in, upsweep_input offsets,
                                               upsweep_output keys_out, const upsweep_radix_options* options);
UPSWEEP_C_API int upsweep_segmented_radix_sort_by_key(upsweep_device* device, upsweep_input keys_in,
                                                      upsweep_input values_in, upsweep_input offsets,
                                                      upsweep_output keys_out, upsweep_output values_out,
                                                      const upsweep_radix_options* options);

/* In the order of <, or of > when `descending` is not 0: zeros of either sign are one number and stay in order. `out`
 * may be exactly `in`. */
UPSWEEP_C_API int upsweep_quicksort(upsweep_device* device, upsweep_input in, upsweep_output out, int descending);

#ifdef __cplusplus
}
#endif
#endif
