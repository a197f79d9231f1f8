// The library's version, its index type, and the words that let one header serve g++ and nvcc.
#pragma once
#include <cstdint>

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "upsweep needs C++20: compile with -std=c++20, or link the CMake target upsweep::upsweep"
#endif

#define UPSWEEP_VERSION_MAJOR 0
#define UPSWEEP_VERSION_MINOR 2
#define UPSWEEP_VERSION_PATCH 0

#if defined(__CUDACC__)
#define UPSWEEP_HAS_CUDA 1
#define UPSWEEP_HD __host__ __device__  // callable on both sides
#else
#define UPSWEEP_HAS_CUDA 0
#define UPSWEEP_HD
#endif

// A plain C++ compiler's code for the GPU is compiled already: it is linked, as upsweep::cuda, whose users get
// UPSWEEP_USE_LIBRARY. What nvcc compiles has code of its own.
#if defined(UPSWEEP_USE_LIBRARY) && !UPSWEEP_HAS_CUDA
#define UPSWEEP_HAS_LIBRARY 1
#else
#define UPSWEEP_HAS_LIBRARY 0
#endif
#define UPSWEEP_HAS_DEVICE (UPSWEEP_HAS_CUDA || UPSWEEP_HAS_LIBRARY)

// In front of a UPSWEEP_HD function that calls a user's function, which may be for one side only: nvcc need not warn.
// (Whether it is for the right side, user_functions.hpp finds out.)
#if defined(__CUDACC__)
#define UPSWEEP_CALLS_USER _Pragma("nv_exec_check_disable")
#else
#define UPSWEEP_CALLS_USER
#endif

// In front of a loop of a device that shall not be unrolled: what it calls is long.
#if defined(__CUDA_ARCH__)
#define UPSWEEP_ROLLED _Pragma("unroll 1")
#else
#define UPSWEEP_ROLLED
#endif

// In front of a function of a device that shall be called, not copied to where it is: it is long.
#if defined(__CUDA_ARCH__)
#define UPSWEEP_OUT_OF_LINE __noinline__
#else
#define UPSWEEP_OUT_OF_LINE
#endif

// First in a body whose products and sums round alike in all versions of a loop (host/versions.hpp): clang would make
// one operation of both where a version's processor has it. (GCC is told so for a whole version.)
#if defined(__clang__) && !defined(__CUDACC__)
#define UPSWEEP_ROUND_EACH _Pragma("clang fp contract(off)")
#else
#define UPSWEEP_ROUND_EACH
#endif

#if defined(__GNUC__)
#define UPSWEEP_INLINE inline __attribute__((always_inline))
#else
#define UPSWEEP_INLINE inline
#endif

// The namespace of all calls and types. Translation units with CUDA, with the library and without both see different
// templates under the same names: they live in differently named inline namespaces, so that one program may hold all
// kinds; and two versions, since a plugin's may be another than its program's: with_cuda_0_2. (Exceptions are the same
// in all: error.hpp.) One word, since code indexers do not read `namespace upsweep::inline with_cuda`.
#define UPSWEEP_JOINED(name, major, minor) name##_##major##_##minor
#define UPSWEEP_VERSIONED(name, major, minor) UPSWEEP_JOINED(name, major, minor)
#if UPSWEEP_HAS_CUDA
#define UPSWEEP_NAMESPACE upsweep::inline UPSWEEP_VERSIONED(with_cuda, UPSWEEP_VERSION_MAJOR, UPSWEEP_VERSION_MINOR)
#elif UPSWEEP_HAS_LIBRARY
#define UPSWEEP_NAMESPACE upsweep::inline UPSWEEP_VERSIONED(with_library, UPSWEEP_VERSION_MAJOR, UPSWEEP_VERSION_MINOR)
#else
#define UPSWEEP_NAMESPACE upsweep::inline UPSWEEP_VERSIONED(host_only, UPSWEEP_VERSION_MAJOR, UPSWEEP_VERSION_MINOR)
#endif

//! All calls and types.
namespace UPSWEEP_NAMESPACE {

// Products of two 64-bit numbers.
__extension__ typedef unsigned __int128 wide_product;  // NOLINT(modernize-use-using): nvcc takes no __extension__ using

using index_t = std::int64_t;  // sizes and positions; nothing breaks at 2^31 or 2^32 items

}  // namespace UPSWEEP_NAMESPACE
