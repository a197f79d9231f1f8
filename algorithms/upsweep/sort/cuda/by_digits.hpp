// Splits by the digits of unsigned keys, the most significant first: a rule for split.hpp.
//
// A segment whose keys all have the same digit is not moved; it is queued again by the highest bit that varies. So
// there are at most as many rounds as digits, and a round touches only what it must. Where no order has to be kept,
// keys that differ in their last digit alone are not moved either: their counts tell them. Of many keys, those that
// differ in their last two are left to a counting sort.
#pragma once
#include <cstdint>
#include <type_traits>

#include <cuda_pipeline_primitives.h>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/split.hpp>
#include <upsweep/sort/sort_task.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! One sort as the kernels see it: unsigned keys, each with a payload or with `nothing`.
//!   KeyIn       raw(i), what lies in the input, and encode(raw) -> U. Apart, so that nobody waits for what is fetched.
//!               computes: does raw do more than read?
//!   KeyOut      key_out(i, key) takes the result's keys, as payload_out does its payloads
//!   PayloadIn   payload_in(i) -> P, of the input
template <class U, class P, class KeyIn, class PayloadIn, class KeyOut>
struct sort_job {
  using key_type = U;
  using payload_type = P;
  static constexpr bool has_payload = !std::is_same_v<P, nothing>;
  static constexpr bool computes_keys = KeyIn::computes, keys_are_items = KeyIn::are_items;
  static constexpr int item_bytes = sizeof(U) + (has_payload ? sizeof(P) : 0);
  KeyIn key_in;
  PayloadIn payload_in;
  KeyOut key_out;
  P* payload_out;
  index_t n;
  int begin_bit, end_bit;  // the bits that decide on the order
  U* keys[3];              // by place
  P* payloads[3];
  bool at_home[3];  // what lies here in order is the result already

  //! The bits in [begin_bit, end) that the order depends on.
  UPSWEEP_HD U counted(int end) const { return static_cast<U>(detail::lowest_bits<U>(end) >> begin_bit << begin_bit); }
  //! Keys first + k·step, as they lie, for k < Count as long as k·step < rest.
  template <int Count, int Step>
  __device__ void fetch(U (&raw)[Count], int place, index_t first, int rest) const {
    if (place == 0) {
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k * Step < rest) raw[k] = key_in.raw(first + k * Step);
    } else {
      const U* from = keys[place] + first;
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k * Step < rest) raw[k] = from[k * Step];
    }
  }
  template <int Count>
  __device__ void encode(U (&raw)[Count], int place) const {
    if (place != 0) return;
#pragma unroll
    for (int k = 0; k < Count; k++) raw[k] = key_in.encode(raw[k]);
  }
  __device__ U key(int place, index_t i) const { return place == 0 ? key_in.encode(key_in.raw(i)) : keys[place][i]; }
  template <int Count, int Step>
  __device__ void fetch_payloads(maybe<P> (&values)[Count], int place, index_t first, int rest) const {
    if (place == 0) {
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k * Step < rest) values[k].value = payload_in(first + k * Step);
    } else {
      const P* from = payloads[place] + first;
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k * Step < rest) values[k].value = from[k * Step];
    }
  }
  //! Copies a payload into shared memory; it has come once the thread has waited for its copies.
  __device__ void copy_payload(maybe<P>& to, int place, index_t i) const {
    constexpr bool is_word = (sizeof(P) == 4 || sizeof(P) == 8) && alignof(P) == sizeof(P);
    if constexpr (is_word && std::is_same_v<PayloadIn, detail::values_of<P>>) {
      __pipeline_memcpy_async(&to.value, (place == 0 ? payload_in.values : payloads[place]) + i, sizeof(P));
    } else {
      to.value = payload(place, i);
    }
  }
  __device__ P payload(int place, index_t i) const { return place == 0 ? payload_in(i) : payloads[place][i]; }
};

template <class Job, bool Ordered>
struct digit_rule {
  using U = typename Job::key_type;
  using Payload = typename Job::payload_type;
  static constexpr bool ordered = Ordered, prepares = false, finishes_children = false, fills = !Ordered,
                        counts = fills && sizeof(U) >= 4, has_tables = false, declines = false, takes_segments = true;
  static constexpr int item_bytes = Job::item_bytes;
  Job job;

  struct known {                 // keys agree in all bits from end_bit on
    unsigned long long varying;  // bits that are not the same in all of them
    int end_bit;
    U key;  // one of them
  };
  using segment_type = segment_to_split<known>;
  using labels = digit_field;
  struct shared_state {
    unsigned long long varying;
  };
  template <class Shape>
  struct preparation {};

  //! Of units that are neighbours two hold more than a unit's length: there are 2·s, one more for each segment that is
  //! split, and for each that is queued. What is finished in one piece makes s, and one more for each segment.
  //! (Of all of a key's bits, so that sorts of one type that follow one another ask for the same memory.)
  index_t most_units(index_t most_queued) const {
    constexpr index_t rounds = 8 * static_cast<index_t>(sizeof(U)) / digit_bits;
    return (3 + 2 * rounds) * most_queued + digit_values;
  }
  __device__ index_t size() const { return job.n; }
  __device__ known known_of_all() const { return {0, job.end_bit, 0}; }
  struct target_type {
    U* keys;
    Payload* payloads;
    __device__ target_type operator+(index_t i) const { return {keys + i, payloads + i}; }
  };
  __device__ target_type target(int place) const { return {job.keys[place], job.payloads[place]}; }
  __device__ bool at_home(int place) const { return job.at_home[place]; }
  __device__ digit_field labels_of(const segment_type& g) const {
    const int shift = max(g.known.end_bit - digit_bits, job.begin_bit);
    return {shift, g.known.end_bit - shift};
  }
  __device__ unsigned long long varying_bits(const segment_type& g) const {
    return g.known.varying & job.counted(g.known.end_bit);
  }
  __device__ bool digits_tell(const segment_type& g) const {
    return fills && labels_of(g).shift == job.begin_bit && varying_bits(g) != 0;
  }
  __device__ void fill(const segment_type& g, index_t k, std::uint32_t digit) const {
    const U others = g.known.key & static_cast<U>(~job.counted(g.known.end_bit));
    job.key_out(g.begin + k, others | static_cast<U>(static_cast<U>(digit) << job.begin_bit));
  }
  __device__ bool splits(const segment_type& g) const {
    return varying_bits(g) >> labels_of(g).shift != 0 && !digits_tell(g);
  }
  __device__ bool goes_on(const segment_type& g) const { return varying_bits(g) != 0; }
  __device__ known next(const segment_type& g) const {
    return {0, 64 - __clzll(static_cast<long long>(varying_bits(g))), g.known.key};
  }
  __device__ bool leaves_units(const segment_type& g) const { return labels_of(g).shift > job.begin_bit; }
  __device__ child_to_split<known> child(const segment_type& g, int digit, index_t) const {
    const auto [shift, bits] = labels_of(g);
    const auto others = static_cast<U>(g.known.key >> shift >> bits << bits);
    return {false, {0, shift, static_cast<U>((others | static_cast<U>(digit)) << shift)}};
  }
  __device__ counted_range counted(const known& of) const {
    return {static_cast<U>(of.key & static_cast<U>(~detail::lowest_bits<U>(of.end_bit))), of.end_bit};
  }
  __device__ static int counting_place(int place) { return place; }

  //! What a thread holds while a part is counted.
  template <class Label>
  struct counting {
    Label digit;
    U reference, varying;
  };
  using counted_item = U;
  __device__ counting<labels> begin_count(const segment_type& g, index_t, shared_state& shared) const {
    if (threadIdx.x == 0) shared.varying = 0;
    return {labels_of(g), job.key(g.place, g.begin), 0};
  }
  template <int Step, int Rows>
  __device__ void fetch(U (&keys)[Rows], int place, index_t first, int rest) const {
    if constexpr (Ordered) forget(keys);
    job.template fetch<Rows, Step>(keys, place, first, rest);
  }
  template <int Rows>
  __device__ void settle(U (&keys)[Rows], int place) const {
    job.encode(keys, place);
  }
  template <int Step, int Rows, class Label, class F>
  __device__ void for_each_digit(counting<Label>& c, const U (&keys)[Rows], index_t, int rest, const F& f) const {
#pragma unroll
    for (int k = 0; k < Rows; k++)
      if (k * Step < rest) {
        c.varying |= keys[k] ^ c.reference;
        f(c.digit(keys[k]));
      }
  }
  template <class Label, class Segment>
  __device__ void end_count(const counting<Label>& c, Segment& g, shared_state& shared) const {
    const unsigned long long varying = any_lanes_bits(c.varying);
    if (lane_id() == 0) atomicOr(&shared.varying, varying);
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicOr(&g.known.varying, shared.varying);
      g.known.key = c.reference;  // of any part
    }
  }

  template <int Tile>
  struct staged {
    U keys[Tile];
    Payload payloads[Job::has_payload ? Tile : 1];
    template <class Label>
    __device__ std::uint32_t digit(int at, const Label& digit) const {
      return digit(keys[at]);
    }
    __device__ void write(int at, const target_type& to) const {
      *to.keys = keys[at];
      if constexpr (Job::has_payload) *to.payloads = payloads[at];
    }
  };
  template <int Rows>
  struct held {
    U keys[Rows];
    __device__ void fetch(const digit_rule& rule, int place, index_t first, int rest) {
      if constexpr (Ordered) forget(keys);
      rule.job.template fetch<Rows, warp_size>(keys, place, first, rest);
    }
    template <class Label>
    __device__ void settle(const digit_rule& rule, int place, const Label&) {
      rule.job.encode(keys, place);
    }
    template <class Label>
    __device__ std::uint32_t digit(int k, const Label& digit) const {
      return digit(keys[k]);
    }
    template <int Tile>
    __device__ void stage(staged<Tile>& to, int k, int place) const {
      to.keys[place] = keys[k];
    }
  };
  template <int Rows>
  struct late {
    maybe<Payload> payloads[Job::has_payload ? Rows : 1];
    __device__ void fetch(const digit_rule& rule, int place, index_t first, int rest) {
      if constexpr (Job::has_payload) {
        forget(payloads);
        rule.job.template fetch_payloads<Rows, warp_size>(payloads, place, first, rest);
      }
    }
    template <int Tile>
    __device__ void stage(staged<Tile>& to, int k, int place) const {
      if constexpr (Job::has_payload) to.payloads[place] = payloads[k].value;
    }
  };
};

}  // namespace UPSWEEP_NAMESPACE::gpu
