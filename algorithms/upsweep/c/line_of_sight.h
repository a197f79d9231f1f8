/* The C interface of libupsweep_cuda: lines of sight (upsweep/line_of_sight.hpp). Heights are UPSWEEP_INT16,
 * UPSWEEP_UINT16, UPSWEEP_FLOAT or UPSWEEP_DOUBLE; `visible` is UPSWEEP_UINT8, and gets 1 or 0. They do not wait.
 */
#ifndef UPSWEEP_C_LINE_OF_SIGHT_H
#define UPSWEEP_C_LINE_OF_SIGHT_H
#include <upsweep/c/images.h>
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Along rows: the eyes are `eye` above the first item of each. */
UPSWEEP_C_API int upsweep_line_of_sight(upsweep_device* device, upsweep_input heights, double eye,
                                        upsweep_output visible, upsweep_along along);

/* The cell of somebody in a map, and how far the eyes are above its ground. */
typedef struct upsweep_viewpoint {
  int64_t row;
  int64_t column;
  double eye;
} upsweep_viewpoint;

/* Of a map: of one image of heights, and one of flags of the same shape. */
UPSWEEP_C_API int upsweep_view_of_map(upsweep_device* device, upsweep_image_input heights, upsweep_viewpoint from,
                                      upsweep_image_output visible);

#ifdef __cplusplus
}
#endif
#endif
