/* The C interface of libupsweep_cuda: histograms and images (upsweep/histogram.hpp, upsweep/equalize.hpp,
 * upsweep/clahe.hpp, upsweep/luma.hpp). None waits. Ranges are memory that the device reaches.
 */
#ifndef UPSWEEP_C_IMAGES_H
#define UPSWEEP_C_IMAGES_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where pixels lie, in items. n items in a row are {n, 1, 0, 1, 0}. */
typedef struct upsweep_image_layout {
  int64_t width;
  int64_t height;
  int64_t pitch;       /* from a row to the next; 0: the width */
  int64_t count;       /* images of a batch, at least 1 */
  int64_t image_pitch; /* from an image to the next; 0: height rows */
} upsweep_image_layout;

typedef struct upsweep_image_input {
  upsweep_input pixels;
  upsweep_image_layout layout;
} upsweep_image_input;
typedef struct upsweep_image_output {
  upsweep_output pixels;
  upsweep_image_layout layout;
} upsweep_image_output;

/* ---------------------------------------------------------------- histograms */
/* How many items of `in` are in each bin. `mask`: an image of bytes (UPSWEEP_UINT8) of the same shape, where items
 * count whose byte is not 0; null: all do. `counts` are of UPSWEEP_INT64, as many for each image as there are bins. */

/* Bins of one value each, of UPSWEEP_UINT8 or UPSWEEP_UINT16. */
UPSWEEP_C_API int upsweep_histogram(upsweep_device* device, upsweep_image_input in, const upsweep_image_input* mask,
                                    upsweep_output counts);
/* Bounds are in host memory, and of the type of the items if those are floats, uint64_t if they are that, and int64_t
 * of other integers. Bins of one width over [low, high). */
UPSWEEP_C_API int upsweep_histogram_even(upsweep_device* device, upsweep_image_input in,
                                         const upsweep_image_input* mask, upsweep_output counts, const void* low,
                                         const void* high);
/* Bins [edges[k], edges[k + 1]), which may be empty: one edge more than there are bins. */
UPSWEEP_C_API int upsweep_histogram_range(upsweep_device* device, upsweep_image_input in,
                                          const upsweep_image_input* mask, upsweep_output counts, const void* edges);

/* ---------------------------------------------------------------- tables of levels */
/* Whose equalization: upsweep::equalize_mode. */
typedef enum upsweep_equalize_mode {
  UPSWEEP_EQUALIZE_OPENCV = 0,
  UPSWEEP_EQUALIZE_TEXTBOOK = 1,
  UPSWEEP_EQUALIZE_PIL = 2
} upsweep_equalize_mode;

/* Images of UPSWEEP_UINT8 or UPSWEEP_UINT16; `out`, tables and references have the type of `in`, and `out` may be
 * exactly `in`. A table has 256 or 65,536 entries. */
UPSWEEP_C_API int upsweep_equalize_histogram(upsweep_device* device, upsweep_image_input in, upsweep_image_output out,
                                             int mode);
/* A table for each image. */
UPSWEEP_C_API int upsweep_equalization_table(upsweep_device* device, upsweep_image_input in,
                                             const upsweep_image_input* mask, upsweep_output table, int mode);
/* By one table, or one for each image. Table and out are of one type, of 1, 2, 4 or 8 bytes: only its size counts. */
UPSWEEP_C_API int upsweep_apply_table(upsweep_device* device, upsweep_image_input in, upsweep_input table,
                                      upsweep_image_output out);
/* One reference, or one for each image. */
UPSWEEP_C_API int upsweep_match_histogram(upsweep_device* device, upsweep_image_input in, upsweep_image_input reference,
                                          upsweep_image_output out);

typedef struct upsweep_clahe_options {
  double clip_limit; /* how many times the mean a level may weigh; 0 or less: no limit */
  int tiles_x;
  int tiles_y;
} upsweep_clahe_options;

/* Null options: 40, and 8 by 8 tiles. */
UPSWEEP_C_API int upsweep_clahe(upsweep_device* device, upsweep_image_input in, upsweep_image_output out,
                                const upsweep_clahe_options* options);
/* Pictures of UPSWEEP_UINT8, of 3 or 4 items a pixel: the layout's width counts items. */
UPSWEEP_C_API int upsweep_equalize_luma(upsweep_device* device, upsweep_image_input in, upsweep_image_output out,
                                        int channels, int mode);

#ifdef __cplusplus
}
#endif
#endif
