// Filters of segments by offsets, each filtered on its own. On the host one thread goes along each from sample to
// sample, or all threads along a long one as along any signal. On a device every section is a sweep over maps of its
// state, which start anew where a segment does; by polynomials of a higher order one thread goes along each segment.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/filter/cascade.hpp>
#include <upsweep/filter/filter_task.hpp>
#include <upsweep/filter/host/filter.hpp>
#include <upsweep/filter/serial_filter.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/recurrence/recurrence_maps.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/segment_marks.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/signal.hpp>
#include <upsweep/transform.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/filter/cuda/filter.hpp>
#endif

namespace UPSWEEP_NAMESPACE::detail {

//! A signal cut by offsets into count + 1 pieces: what stands in front of all segments, the segments, what stands
//! behind them. Pieces lie in the signal whatever the offsets are.
template <class In, class Out, class Offset>
struct segmented_signal {
  const In* in;
  Out* out;
  index_t length;
  const Offset* offsets;
  index_t count;  // of offsets
  double* state;  // of all segments, or null

  UPSWEEP_HD index_t begin(index_t piece) const { return piece == 0 ? 0 : held(offsets[piece - 1]); }
  UPSWEEP_HD index_t end(index_t piece) const { return piece == count ? length : held(offsets[piece]); }
  UPSWEEP_HD bool keeps_state(index_t piece) const { return state && 0 < piece && piece < count; }

 private:
  UPSWEEP_HD index_t held(Offset offset) const {
    const auto at = static_cast<index_t>(offset);
    return at < 0 ? 0 : at < length ? at : length;
  }
};

//! The signal of a call, checked; `entries`: of the state of a segment.
template <class Executor, class In, class Out, class State, class Offset>
auto segments_of(const Executor& executor, const In& in, Out& out, State& state, const offsets_range<Offset>& segments,
                 index_t entries) {
  using InItem = element_t<const In>;
  using OutItem = element_t<Out>;
  no_state_t stateless;
  const filter_ranges<InItem, OutItem, planar> whole(executor, in, out, stateless, planar{}, 0);
  const named_range<const Offset>& offsets = segments.range;
  const named_range<const InItem> from{whole.in.data, whole.in.length, "in"};
  const named_range<OutItem> to{whole.out.data, whole.in.length, "out"};
  check_offsets(offsets);
  check_range(executor, offsets, offsets.size);
  check_disjoint(offsets, offsets.size, to, to.size);
  segmented_signal<InItem, OutItem, Offset> result{.in = from.data,
                                                   .out = to.data,
                                                   .length = from.size,
                                                   .offsets = offsets.data,
                                                   .count = offsets.size,
                                                   .state = nullptr};
  if constexpr (!std::is_same_v<std::remove_cvref_t<State>, no_state_t>) {
    static_assert(std::is_same_v<element_t<State>, double>, "a state is of double");
    const auto kept = output("state", state);
    const index_t number = offsets.size - 1, needed = entries * number;
    require(kept.size == needed, "state", "has ", kept.size, " entries, needs ", needed, ": ", entries, " for each of ",
            number, number == 1 ? " segment" : " segments");
    check_range(executor, kept, needed);
    check_disjoint(from, from.size, kept, needed);
    check_disjoint(to, to.size, kept, needed);
    check_disjoint(offsets, offsets.size, kept, needed);
    result.state = kept.data;
  }
  return result;
}

// ---------------------------------------------------------------- on the host
//! Along segments of so many samples all threads go together: fewer do not repay the powers of a rule.
inline constexpr index_t long_segment = index_t{1} << 16;

//! along(piece) for long pieces in turn, walk(first piece, last) for the others, on threads that share them out.
template <class S, class Along, class Walk>
void for_each_piece(host& executor, const S& s, const Along& along, const Walk& walk) {
  const auto is_long = [&](index_t piece) { return s.end(piece) - s.begin(piece) >= long_segment; };
  constexpr index_t together = 16;
  const index_t pieces = s.count + 1;
  for (index_t piece = 0; piece < pieces; piece++)
    if (is_long(piece)) along(piece);
  share_out(executor.threads(), (pieces + together - 1) / together, [&](index_t k) {
    for (index_t piece = k * together; piece < std::min(pieces, (k + 1) * together); piece++)
      if (!is_long(piece)) walk(piece);
  });
}
template <class In, class Out, class Offset>
signal<const In, false> input_of(const segmented_signal<In, Out, Offset>& s, index_t piece) {
  const index_t n = s.end(piece) - s.begin(piece);
  return {s.in + s.begin(piece), 1, n, n};
}
template <class In, class Out, class Offset>
signal<Out, false> output_of(const segmented_signal<In, Out, Offset>& s, index_t piece) {
  const index_t n = s.end(piece) - s.begin(piece);
  return {s.out + s.begin(piece), 1, n, n};
}

template <class In, class Out, class Offset>
void filter_segments(host& executor, std::span<const section> sections, const segmented_signal<In, Out, Offset>& s) {
  std::vector<cascade<1, 2>> rules(sections.size());
  for (std::size_t k = 0; k < rules.size(); k++) rules[k].set(0, sections[k]);
  const auto state_of = [&](index_t piece) {
    if (!s.keeps_state(piece)) return kept_state{};
    const kept_state of_all{
        .data = s.state, .section_stride = 2 * (s.count - 1), .channel_stride = 2, .sections = 0, .order = 2};
    return of_all.of_channel(piece - 1);
  };
  for_each_piece(
      executor, s,
      [&](index_t piece) {
        filter_sections(executor, filter_bank<1>(sections), input_of(s, piece), output_of(s, piece), state_of(piece));
      },
      [&](index_t piece) {
        const index_t begin = s.begin(piece), end = s.end(piece);
        if (begin >= end) return;
        const kept_state kept = state_of(piece);
        std::vector<state_vector<2>> states(rules.size());
        for (std::size_t k = 0; k < rules.size() && kept.data; k++)
          for (int e = 0; e < 2; e++) states[k].at[e] = kept.data[static_cast<index_t>(k) * kept.section_stride + e];
        for (index_t i = begin; i < end; i++) {
          auto x = static_cast<double>(s.in[i]);
          for (std::size_t k = 0; k < rules.size(); k++) rules[k].advance(states[k].at, x);
          s.out[i] = to_sample<Out>(x);
        }
        for (std::size_t k = 0; k < rules.size() && kept.data; k++)
          for (int e = 0; e < 2; e++) kept.data[static_cast<index_t>(k) * kept.section_stride + e] = states[k].at[e];
      });
}

//! Filters a piece by polynomials, sample by sample.
template <class In, class Out, class Offset>
struct filter_piece {
  segmented_signal<In, Out, Offset> s;
  serial_polynomials by;
  UPSWEEP_HD void operator()(index_t piece) const {
    const index_t begin = s.begin(piece), n = s.end(piece) - begin;
    if (n <= 0) return;
    by(samples_of<const In>{s.in + begin, 1}, samples_of<Out>{s.out + begin, 1}, n,
       s.keeps_state(piece) ? s.state + (piece - 1) * by.order : nullptr);
  }
};
template <class In, class Out, class Offset>
void filter_segments(host& executor, const polynomials& by, const segmented_signal<In, Out, Offset>& s) {
  const filter_piece<In, Out, Offset> filter{s, serial_polynomials(by)};
  for_each_piece(
      executor, s,
      [&](index_t piece) {
        double* const state = s.keeps_state(piece) ? s.state + (piece - 1) * by.order : nullptr;
        filter_polynomials(executor, by, input_of(s, piece), output_of(s, piece), state);
      },
      filter);
}

// ---------------------------------------------------------------- as sweeps
//! A section, and the states that its segments start from.
template <class Offset>
struct section_of_segments {
  double b0, c1, c2, a1, a2;  // c as in cascade.hpp
  rows_by_offsets<Offset> rows;
  const double* start;  // two a segment, or null
  UPSWEEP_HD bool is_segment(index_t s) const { return 0 <= s && s < rows.count - 1; }
  UPSWEEP_HD double start_of(index_t s, int k) const { return start && is_segment(s) ? start[2 * s + k] : 0; }
};
//! (sample, i, mark) as the map of the section's state: s1' = c1·x + s2 − a1·s1, s2' = c2·x − a2·s1.
template <class Offset>
struct lift_section : section_of_segments<Offset> {
  template <class Item>
  UPSWEEP_HD two_forms<double> operator()(const Item& item) const {
    const auto x = static_cast<double>(get<0>(item));
    const index_t i = get<1>(item);
    two_forms<double> map{{-this->a1, 1, this->c1 * x}, {-this->a2, 0, this->c2 * x}};
    if (this->rows.begins(i, item)) {
      const index_t s = this->rows.begun_by(i);
      const double s1 = this->start_of(s, 0), s2 = this->start_of(s, 1);
      map.last = {constant_factor<double>::mark(), 0, (this->c1 * x + s2) - this->a1 * s1};
      map.previous = {0, 0, this->c2 * x - this->a2 * s1};
    }
    return map;
  }
};
//! The section's output; behind a segment's last item its state is kept.
template <class Out, class Offset>
struct output_of_section : section_of_segments<Offset> {
  double* state;  // two a segment, or null
  template <class Item, class V>
  UPSWEEP_HD Out operator()(index_t i, const Item& item, const V& exclusive, const V& inclusive) const {
    const bool begins = this->rows.begins(i, item), ends = state && (get<2>(item) & segment_end) != 0;
    const index_t s = begins || ends ? this->rows.begun_by(i) : 0;
    if (ends && this->is_segment(s)) {
      state[2 * s] = inclusive.last.r;
      state[2 * s + 1] = inclusive.previous.r;
    }
    return to_sample<Out>(this->b0 * static_cast<double>(get<0>(item)) +
                          (begins ? this->start_of(s, 0) : exclusive.last.r));
  }
};

//! The sweep of a section; `state`: two a segment that are kept, or null.
template <class Executor, class From, class To, class Offset, class Marks>
void sweep_section(Executor& executor, const section_of_segments<Offset>& by, index_t n, const From* from, To* to,
                   double* state, const Marks& marks) {
  scan_then(executor, n, contiguous(named_range<const From>{from, n, "in"}, indices(), marks), lift_section<Offset>{by},
            restarted_companion<double>{},
            dense(named_range<To>{to, n, "out"}, output_of_section<To, Offset>{by, state}), no_total);
}

//! Filters by a sweep for each section; what one gives lies in scratch memory, in double, until the next one takes it.
template <class Executor, class In, class Out, class Offset>
void sweep_segments(Executor& executor, std::span<const section> sections, const segmented_signal<In, Out, Offset>& s) {
  const index_t states = s.state ? 2 * static_cast<index_t>(sections.size()) * (s.count - 1) : 0;
  double *started = nullptr, *between = nullptr;
  std::uint32_t* words = nullptr;
  in_scratch(executor, [&](scratch_cutter& scratch) {
    started = scratch.take<double>(states);
    between = scratch.take<double>(sections.size() > 1 ? s.length : 0);
    words = scratch.take<std::uint32_t>(mark_words(executor, s.length));
  });
  const auto marks = segment_marks(executor, named_range<const Offset>{s.offsets, s.count, "offsets"}, s.length, words);
  // States are read where segments begin while others are written: from a copy.
  transform(executor, contiguous(named_range<const double>{s.state, states, "state"}),
            std::span<double>(started, static_cast<std::size_t>(states)), lift_to<double>{});
  const auto pass = [&]<class From, class To>(std::size_t k, const From* from, To* to) {
    cascade<1, 2> rule;
    rule.set(0, sections[k]);
    const index_t at = 2 * static_cast<index_t>(k) * (s.count - 1);
    const section_of_segments<Offset> one{.b0 = rule.b0[0],
                                          .c1 = rule.c[0][0],
                                          .c2 = rule.c[0][1],
                                          .a1 = rule.a[0][0],
                                          .a2 = rule.a[0][1],
                                          .rows = {s.offsets, s.count},
                                          .start = s.state ? started + at : nullptr};
    sweep_section(executor, one, s.length, from, to, s.state ? s.state + at : nullptr, marks);
  };
  const std::size_t last = sections.size() - 1;
  if (last == 0) return pass(0, s.in, s.out);
  pass(0, s.in, between);
  for (std::size_t k = 1; k < last; k++) pass(k, static_cast<const double*>(between), between);
  pass(last, static_cast<const double*>(between), s.out);
}

#if UPSWEEP_HAS_CUDA
template <class In, class Out, class Offset>
void filter_segments(device& executor, std::span<const section> sections, const segmented_signal<In, Out, Offset>& s) {
  sweep_segments(executor, sections, s);
}
template <class In, class Out, class Offset>
void filter_segments(device& executor, const polynomials& by, const segmented_signal<In, Out, Offset>& s) {
  for_each_index(executor, s.count + 1, filter_piece<In, Out, Offset>{s, serial_polynomials(by)});
}
#endif

}  // namespace UPSWEEP_NAMESPACE::detail
