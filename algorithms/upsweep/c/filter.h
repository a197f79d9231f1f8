/* The C interface of libupsweep_cuda: recursive filters (upsweep/iir.hpp, upsweep/filtfilt.hpp), with SciPy's
 * conventions. None waits.
 *
 * Samples are UPSWEEP_FLOAT, UPSWEEP_DOUBLE or UPSWEEP_INT16: `out` has the type of `in`, or one of them is float and
 * the other int16. `out` may be exactly `in`. Coefficients are in host memory, states and offsets where the device
 * reaches them. A state is read before the first sample and written behind the last one; null: from silence.
 */
#ifndef UPSWEEP_C_FILTER_H
#define UPSWEEP_C_FILTER_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the channels of a signal lie. Not interleaved: sample t of channel c is item c * pitch + t; a pitch of 0 stands
 * for the length, a length of 0 for the pitch, or for all that there is. Interleaved: item t * channels + c. */
typedef struct upsweep_channels {
  int64_t channels;
  int64_t length;
  int64_t pitch;
  int interleaved;
} upsweep_channels;

/* Filters of `count` sections each, of six numbers: b0 b1 b2 a0 a1 a2, where a0 is 1. One filter for all channels, or
 * as many as there are channels. */
typedef struct upsweep_sections {
  const double* coefficients;
  int64_t count;
  int64_t filters;
} upsweep_sections;

/* b(z^-1) / a(z^-1); a[0] need not be 1. Of order up to 64. */
typedef struct upsweep_polynomials {
  const double* b;
  int64_t b_size;
  const double* a;
  int64_t a_size;
} upsweep_polynomials;

/* `state`: [section][channel][2]. Null channels: one, of all samples. */
UPSWEEP_C_API int upsweep_sosfilt(upsweep_device* device, upsweep_sections sections, upsweep_input in,
                                  upsweep_output out, double* state, const upsweep_channels* channels);
/* `state`: [channel][order]. */
UPSWEEP_C_API int upsweep_lfilter(upsweep_device* device, upsweep_polynomials by, upsweep_input in, upsweep_output out,
                                  double* state, const upsweep_channels* channels);

/* The same by one filter, of the segments between offsets (UPSWEEP_INT32 or UPSWEEP_INT64), each on its own: `state` is
 * [section][segment][2], and of polynomials [segment][order]. */
UPSWEEP_C_API int upsweep_sosfilt_segmented(upsweep_device* device, upsweep_sections sections, upsweep_input in,
                                            upsweep_output out, double* state, upsweep_input offsets);
UPSWEEP_C_API int upsweep_lfilter_segmented(upsweep_device* device, upsweep_polynomials by, upsweep_input in,
                                            upsweep_output out, double* state, upsweep_input offsets);

/* Forth and back, by one filter for all channels; polynomials are of order up to 8. */
UPSWEEP_C_API int upsweep_sosfiltfilt(upsweep_device* device, upsweep_sections sections, upsweep_input in,
                                      upsweep_output out, const upsweep_channels* channels);
UPSWEEP_C_API int upsweep_filtfilt(upsweep_device* device, upsweep_polynomials by, upsweep_input in, upsweep_output out,
                                   const upsweep_channels* channels);

#ifdef __cplusplus
}
#endif
#endif
