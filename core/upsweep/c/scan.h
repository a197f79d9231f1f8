/* The C interface of libupsweep_cuda: arrays, and scans and reductions over them (upsweep/scan.hpp,
 * upsweep/reduce.hpp).
 */
#ifndef UPSWEEP_C_SCAN_H
#define UPSWEEP_C_SCAN_H
#include <upsweep/c/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum upsweep_type {
  UPSWEEP_INT32 = 1,
  UPSWEEP_UINT32 = 2,
  UPSWEEP_INT64 = 3,
  UPSWEEP_UINT64 = 4,
  UPSWEEP_FLOAT = 5,
  UPSWEEP_DOUBLE = 6,
  /* there are no scans of these; flags are bytes, UPSWEEP_UINT8 */
  UPSWEEP_INT8 = 7,
  UPSWEEP_UINT8 = 8,
  UPSWEEP_INT16 = 9,
  UPSWEEP_UINT16 = 10,
  /* of values that are only moved, aligned to 8 */
  UPSWEEP_16_BYTES = 11
} upsweep_type;

/* `size` items in memory that the device reaches. */
typedef struct upsweep_input {
  const void* data;
  int64_t size;
  int type; /* upsweep_type */
} upsweep_input;
typedef struct upsweep_output {
  void* data;
  int64_t size;
  int type;
} upsweep_output;

/* What is combined with, over the type of the items; bits are for integers. By those behind them nothing is scanned. */
typedef enum upsweep_monoid {
  UPSWEEP_PLUS = 1,
  UPSWEEP_MULTIPLIES = 2,
  UPSWEEP_MINIMUM = 3,
  UPSWEEP_MAXIMUM = 4,
  UPSWEEP_BIT_AND = 5,
  UPSWEEP_BIT_OR = 6,
  UPSWEEP_BIT_XOR = 7,
  UPSWEEP_LOGICAL_AND = 8, /* of flags, 0 or not; results are 0 or 1 */
  UPSWEEP_LOGICAL_OR = 9,
  UPSWEEP_COMPENSATED_PLUS = 10, /* of UPSWEEP_FLOAT and UPSWEEP_DOUBLE */
  UPSWEEP_REPRODUCIBLE_PLUS = 11,
  UPSWEEP_ARGMIN = 12, /* of all items, by upsweep_reduce alone */
  UPSWEEP_ARGMAX = 13
} upsweep_monoid;

/* Which way a scan runs: of all items, or of rows of row_length items each. {0, 0} is forward and of all. */
typedef struct upsweep_along {
  int64_t row_length; /* 0: all items are one row */
  int reversed;
} upsweep_along;

/* These do not wait. `out` has the type of `in`, and may be exactly `in`. `init` is in host memory; null: the monoid's
 * identity. */
UPSWEEP_C_API int upsweep_inclusive_scan(upsweep_device* device, upsweep_input in, upsweep_output out, int monoid,
                                         upsweep_along along);
UPSWEEP_C_API int upsweep_exclusive_scan(upsweep_device* device, upsweep_input in, upsweep_output out, int monoid,
                                         const void* init, upsweep_along along);
/* Writes the result to host memory, and waits for it. It is of the type of the items, T; by argmin and argmax it is
 * struct { T value; int64_t index; }, of which the index of nothing is -1. */
UPSWEEP_C_API int upsweep_reduce(upsweep_device* device, upsweep_input in, int monoid, void* result);
/* Writes the result to memory that the device reaches, and does not wait. It is the same, but not rounded to a T yet:
 * by compensated_plus struct { T sum; T lost; }, by reproducible_plus 32 bytes for floats and 48 for doubles. */
UPSWEEP_C_API int upsweep_reduce_to(upsweep_device* device, upsweep_input in, int monoid, void* result);

#ifdef __cplusplus
}
#endif
#endif
