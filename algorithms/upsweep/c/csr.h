/* The C interface of libupsweep_cuda: sparse matrices in compressed rows, checked, transposed, and built from
 * coordinates (upsweep/csr.hpp, upsweep/csr_build.hpp).
 */
#ifndef UPSWEEP_C_CSR_H
#define UPSWEEP_C_CSR_H
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

/* Where one is written to; of the same types. */
typedef struct upsweep_csr_output {
  upsweep_output offsets;
  upsweep_output column_indices;
  upsweep_output values;
} upsweep_csr_output;

/* Entries of a matrix, in any order: as many row_indices and column_indices, UPSWEEP_INT32, as values. */
typedef struct upsweep_coo {
  int64_t rows;
  int64_t columns;
  upsweep_input row_indices;
  upsweep_input column_indices;
  upsweep_input values;
} upsweep_coo;

/* Reads offsets and column_indices and fails with UPSWEEP_INVALID_ARGUMENT if they are wrong, whose text names the
 * first wrong row. Waits. Of the values only the number is looked at. */
UPSWEEP_C_API int upsweep_csr_validate(upsweep_device* device, const upsweep_csr* a);
/* The transposed matrix: columns + 1 offsets, and as many column_indices and values as `a` has. Fails as
 * upsweep_csr_validate does, before anything is written. Waits. */
UPSWEEP_C_API int upsweep_csr_transpose(upsweep_device* device, const upsweep_csr* a,
                                        const upsweep_csr_output* transposed);
/* The matrix of these entries, those of one place summed: rows + 1 offsets, and as many column_indices and values as is
 * written to *nonzeros, in host memory. There must be room for as many as there are entries. Waits. */
UPSWEEP_C_API int upsweep_coo_to_csr(upsweep_device* device, const upsweep_coo* entries, const upsweep_csr_output* to,
                                     int64_t* nonzeros);

#ifdef __cplusplus
}
#endif
#endif
