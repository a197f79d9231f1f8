// What a filter call is made of, the same on both backends: its ranges and states, and the passes over the signal.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/filter/cascade.hpp>
#include <upsweep/filter/serial_filter.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sections.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE {

//! A state that nobody keeps: a signal starts from silence.
struct no_state_t {};
inline constexpr no_state_t no_state{};

namespace detail {

//! Where a channel's state comes from and goes to: entry k of section s at data[s·section_stride + k], of the channel c
//! channel_stride further on. Entries that a cascade has beyond those are not kept.
struct kept_state {
  double* data = nullptr;
  index_t section_stride = 0, channel_stride = 0;
  int sections = 0, order = 0;  // that are kept

  UPSWEEP_HD kept_state of_channel(index_t c) const {
    kept_state own = *this;
    if (data) own.data = data + c * channel_stride;
    return own;
  }
  //! The same of the sections from number `first` on.
  kept_state from_section(int first, int count) const {
    kept_state own = *this;
    if (data) own.data = data + first * section_stride;
    own.sections = count;
    return own;
  }
};
template <class R>
struct state_keeper : kept_state {
  using V = state_vector<R::size>;
  UPSWEEP_HD state_keeper of_channel(index_t c) const { return {kept_state::of_channel(c)}; }
  UPSWEEP_HD V start() const {
    V state{};
    for_each_kept([&](int entry, index_t at) { state.at[entry] = data[at]; });
    return state;
  }
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, const V& state) const {
    for_each_kept([&](int entry, index_t at) { data[at] = state.at[entry]; });
  }

 private:
  //! f(entry, where it is kept). Long states are in memory in a device: a loop does, once a signal, for code that is a
  //! tenth of a kernel's.
  template <class F>
  UPSWEEP_HD void for_each_kept(const F& f) const {
    if (!data) return;
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
    if (sections > R::sections || order > R::order) __builtin_unreachable();  // or g++ -O3 warns of states so long
#endif
    if constexpr (R::size > 4) {
      UPSWEEP_ROLLED
      for (int s = 0; s < sections; s++) {
        UPSWEEP_ROLLED
        for (int k = 0; k < order; k++) f(s * R::order + k, s * section_stride + k);
      }
    } else {
      for (int s = 0; s < R::sections; s++)
        for (int k = 0; k < R::order; k++)
          if (s < sections && k < order) f(s * R::order + k, s * section_stride + k);
    }
  }
};
//! Starts as a settled filter would on a signal that always was `*first`, a number of each channel; keeps nothing.
template <class R, class T>
struct settled_start {
  double zi[R::size];
  const T* first;
  UPSWEEP_HD settled_start of_channel(index_t c) const {
    settled_start own = *this;
    own.first = first + c;
    return own;
  }
  UPSWEEP_HD state_vector<R::size> start() const {
    state_vector<R::size> state;
    for (int k = 0; k < R::size; k++) state.at[k] = zi[k] * static_cast<double>(*first);
    return state;
  }
  template <class Item, class V>
  UPSWEEP_HD void operator()(const Item&, const V&) const {}
};

//! Sections that one pass over a signal takes.
inline constexpr std::size_t most_sections = 8;
//! A filter for all channels, or, of std::dynamic_extent Filters, one for each: `count` sections of filter c stand at
//! data[c·stride].
template <std::size_t Filters>
struct filter_bank {
  static constexpr std::size_t most_bytes = sizeof(cascade<most_sections, 2>);  // of a filter's rule, a pass
  const section* data;
  std::size_t filters, count, stride;

  explicit filter_bank(std::span<const section> rows, std::size_t number = 1)
      : data(rows.data()), filters(number), count(rows.size() / number), stride(count) {}
  //! The same of the sections from number `first` on, at most `most`.
  filter_bank part(std::size_t first, std::size_t most) const {
    filter_bank some = *this;
    some.data += first;
    some.count = std::min(most, count - first);
    return some;
  }
};
//! Calls f with the filters as cascades of so many sections: those beyond their own pass everything.
template <int Sections, std::size_t Filters, class F>
void with_cascades_of(const filter_bank<Filters>& bank, const F& f) {
  using rule = cascade<Sections, 2>;
  std::conditional_t<Filters == 1, std::array<rule, 1>, std::vector<rule>> rules;
  if constexpr (Filters != 1) rules.resize(bank.filters);
  for (std::size_t c = 0; c < bank.filters; c++)
    for (std::size_t k = 0; k < bank.count; k++) rules[c].set(static_cast<int>(k), bank.data[c * bank.stride + k]);
  f(std::span<const rule, Filters>(rules));
}
//! The same as cascades of 1, 2, 4 or 8 sections.
template <std::size_t Filters, class F>
void with_cascades(const filter_bank<Filters>& bank, const F& f) {
  if (bank.count <= 1) with_cascades_of<1>(bank, f);
  else if (bank.count <= 2) with_cascades_of<2>(bank, f);
  else if (bank.count <= 4) with_cascades_of<4>(bank, f);
  else with_cascades_of<most_sections>(bank, f);
}
//! The same of what is left behind passes of eight sections.
template <class Executor, std::size_t Filters, class F>
void with_last_cascades(const Executor&, const filter_bank<Filters>& bank, const F& f) {
  with_cascades(bank, f);
}

//! The signals and the state of a call, checked.
template <class In, class Out, class Layout>
struct filter_ranges {
  static constexpr bool is_interleaved = std::is_same_v<Layout, interleaved>;
  signal<const In, is_interleaved> in;
  signal<Out, is_interleaved> out;
  double* state = nullptr;

  template <class Executor, class InRange, class OutRange, class State>
  filter_ranges(const Executor& executor, const InRange& in_range, OutRange& out_range, State& state_range,
                const Layout& layout, index_t entries) {
    static_assert(is_sample<In> && is_sample<Out>, "samples are float, double or std::int16_t");
    static_assert(std::is_same_v<In, Out> || (sizeof(In) <= 4 && sizeof(Out) <= 4),
                  "in and out have samples of the same type, or one of them float and the other std::int16_t");
    const auto from = input("in", in_range);
    const auto to = output("out", out_range);
    in = lay_out(from, layout);
    out = {to.data, in.channels, in.length, in.pitch};
    const index_t all = in.extent();
    check_range(executor, from, all);
    check_range(executor, to, all);
    const extent a = detail::extent_of(from, all), b = detail::extent_of(to, all);
    check_in_place(a, b, true);
    if constexpr (!std::is_same_v<std::remove_cvref_t<State>, no_state_t>) {
      static_assert(std::is_same_v<element_t<State>, double>, "a state is of double");
      const auto kept = output("state", state_range);
      const index_t needed = entries * in.channels;
      require(kept.size == needed, "state", "has ", kept.size, " entries, needs ", needed, ": ", entries,
              " for each of ", in.channels, in.channels == 1 ? " channel" : " channels");
      check_range(executor, kept, needed);
      check_disjoint(from, all, kept, needed);
      check_disjoint(to, all, kept, needed);
      state = kept.data;
    }
  }
};

//! Filters all channels in one pass as they lie, where an executor has a way of its own to do so. False, and nothing
//! done, where it has none. (A device has one for interleaved channels: cuda/interleaved_sweep.hpp.)
template <class Executor, class R, std::size_t Rules, class In, class Out, bool Interleaved>
bool filter_as_they_lie(Executor&, std::span<const R, Rules>, const signal<const In, Interleaved>&,
                        const signal<Out, Interleaved>&, const state_keeper<R>&) {
  return false;
}

//! Filters by any number of sections: eight a pass, between passes in double.
template <std::size_t Filters, class Executor, class In, class Out, bool Interleaved>
void filter_sections(Executor& executor, const filter_bank<Filters>& bank, const signal<const In, Interleaved>& in,
                     const signal<Out, Interleaved>& out, const kept_state& state) {
  const bool in_one_pass = bank.count <= most_sections;
  if constexpr (Interleaved) {
    bool done = false;
    if (in_one_pass)
      with_cascades(bank, [&]<class R>(std::span<const R, Filters> rules) {
        const state_keeper<R> own{state.from_section(0, static_cast<int>(bank.count))};
        done = filter_as_they_lie(executor, rules, in, out, own);
      });
    if (done) return;
  }
  auto planes = planes_of(executor, in, out);
  std::byte* rules_memory = nullptr;
  double* samples = nullptr;  // between passes
  in_scratch(executor, [&](scratch_cutter& scratch) {
    planes.cut(scratch);
    rules_memory = scratch.take<std::byte>(static_cast<index_t>(bytes_for_rules(executor, bank)));
    samples = scratch.take<double>(in_one_pass ? 0 : in.channels * in.length);
  });
  planes.fill(executor);
  const auto pass = [&](const auto& from, const auto& to, const kept_state& own) {
    return [&, own]<class R>(std::span<const R, Filters> rules) {
      filter_channels(executor, rules, from, to, state_keeper<R>{own}, rules_memory);
    };
  };
  if (in_one_pass) {
    with_cascades(bank, pass(planes.from, planes.to, state.from_section(0, static_cast<int>(bank.count))));
  } else {
    constexpr bool interleaved = std::remove_cvref_t<decltype(planes.from)>::is_interleaved;
    const signal<double, interleaved> between{samples, in.channels, in.length, in.length};
    const signal<const double, interleaved> again{samples, in.channels, in.length, in.length};
    // All passes but the last one are of eight sections.
    std::size_t first = 0;
    const auto eight = [&](const auto& from) {
      with_cascades_of<most_sections>(bank.part(first, most_sections),
                                      pass(from, between, state.from_section(static_cast<int>(first), most_sections)));
      first += most_sections;
    };
    eight(planes.from);
    while (first + most_sections < bank.count) eight(again);
    const auto rest = bank.part(first, most_sections);
    with_last_cascades(
        executor, rest,
        pass(again, planes.to, state.from_section(static_cast<int>(first), static_cast<int>(rest.count))));
  }
  planes.empty(executor);
}

//! The same of polynomials of order up to 8: one section of their order, rounded up to 2, 4 or 8.
template <class F>
void with_polynomials(const polynomials& by, const F& f) {
  const auto call = [&]<int Order>(std::integral_constant<int, Order>) {
    cascade<1, Order> rule;
    rule.set(0, by.b, by.a);
    f(std::span<const cascade<1, Order>, 1>(&rule, 1));
  };
  if (by.order <= 2) call(std::integral_constant<int, 2>{});
  else if (by.order <= 4) call(std::integral_constant<int, 4>{});
  else call(std::integral_constant<int, 8>{});
}

//! Filters by polynomials; of a higher order sample by sample.
template <class Executor, class In, class Out, bool Interleaved>
void filter_polynomials(Executor& executor, const polynomials& by, const signal<const In, Interleaved>& in,
                        const signal<Out, Interleaved>& out, double* state) {
  if (by.order > 8) return filter_serially(executor, by, in, out, state);
  const kept_state kept{state, 0, by.order, 1, by.order};
  if constexpr (Interleaved) {
    bool done = false;
    with_polynomials(by, [&]<class R>(std::span<const R, 1> rules) {
      done = filter_as_they_lie(executor, rules, in, out, state_keeper<R>{kept});
    });
    if (done) return;
  }
  auto planes = planes_of(executor, in, out);
  in_scratch(executor, [&](scratch_cutter& scratch) { planes.cut(scratch); });
  planes.fill(executor);
  with_polynomials(by, [&]<class R>(std::span<const R, 1> rules) {
    filter_channels(executor, rules, planes.from, planes.to, state_keeper<R>{kept}, nullptr);
  });
  planes.empty(executor);
}

}  // namespace detail
}  // namespace UPSWEEP_NAMESPACE
