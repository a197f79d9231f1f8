/* The C interface of libupsweep_cuda: products of a sparse matrix (upsweep/spmv.hpp). */
#ifndef UPSWEEP_C_SPMV_H
#define UPSWEEP_C_SPMV_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix in compressed rows, in memory that the device reaches. */
typedef struct upsweep_csr {
  int64_t rows;
  int64_t columns;
  upsweep_input offsets;        /* rows + 1: UPSWEEP_INT32 or UPSWEEP_INT64 */
  upsweep_input column_indices; /* UPSWEEP_INT32 */
  upsweep_input values;         /* UPSWEEP_FLOAT or UPSWEEP_DOUBLE */
} upsweep_csr;

/* y = alpha·A·x + beta·y, and does not wait. x and y have the type of the values. alpha and beta are numbers of that
 * type in host memory; null: 1 and 0. */
UPSWEEP_C_API int upsweep_spmv(upsweep_device* device, const upsweep_csr* a, upsweep_input x, upsweep_output y,
                               const void* alpha, const void* beta);

#ifdef __cplusplus
}
#endif
#endif
