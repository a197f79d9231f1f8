// Recurrences on the host. Not a sweep: the maps of single items would cost more than the items do. A chunk of 128
// items is walked along twice. First for its map, by what becomes of 0 with the terms and of 1 without them, or by what
// remains of them where a row begins. Then with the value before it, or the two. Chunks lie side by side in the lanes
// of vectors. The last chunks of all, if they are too few to hide the latency, are walked along in turn, by both walks
// at once.
//
// One thread of a Zen 3 (AVX2, 2026-11-26), floats, nanoseconds an item; before: scans of maps, of order 2 two walks
// one chunk a vector. 2^24 in one row 2.1 to 1.2 (by the loop 2.1, with fused operations 1.3), in rows of 2^20 3.7
// to 1.2; order 2 3.4 to 1.7. 2^22 by offsets, of 3, 100, 10000 items: 22, 6.9, 6.5 to 6.1, 2.5, 1.5; order 2 34, 31,
// 30 to 7.0, 2.9, 2.0. Where the next round is not asked for, 2.9 for the 1.2. In vectors doubles take longer than one
// by one. 511 floats take 1.3 us by both walks at once, one after the other 2.2, a loop 1.2; 1,023 doubles 3.1, 5.3 and
// 2.8 (a Zen 1, 2026-11-29).
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/recurrence/host/rows.hpp>
#include <upsweep/recurrence/host/steps.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The first walk along `Groups` vectors of chunks.
template <class Steps, int Lanes, int Groups, class N = typename Steps::number_type>
struct first_walk {
  static constexpr bool stores = false;
  typename Steps::template map<lanes_t<N, Lanes>> maps[Groups];
  bool begins_row[Lanes * Groups] = {};

  template <class Values>
  UPSWEEP_INLINE void begin_row(int c, const Values& before) {
    maps[c / Lanes].begin_row(c % Lanes, before);
    begins_row[c] = true;
  }
  template <class Step>
  UPSWEEP_INLINE void take(int group, const Step& step) {
    maps[group].walk(step);
  }
};
//! The second, with the values before each chunk.
template <class Steps, int Lanes, int Groups, class N = typename Steps::number_type>
struct second_walk {
  static constexpr bool stores = true;
  typename Steps::template values<lanes_t<N, Lanes>> values[Groups];

  template <class Values>
  UPSWEEP_INLINE void begin_row(int c, const Values& before) {
    set_lane_of(values[c / Lanes], c % Lanes, before);
  }
  template <class Step>
  UPSWEEP_INLINE lanes_t<N, Lanes> take(int group, const Step& step) {
    advance(values[group], step);
    return values[group].last;
  }
};

//! Both along one chunk, when the values before it are known.
template <class Steps>
struct both_walks {
  static constexpr bool stores = true;
  first_walk<Steps, 1, 1> first;
  second_walk<Steps, 1, 1> second;

  template <class Values>
  UPSWEEP_INLINE void begin_row(int c, const Values& before) {
    first.begin_row(c, before);
    second.begin_row(c, before);
  }
  template <class Step>
  UPSWEEP_INLINE auto take(int group, const Step& step) {
    first.take(group, step);
    return second.take(group, step);
  }
};

template <class Steps, class Rows, class Before, class X, bool Reversed>
struct recurrence_job {
  using N = typename Steps::number_type;
  using values = typename Steps::template values<N>;
  using order = slot_order<Reversed>;
  static constexpr bool reversed = Reversed;
  static constexpr std::size_t item_bytes = Steps::item_bytes + sizeof(X);
  static constexpr int lanes = std::is_same_v<X, N> ? Steps::lanes : 1;
  static constexpr int side_by_side = lanes > 1 ? Steps::vectors* lanes : 2 * Steps::vectors;  // chunks
  static constexpr index_t short_row = 32;  // of 21 items 1.1 ns each, side by side 1.9; of 35 1.5 and 1.6
  static constexpr index_t round = side_by_side * chunk, tile = tile_items(item_bytes, round);
  static constexpr index_t least_aside = (lanes > 1 ? lanes : side_by_side) * chunk;  // which hides the latency

  struct map {
    typename Steps::template map<N> inside;
    bool begins_row;
    values operator()(const values& in_front) const { return begins_row ? inside.of_nothing() : inside(in_front); }
  };
  struct scratch {
    map* maps = nullptr;            // one a chunk
    values* prefixes = nullptr;     // one a chunk
    index_t* first_rows = nullptr;  // one a chunk: the first row that begins there or behind
    index_t row = 0;                // none before it is asked for by later parts of the thread
    X* staged = nullptr;            // a round's results

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      maps = pieces.take<map>(chunks_of(capacity));
      prefixes = pieces.take<values>(chunks_of(capacity));
      first_rows = pieces.take<index_t>(chunks_of(capacity));
      staged = pieces.take<X>(round);
    }
  };

  index_t n;
  Steps steps;
  Rows rows;
  Before before;
  X* x;
  bool streaming = false;
  values running{};

  void start(index_t) { streaming = is_streamed<X>(n); }

  void load(scratch& s, const part& p) {
    for (index_t c = 0; c < chunks_of(p.count); c++)
      s.row = s.first_rows[c] = rows.first_from(p.first + c * chunk, s.row);
    each_chunk(0, before_last(p), [&](auto at_once, auto groups, index_t begin, index_t items) UPSWEEP_LAMBDA_INLINE {
      first_walk<Steps, at_once.value, groups.value> walker;
      walk<at_once.value, groups.value>(walker, p, begin, items, s.first_rows + begin / chunk, nullptr);
      for (int c = 0; c < at_once.value * groups.value; c++) s.maps[begin / chunk + c] = map_of(walker, c, at_once);
    });
  }
  void advance(scratch& s, const part& p) {
    const index_t chunks = before_last(p) / chunk;
    for (index_t c = 0; c < chunks; c++) {
      s.prefixes[c] = running;
      running = s.maps[c](running);
    }
    if (before_last(p) < p.count) s.prefixes[chunks] = running;
  }
  void store(scratch& s, const part& p) {
    for (index_t from = 0; from < p.count; from += round) {
      const index_t to = p.count - from < round ? p.count : from + round, low = order::low(p, from, to);
      const index_t last = std::min(before_last(p), to);
      each_chunk(from, last, [&](auto at_once, auto groups, index_t begin, index_t items) UPSWEEP_LAMBDA_INLINE {
        second_walk<Steps, at_once.value, groups.value> walker;
        for (int c = 0; c < at_once.value * groups.value; c++) walker.begin_row(c, s.prefixes[begin / chunk + c]);
        walk<at_once.value, groups.value>(walker, p, begin, items, s.first_rows + begin / chunk, s.staged - low);
      });
      if (last < to) walk_last(s, p, last, to, s.staged - low);
      copy_out(x + p.low + low, s.staged, static_cast<std::size_t>(to - from) * sizeof(X), streaming);
    }
  }

 private:
  //! Where the last chunks of all begin in a part: too few to be walked side by side, they are in turn, once.
  index_t before_last(const part& p) const {
    return p.first + p.count == n ? p.count / least_aside * least_aside : p.count;
  }
  void walk_last(scratch& s, const part& p, index_t begin, index_t end, X* staged) const {
    with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
      values in_front = s.prefixes[begin / chunk];
      for (; end - begin > chunk; begin += chunk) {
        both_walks<Steps> walker;
        walker.second.begin_row(0, in_front);
        walk<1, 1>(walker, p, begin, chunk, s.first_rows + begin / chunk, staged);
        in_front = map_of(walker.first, 0, std::integral_constant<int, 1>{})(in_front);
      }
      second_walk<Steps, 1, 1> walker;
      walker.begin_row(0, in_front);
      walk<1, 1>(walker, p, begin, end - begin, s.first_rows + begin / chunk, staged);
    });
  }
  //! What the c-th chunk makes of the values before it.
  template <class Walker, class Lanes>
  UPSWEEP_INLINE static map map_of(const Walker& walker, int c, Lanes lanes_of_vector) {
    return {walker.maps[c / lanes_of_vector].template in_lane<N>(c % lanes_of_vector), walker.begins_row[c]};
  }
  //! Calls f(lanes, groups, begin, items) for neighbouring chunks of so many items: whole ones side by side. Short rows
  //! hide the latency themselves.
  template <class F>
  UPSWEEP_INLINE void each_chunk(index_t begin, index_t end, const F& f) const {
    with_vectors<true, 32>([&](auto) UPSWEEP_LAMBDA_INLINE {
      index_t at = begin;
      const auto several = [&](auto at_once, auto groups) UPSWEEP_LAMBDA_INLINE {
        constexpr index_t width = at_once.value * groups.value * chunk;
        for (; end - at >= width; at += width) f(at_once, groups, at, chunk);
      };
      if (rows.mean_length() >= short_row) {
        several(std::integral_constant<int, lanes>{}, std::integral_constant<int, side_by_side / lanes>{});
        if constexpr (lanes > 1) several(std::integral_constant<int, lanes>{}, std::integral_constant<int, 1>{});
      }
      for (; at < end; at += chunk)
        f(std::integral_constant<int, 1>{}, std::integral_constant<int, 1>{}, at, end - at < chunk ? end - at : chunk);
    });
  }

  //! Takes a walker along chunks side by side; `staged`: where the slots' results go, if it stores any.
  template <int Lanes, int Groups, class Walker>
  UPSWEEP_INLINE void walk(Walker& walker, const part& p, index_t begin, index_t items, const index_t* first_rows,
                           [[maybe_unused]] X* staged) const {
    constexpr int count = Lanes * Groups;
    constexpr index_t apart = order::step * chunk;
    const auto position = [&](int c) { return p.first + begin + c * chunk; };
    index_t next_row[count], away[count];  // in so many items
    for (int c = 0; c < count; c++) {
      next_row[c] = first_rows[c];
      away[c] = rows.begin(next_row[c]) - position(c);
    }
    const index_t first = order::slot(p, begin);
    index_t step = 0;
    if constexpr (count == 1 && !Walker::stores) {  // of the rows that begin here the last one alone is felt behind
      const index_t row = rows.first_from(position(0) + items, next_row[0]) - 1;
      if (row > next_row[0]) {
        step = away[0] = rows.begin(row) - position(0);
        next_row[0] = row;
      }
    }
    while (step < items) {
      index_t until = items;  // where a row begins next
      for (int c = 0; c < count; c++) {
        if (away[c] <= step) {
          const index_t row = rows.last_at(next_row[c], position(c) + step);
          walker.begin_row(c, Steps::before_row(before, rows.number(row), Reversed));
          next_row[c] = row + 1;
          const index_t next = rows.begin(row + 1) - position(c);
          away[c] = next > step ? next : step + 1;  // offsets may be wrong
        }
        until = away[c] < until ? away[c] : until;
      }
      while (step < until) {
        const index_t slot = first + order::step * step;
        if constexpr (!Walker::stores) {  // of the next round, if there is one: meanwhile the memory would be idle
          const index_t next = p.low + first + order::step * (round + count * step);
          constexpr index_t items_of_step = index_t{count} * Lanes;
          steps.prefetch(std::clamp<index_t>(next, 0, n - items_of_step), items_of_step);
        }
        if (Lanes > 1 && until - step >= Lanes) {
          take_block<Lanes, Groups>(walker, p.low, Reversed ? slot - (Lanes - 1) : slot, staged);
          step += Lanes;
        } else {
          for (int group = 0; group < Groups; group++) {
            const index_t here = slot + group * (Lanes * apart);
            const auto taken = steps.template at<Lanes>(p.low + here, apart);
            if constexpr (Walker::stores) {
              const auto result = walker.take(group, taken);
              for (int lane = 0; lane < Lanes; lane++)
                staged[here + lane * apart] = static_cast<X>(lane_of<N>(result, lane));
            } else {
              walker.take(group, taken);
            }
          }
          step++;
        }
      }
    }
  }
  //! As many steps as there are lanes, from slot `low` on.
  template <int Lanes, int Groups, class Walker>
  UPSWEEP_INLINE void take_block(Walker& walker, index_t base, index_t low, [[maybe_unused]] X* staged) const {
    if constexpr (Lanes > 1) {
      constexpr index_t apart = order::step * chunk;
      for (int group = 0; group < Groups; group++, low += Lanes * apart) {
        const auto block = steps.block(base + low, apart);
        [[maybe_unused]] block_of_each<N, Lanes> results;
        for (int step = 0; step < Lanes; step++) {
          const int k = Reversed ? Lanes - 1 - step : step;
          if constexpr (Walker::stores) results.items[k] = walker.take(group, block[k]);
          else walker.take(group, block[k]);
        }
        if constexpr (Walker::stores) results.write(staged + low, apart);
      }
    }
  }
};

//! x[i] = a[i]·x[i−1] + b[i], or a1[i]·x[i−1] + a2[i]·x[i−2] + b[i], over rows.
template <bool Reversed, class Steps, class Rows, class Before, class X>
void recur_in_rows(host& executor, index_t n, const Steps& steps, const Rows& rows, const Before& before, X* x) {
  if (n == 0) return;
  recurrence_job<Steps, Rows, Before, X, Reversed> job{.n = n, .steps = steps, .rows = rows, .before = before, .x = x};
  run_job(executor.lender(), job, n, executor.threads());
}

}  // namespace UPSWEEP_NAMESPACE::detail
