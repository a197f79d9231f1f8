/* The C interface of libupsweep_cuda: which items are meant (upsweep/comparisons.hpp). */
#ifndef UPSWEEP_C_INTERVAL_H
#define UPSWEEP_C_INTERVAL_H

/* The items x with lowest <= x and x <= highest; with `outside` all others, NaNs among them. Both are numbers of the
 * items' type in host memory. So int32 items below 5 are those from INT32_MIN to 4; floats below 5 those from -INFINITY
 * to nextafterf(5, -INFINITY); floats that are no NaN those from -INFINITY to INFINITY. */
typedef struct upsweep_interval {
  const void* lowest;
  const void* highest;
  int outside;
} upsweep_interval;

#endif
