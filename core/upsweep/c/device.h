/* The C interface of libupsweep_cuda: its errors, the executor, and its memory.
 *
 * Every function that can fail returns 0 (UPSWEEP_OK) or what went wrong, of which upsweep_last_error tells more. It
 * waits and throws what the C++ call of the same name does: upsweep/executor.hpp says how. An executor serves one
 * thread at a time. What is written is written through the last pointers.
 */
#ifndef UPSWEEP_C_DEVICE_H
#define UPSWEEP_C_DEVICE_H
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define UPSWEEP_C_API __attribute__((visibility("default")))
#else
#define UPSWEEP_C_API
#endif

/* Changes when a function or a structure of this interface does; more functions alone do not change it. */
#define UPSWEEP_C_VERSION 1

struct CUstream_st; /* cudaStream_t is a pointer to it */

#ifdef __cplusplus
extern "C" {
#endif

/* UPSWEEP_C_VERSION of the library. It must be that of the headers. */
UPSWEEP_C_API int upsweep_c_version(void);

/* ---------------------------------------------------------------- errors */
typedef enum upsweep_status {
  UPSWEEP_OK = 0,
  UPSWEEP_INVALID_ARGUMENT = 1, /* std::invalid_argument: the text begins with the argument's name */
  UPSWEEP_NO_DEVICE = 2,        /* upsweep::no_device */
  UPSWEEP_CUDA_ERROR = 3,       /* upsweep::cuda_error: cuda_code and cuda_name say which */
  UPSWEEP_OUT_OF_MEMORY = 4,    /* std::bad_alloc */
  UPSWEEP_MEMORY_REFUSED = 5,   /* upsweep_memory_functions.allocate gave none */
  UPSWEEP_NOT_COMPILED = 6,     /* these types, or this operation over them, are not in the library */
  UPSWEEP_RUNTIME_ERROR = 7     /* std::runtime_error: what cannot be done while a graph is being captured */
} upsweep_status;

typedef struct upsweep_error {
  int status;
  int cuda_code;         /* 0 unless the status is UPSWEEP_CUDA_ERROR */
  const char* cuda_name; /* for ever; null unless the status is UPSWEEP_CUDA_ERROR */
  const char* text;      /* until this thread's next call that fails */
} upsweep_error;

/* Of the last call of this thread that failed. */
UPSWEEP_C_API upsweep_error upsweep_last_error(void);

/* ---------------------------------------------------------------- the executor */
typedef struct upsweep_device upsweep_device;

/* Where an executor shall get its memory. It must outlive the executor and all memory that came of it. */
typedef struct upsweep_memory_functions {
  void* context;
  void* (*allocate)(void* context, size_t bytes, struct CUstream_st* stream); /* null: there is none */
  void (*deallocate)(void* context, void* memory, size_t bytes, struct CUstream_st* stream);
} upsweep_memory_functions;

typedef struct upsweep_device_options {
  struct CUstream_st* stream;             /* the caller's, which must outlive the executor; null: the default stream */
  const upsweep_memory_functions* memory; /* null: the device's stream-ordered pool */
  int makes_stream;                       /* not 0: the executor makes a stream of its own, whatever stands above */
} upsweep_device_options;

typedef struct upsweep_device_properties {
  struct CUstream_st* stream;
  int ordinal;
  int multiprocessors;
  int compute_capability; /* 90 for sm_90 */
} upsweep_device_properties;

/* Is there a usable GPU? */
UPSWEEP_C_API int upsweep_device_available(void);
/* On the current device. Null options: a stream of its own, and the pool. */
UPSWEEP_C_API int upsweep_device_create(const upsweep_device_options* options, upsweep_device** device);
/* Waits for the work of its stream. Null is left alone. */
UPSWEEP_C_API void upsweep_device_destroy(upsweep_device* device);
UPSWEEP_C_API int upsweep_device_get_properties(const upsweep_device* device, upsweep_device_properties* properties);
UPSWEEP_C_API int upsweep_device_synchronize(upsweep_device* device);
/* Between any two kinds of memory; waits. */
UPSWEEP_C_API int upsweep_device_copy(upsweep_device* device, void* to, const void* from, size_t bytes);
UPSWEEP_C_API int upsweep_device_reserve(upsweep_device* device, size_t bytes);
UPSWEEP_C_API int upsweep_device_reserve_scratch(upsweep_device* device, size_t bytes);
UPSWEEP_C_API int upsweep_device_trim(upsweep_device* device);
UPSWEEP_C_API int upsweep_device_scratch(upsweep_device* device, size_t bytes, void** memory);
/* Does the device reach this memory? The error calls it by this name. */
UPSWEEP_C_API int upsweep_device_check_memory(const upsweep_device* device, const void* memory, const char* name);
/* Host memory that kernels write a result of at most 1,024 bytes to; the next call of this executor may use it anew. */
UPSWEEP_C_API int upsweep_device_result(upsweep_device* device, void** memory);
/* Is it memory that only a GPU reaches? 0 in a program that has made no executor. */
UPSWEEP_C_API int upsweep_is_device_memory(const void* memory);

/* ---------------------------------------------------------------- memory */
/* What an executor gets its memory from. It outlives the executor. */
typedef struct upsweep_memory upsweep_memory;

UPSWEEP_C_API int upsweep_memory_of(const upsweep_device* device, upsweep_memory** memory);
/* What has been allocated by it must have been freed. Null is left alone. */
UPSWEEP_C_API void upsweep_memory_destroy(upsweep_memory* memory);
/* In the order of the stream; does not wait. bytes > 0. */
UPSWEEP_C_API int upsweep_memory_allocate(upsweep_memory* memory, size_t bytes, void** allocated);
/* With as many bytes as it was allocated with. */
UPSWEEP_C_API void upsweep_memory_free(upsweep_memory* memory, void* allocated, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
