// Marks of segments between offsets, beside the items of a sweep: made as they are needed on a host, of bits in scratch
// memory on a device.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/segments.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/mark_bits.hpp>
#endif

namespace UPSWEEP_NAMESPACE::detail {

// A host needs no bits, nor does a device of the compiled library, which is told the offsets.
template <class Executor>
index_t mark_words(const Executor&, index_t) {
  return 0;
}
template <class Executor, class T>
load_stage<marks_column<std::remove_const_t<T>>> segment_marks(Executor&, const named_range<T>& offsets, index_t,
                                                               std::uint32_t*) {
  return {{{offsets.data, offsets.size}}};
}

//! f(the executor chosen, a load of n marks). There must be an offset at least, checked.
template <class Executor, class T, class F>
void with_segment_marks(Executor& executor, const named_range<T>& offsets, index_t n, const F& f) {
  run_on_backend(executor, [&](auto& chosen) {
    std::uint32_t* words = nullptr;
    in_scratch(chosen, [&](scratch_cutter& scratch) { words = scratch.take<std::uint32_t>(mark_words(chosen, n)); });
    f(chosen, segment_marks(chosen, offsets, n, words));
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
