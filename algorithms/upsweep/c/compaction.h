/* The C interface of libupsweep_cuda: compaction and partition (upsweep/compaction.hpp, upsweep/partition.hpp). All
 * keep the order of items. They do not wait: counts go to memory that the device reaches, such as
 * upsweep_device_result() gives. Outputs have the type of `in` and room for all its items.
 */
#ifndef UPSWEEP_C_COMPACTION_H
#define UPSWEEP_C_COMPACTION_H
#include <upsweep/c/interval.h>
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- what is kept, to the front of `out` */
/* The items of the interval. `out` may be exactly `in`. */
UPSWEEP_C_API int upsweep_copy_if(upsweep_device* device, upsweep_input in, upsweep_output out,
                                  upsweep_interval interval, int64_t* count);
/* Those whose flag, one UPSWEEP_UINT8 an item, is not 0. Of the items' type only the size counts: 4, 8 or 16 bytes.
 * `out` may be exactly `in`. */
UPSWEEP_C_API int upsweep_copy_flagged(upsweep_device* device, upsweep_input in, upsweep_input flags,
                                       upsweep_output out, int64_t* count);
/* The positions of the flags that are not 0, integers of 4 or 8 bytes. */
UPSWEEP_C_API int upsweep_nonzero(upsweep_device* device, upsweep_input flags, upsweep_output indices, int64_t* count);
/* The first item of every run of equal ones. `out` may be exactly `in`. */
UPSWEEP_C_API int upsweep_unique_copy(upsweep_device* device, upsweep_input in, upsweep_output out, int64_t* count);
/* The same, and beside it the runs' lengths, integers of 4 or 8 bytes. `values` may be exactly `in`. */
UPSWEEP_C_API int upsweep_run_length_encode(upsweep_device* device, upsweep_input in, upsweep_output values,
                                            upsweep_output lengths, int64_t* count);

/* ---------------------------------------------------------------- all items, to where they belong */
/* Those of the interval to the front of `selected`, the others to that of `rejected`; *count is how many the first are.
 * One of the two may be exactly `in`. */
UPSWEEP_C_API int upsweep_partition_copy(upsweep_device* device, upsweep_input in, upsweep_output selected,
                                         upsweep_output rejected, upsweep_interval interval, int64_t* count);
/* The same by flags, as of upsweep_copy_flagged. */
UPSWEEP_C_API int upsweep_partition_flagged(upsweep_device* device, upsweep_input in, upsweep_input flags,
                                            upsweep_output selected, upsweep_output rejected, int64_t* count);
/* Those of the first interval to out0, of the others those of the second one to out1, and the rest to out2; counts[0]
 * and counts[1] are how many the first two are. */
UPSWEEP_C_API int upsweep_three_way_partition(upsweep_device* device, upsweep_input in, upsweep_output out0,
                                              upsweep_output out1, upsweep_output out2, upsweep_interval first,
                                              upsweep_interval second, int64_t* counts);
/* Those of the interval to the front of `out`, and the others behind them. `out` lies apart from `in`. */
UPSWEEP_C_API int upsweep_stable_partition_copy(upsweep_device* device, upsweep_input in, upsweep_output out,
                                                upsweep_interval interval, int64_t* count);
/* The same in place. */
UPSWEEP_C_API int upsweep_stable_partition(upsweep_device* device, upsweep_output items, upsweep_interval interval,
                                           int64_t* count);

#ifdef __cplusplus
}
#endif
#endif
