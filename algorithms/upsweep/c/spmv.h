/* The C interface of libupsweep_cuda: products of a sparse matrix (upsweep/spmv.hpp). */
#ifndef UPSWEEP_C_SPMV_H
#define UPSWEEP_C_SPMV_H
#include <upsweep/c/csr.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y = alpha·A·x + beta·y, and does not wait. x and y have the type of the values. alpha and beta are numbers of that
 * type in host memory; null: 1 and 0. */
UPSWEEP_C_API int upsweep_spmv(upsweep_device* device, const upsweep_csr* a, upsweep_input x, upsweep_output y,
                               const void* alpha, const void* beta);

/* What products by one matrix can share. The memory of the matrix must stay; values in it may change. */
typedef struct upsweep_spmv_plan upsweep_spmv_plan;

/* Looks at all of the matrix, fails as upsweep_csr_validate does, and waits. */
UPSWEEP_C_API int upsweep_spmv_plan_create(upsweep_device* device, const upsweep_csr* a, upsweep_spmv_plan** plan);
/* It may outlive the executor. Null is left alone. */
UPSWEEP_C_API void upsweep_spmv_plan_destroy(upsweep_spmv_plan* plan);
/* The same as upsweep_spmv, to the bit, by a plan. */
UPSWEEP_C_API int upsweep_spmv_planned(upsweep_device* device, const upsweep_spmv_plan* plan, upsweep_input x,
                                       upsweep_output y, const void* alpha, const void* beta);

/* Y = alpha·A·X + beta·Y for `width` dense columns, 1 to 32. X and Y are row-major: item (i, j) is at i·width + j.
 * Otherwise as upsweep_spmv. */
UPSWEEP_C_API int upsweep_spmm(upsweep_device* device, const upsweep_csr* a, upsweep_input x, upsweep_output y,
                               int64_t width, const void* alpha, const void* beta);

#ifdef __cplusplus
}
#endif
#endif
