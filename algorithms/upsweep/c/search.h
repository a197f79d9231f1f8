/* The C interface of libupsweep_cuda: searches (upsweep/search.hpp). */
#ifndef UPSWEEP_C_SEARCH_H
#define UPSWEEP_C_SEARCH_H
#include <upsweep/c/interval.h>
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many items lie in the interval. Writes the number to memory that the device reaches, and does not wait. */
UPSWEEP_C_API int upsweep_count_if(upsweep_device* device, upsweep_input in, upsweep_interval interval, int64_t* count);

#ifdef __cplusplus
}
#endif
#endif
