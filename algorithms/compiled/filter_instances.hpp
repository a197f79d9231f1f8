// The kernels of filters take long to compile, so units share them out: the macros instantiate functions that launch
// some of them, or with `extern template` in front declare that another unit does.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/filter/library/signals.hpp>
#include <upsweep/filtfilt.hpp>
#include <upsweep/iir.hpp>

#include "filter_first_passes.hpp"
#include "filter_last_passes.hpp"

// A pass of planar channels, by one filter or (std::dynamic_extent) by one for each.
#define UPSWEEP_FILTER_PLANAR(which, In, Out, Sections, Order, Rules)                   \
  which void filter_channels(device&, std::span<const cascade<Sections, Order>, Rules>, \
                             const signal<const In, false>&, const signal<Out, false>&, \
                             const state_keeper<cascade<Sections, Order>>&, std::byte*, forward_t);
// Interleaved channels as they lie, by sections and by polynomials.
#define UPSWEEP_FILTER_AS_THEY_LIE(which, In, Out, Sections, Order, Rules)                 \
  which bool filter_as_they_lie(device&, std::span<const cascade<Sections, Order>, Rules>, \
                                const signal<const In, true>&, const signal<Out, true>&,   \
                                const state_keeper<cascade<Sections, Order>>&);
// A pass of filtfilt, from a state that is settled.
#define UPSWEEP_FILTER_SETTLED(which, Direction, Sections, Order)                              \
  which void filter_channels(device&, std::span<const cascade<Sections, Order>, 1>,            \
                             const signal<const double, false>&, const signal<double, false>&, \
                             const settled_start<cascade<Sections, Order>, double>&, std::byte*, Direction);
// A section's pass over segments by offsets.
#define UPSWEEP_FILTER_SEGMENTS(which, In, Out, Offset)                                                    \
  which void sweep_section(device&, const section_of_segments<Offset>&, index_t, const In*, Out*, double*, \
                           const load_stage<gpu::bit_marks_column>&);

// ---------------------------------------------------------------- what a unit has
// Second-order polynomials are a section.
#define UPSWEEP_FILTER_UNIT_1_TO_4(which, In, Out)                 \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 1, 2, 1)                   \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 2, 2, 1)                   \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 1, 2, std::dynamic_extent) \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 2, 2, std::dynamic_extent) \
  UPSWEEP_FILTER_UNIT_4(which, In, Out)
#define UPSWEEP_FILTER_UNIT_4(which, In, Out)    \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 4, 2, 1) \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 4, 2, std::dynamic_extent)
#define UPSWEEP_FILTER_UNIT_8(which, In, Out)    \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 8, 2, 1) \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 8, 2, std::dynamic_extent)
#define UPSWEEP_FILTER_UNIT_POLYNOMIALS(which, In, Out) \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 1, 4, 1)        \
  UPSWEEP_FILTER_PLANAR(which, In, Out, 1, 8, 1)
#define UPSWEEP_FILTER_UNIT_INTERLEAVED(which, In, Out)                 \
  UPSWEEP_FILTER_AS_THEY_LIE(which, In, Out, 1, 2, std::dynamic_extent) \
  UPSWEEP_FILTER_AS_THEY_LIE(which, In, Out, 2, 2, std::dynamic_extent) \
  UPSWEEP_FILTER_AS_THEY_LIE(which, In, Out, 1, 2, 1)                   \
  UPSWEEP_FILTER_AS_THEY_LIE(which, In, Out, 2, 2, 1)                   \
  UPSWEEP_FILTER_AS_THEY_LIE(which, In, Out, 1, 4, 1)
#define UPSWEEP_FILTER_UNIT_SETTLED(which, Direction) \
  UPSWEEP_FILTER_SETTLED(which, Direction, 1, 2)      \
  UPSWEEP_FILTER_SETTLED(which, Direction, 2, 2)      \
  UPSWEEP_FILTER_SETTLED(which, Direction, 4, 2)      \
  UPSWEEP_FILTER_SETTLED(which, Direction, 8, 2)      \
  UPSWEEP_FILTER_SETTLED(which, Direction, 1, 4)      \
  UPSWEEP_FILTER_SETTLED(which, Direction, 1, 8)
#define UPSWEEP_FILTER_UNIT_SEGMENTS(which, In, Out)    \
  UPSWEEP_FILTER_SEGMENTS(which, In, Out, std::int32_t) \
  UPSWEEP_FILTER_SEGMENTS(which, In, Out, std::int64_t)
