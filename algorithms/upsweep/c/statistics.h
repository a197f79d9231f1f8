/* The C interface of libupsweep_cuda: reductions to statistics (upsweep/statistics.hpp), of UPSWEEP_FLOAT and
 * UPSWEEP_DOUBLE. They write to memory that the device reaches, and do not wait. T is the type of `in`.
 */
#ifndef UPSWEEP_C_STATISTICS_H
#define UPSWEEP_C_STATISTICS_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `result` is struct { T largest; T sum; }: the sum of exp(x) is exp(largest) * sum. */
UPSWEEP_C_API int upsweep_log_sum_exp_to(upsweep_device* device, upsweep_input in, void* result);
/* `result` is struct { int64_t count; T mean; T squares; }: of the distances from the mean. */
UPSWEEP_C_API int upsweep_mean_and_variance_to(upsweep_device* device, upsweep_input in, void* result);

#ifdef __cplusplus
}
#endif
#endif
