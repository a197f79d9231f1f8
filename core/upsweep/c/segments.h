/* The C interface of libupsweep_cuda: scans and reductions of segments (upsweep/scan.hpp, upsweep/reduce.hpp). */
#ifndef UPSWEEP_C_SEGMENTS_H
#define UPSWEEP_C_SEGMENTS_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum upsweep_marks {
  UPSWEEP_HEADS = 1,   /* a byte for each item, not 0 where a segment begins; their type is not looked at */
  UPSWEEP_OFFSETS = 2, /* where segments begin, UPSWEEP_INT32 or UPSWEEP_INT64; items before the first one and from the
                          last one on are segments of their own */
  UPSWEEP_KEYS = 3     /* an integer of 4 or 8 bytes for each item; a segment has equal ones */
} upsweep_marks;

/* What cuts items into segments. */
typedef struct upsweep_segments {
  int kind; /* upsweep_marks */
  upsweep_input marks;
} upsweep_segments;

/* Scans that begin anew with every segment; reversed if that is not 0. The exclusive one begins with the identity. They
 * do not wait. `out` has the type of `in`, and may be exactly `in`. */
UPSWEEP_C_API int upsweep_inclusive_segmented_scan(upsweep_device* device, upsweep_input in, upsweep_segments segments,
                                                   upsweep_output out, int monoid, int reversed);
UPSWEEP_C_API int upsweep_exclusive_segmented_scan(upsweep_device* device, upsweep_input in, upsweep_segments segments,
                                                   upsweep_output out, int monoid, int reversed);

/* out[s] is the fold of the items from offsets[s] to offsets[s + 1], of which there is one more than items of `out`; of
 * the type of `in`, here and below. It does not wait. */
UPSWEEP_C_API int upsweep_segmented_reduce(upsweep_device* device, upsweep_input in, upsweep_input offsets,
                                           upsweep_output out, int monoid);

/* keys_out[j] and out[j] are key and fold of run j of equal keys, integers of 4 or 8 bytes. There must be room for as
 * many as there are items. Writes the number of runs to host memory, and waits for it. */
UPSWEEP_C_API int upsweep_reduce_by_key(upsweep_device* device, upsweep_input keys, upsweep_input in,
                                        upsweep_output keys_out, upsweep_output out, int monoid, int64_t* count);
/* Writes it to memory that the device reaches, and does not wait. */
UPSWEEP_C_API int upsweep_reduce_by_key_to(upsweep_device* device, upsweep_input keys, upsweep_input in,
                                           upsweep_output keys_out, upsweep_output out, int monoid, int64_t* count);

#ifdef __cplusplus
}
#endif
#endif
