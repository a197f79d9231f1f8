// Sweeps that hand every item its prefixes: dense and each stores; and reductions, which hand out nothing.
#pragma once
#include <algorithm>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class F>
inline constexpr bool is_after_init = false;
template <class M>
inline constexpr bool is_after_init<after_init<M>> = true;

template <class Store>
struct stored {
  using type = unsigned char;
  using projection = void;
  static constexpr std::size_t bytes = 0;
};
template <class T, class F>
struct stored<dense_store<T, F>> {
  using type = T;
  using projection = F;
  static constexpr std::size_t bytes = sizeof(T);
};

template <class Load, class Lift, class M, class Store, bool Reversed>
struct prefix_job {
  using V = typename M::value_type;
  using T = typename stored<Store>::type;
  using view = load_view<Load, false>;
  static constexpr bool reversed = Reversed, keeps_values = !std::is_same_v<Store, discard_t>;
  using scan_type = chunk_scan<view, Lift, M, Reversed>;
  using values_type = typename scan_type::values_type;
  using order = slot_order<Reversed>;
  using F = typename stored<Store>::projection;
  // Is what is stored just what is kept?
  static constexpr bool same = std::is_same_v<T, std::remove_pointer_t<decltype(values_type::slots)>>;
  static constexpr bool stores_inclusive =
      same && (std::is_same_v<F, take_inclusive> || std::is_same_v<F, segment_inclusive>);
  static constexpr bool stores_exclusive = same && std::is_same_v<F, take_exclusive>;
  static constexpr std::size_t item_bytes =
      load_traits<Load>::item_bytes + (keeps_values ? sizeof(V) : 0) + stored<Store>::bytes;
  static constexpr index_t round = side_by_side<M> * chunk;
  static constexpr index_t tile = tile_items(item_bytes, round);

  //! Fewer items are scanned one by one: there are no chunks to fold side by side, or, of a reduction, no vectors.
  static constexpr index_t few = keeps_values            ? scan_type::fewest_side_by_side
                                 : folds_in_any_order<M> ? chunk / 4
                                                         : chunk;
  static constexpr std::size_t few_bytes = scratch_bytes<few_items<view>>(few);
  static constexpr bool scans_few = few_bytes <= stack_bytes && (keeps_values || !folds_itself<view, Lift, M>);

  struct scratch {
    view items;
    values_type values;
    T* staged = nullptr;

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      items.cut(pieces, capacity);
      values.cut(pieces, keeps_values ? capacity : round, capacity);
      staged = pieces.take<T>(is_dense_v<Store> ? round : 0);
    }
  };

  index_t n;
  const Load& load_stage;
  const Store& store_stage;
  scan_type scan;
  bool streaming = false;
  running_prefix<V> running{};
  last_item<typename Load::item_type> last{};
  typename load_traits<Load>::fences fences{};

  bool run_few() {
    if constexpr (scans_few)
      if (0 < n && n < few) return scan_few(), true;  // n is; g++ warns if it is not told
    return false;
  }
  void start(index_t) {
    if constexpr (is_dense_v<Store>) streaming = is_streamed<T>(n);
  }
  void load(scratch& s, const part& p) {
    s.items.prepare(load_stage, p, false, fences);
    last.template take<Reversed>(s.items, p, n);
    for (index_t begin = 0; begin < p.count; begin += round) {  // a round is folded while the first-level cache has it
      const index_t end = p.count - begin < round ? p.count : begin + round;
      scan.template fold<keeps_values>(s.items, p, s.values, begin, end, keeps_values ? 0 : order::low(p, begin, end));
    }
  }
  void advance(scratch& s, const part& p) { scan.template advance<keeps_values>(p, s.values, running); }
  void store(scratch& s, const part& p) {
    if constexpr (keeps_values) {
      for (index_t begin = 0; begin < p.count; begin += round) {
        const index_t end = p.count - begin < round ? p.count : begin + round;
        if constexpr (!stores_inclusive) scan.apply(p, s.values, begin, end);
        store_round(s, p, begin, end);
      }
    }
  }

 private:
  //! The same as a run of all steps for `few` items at most: the same association, nothing kept in between. (A Zen 4,
  //! ns for 1, 16, 256 ints: 15, 16, 80, by the steps 38, 50, 140; sums of 1, 31 floats: 5, 11, and 19, 41.)
  void scan_few() {
    alignas(scratch_cutter::cache_line) std::byte on_stack[few_bytes + 1];
    auto own = cut_scratch<few_items<view>>(on_stack, few);
    const part all{0, 0, n, 0};
    own.items.prepare(load_stage, all, false, fences);
    last.template take<Reversed>(own.items, all, n);
    with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
      const view items = own.items;  // copies: the compiler need not reload them after every store
      const Lift lift = scan.lift;
      const auto give = giver_to(outputs(), 0);
      const index_t count = n;
      const M& m = scan.m;
      const auto index = [&](index_t k) UPSWEEP_LAMBDA_INLINE { return Reversed ? count - 1 - k : k; };
      constexpr index_t length = folds_in_any_order<M> ? few : chunk;  // as all chunks of exact results
      V sum = m.identity();                                            // of everything before
      const auto scan_chunk = [&](index_t begin, auto is_first, const auto& behind) UPSWEEP_LAMBDA_INLINE {
        V of_chunk = sum;
        const auto next = [&](index_t k, auto first) UPSWEEP_LAMBDA_INLINE {
          const auto item = items.template item<first, Reversed>(index(k));
          const V value = lift(item);
          of_chunk = k == begin ? value : m(of_chunk, value);
          const V inclusive = behind(of_chunk);
          give(first, index(k), item, sum, inclusive);
          sum = inclusive;
        };
        next(begin, is_first);
        const index_t end = std::min(count, begin + length);
        for (index_t k = begin + 1; k < end; k++) next(k, std::false_type{});
      };
      scan_chunk(0, std::true_type{}, [](const V& of_chunk) UPSWEEP_LAMBDA_INLINE { return of_chunk; });
      if constexpr (few > length)
        for (index_t begin = length; begin < count; begin += length)
          scan_chunk(begin, std::false_type{},
                     [&, before = V(sum)](const V& of_chunk) UPSWEEP_LAMBDA_INLINE { return m(before, of_chunk); });
      running.set(sum);
    });
  }

  T* outputs() const {
    if constexpr (is_dense_v<Store>) return store_stage.range.data;
    else return nullptr;
  }
  void store_round(scratch& s, const part& p, index_t begin, index_t end) {
    const auto items = static_cast<std::size_t>(end - begin);
    if constexpr (is_dense_v<Store>) {
      const index_t low = order::low(p, begin, end);  // the round's lowest slot
      const T* from = s.staged;
      if constexpr (stores_inclusive) {
        scan.apply_to(s.staged, p, s.values, begin, end);
      } else if constexpr (stores_exclusive) {
        from = s.values.slots + low - order::step;
      } else {
        hand_out(s, p, begin, end, giver_to(s.staged, p.low + low));
      }
      copy_out(store_stage.range.data + p.low + low, from, items * sizeof(T), streaming);
    } else {
      hand_out(s, p, begin, end, giver_to(nullptr, 0));
    }
  }
  //! give(is it the first?, i, item, exclusive, inclusive) stores what item i gets; a result of T goes to to[i − base].
  auto giver_to([[maybe_unused]] T* to, [[maybe_unused]] index_t base) const {
    if constexpr (is_dense_v<Store>) {
      return [project = store_stage.project, to, base]<bool First>(
                 std::bool_constant<First>, index_t i, [[maybe_unused]] const auto& item, const V& exclusive,
                 [[maybe_unused]] const V& inclusive) UPSWEEP_LAMBDA_INLINE {
        if constexpr (is_after_init<F>) {
          to[i - base] = static_cast<T>(First ? project.init : project.m(project.init, exclusive));
        } else {
          to[i - base] = static_cast<T>(project(i, item, exclusive, inclusive));
        }
      };
    } else if constexpr (keeps_values) {
      return [this](auto, index_t i, const auto& item, const V& exclusive, const V& inclusive) {
        store_stage.f(i, item, exclusive, inclusive);
      };
    } else {
      return [](auto&&...) UPSWEEP_LAMBDA_INLINE {};
    }
  }
  template <class F>
  void hand_out(const scratch& s, const part& p, index_t begin, index_t end, const F& f) const {
    with_vectors<scan_type::small && is_dense_v<Store>>([&](auto) UPSWEEP_LAMBDA_INLINE {
      const values_type values = s.values;  // copies: the compiler need not reload them after every store
      const view items = s.items;
      const part at = p;
      const auto give = [&]<bool First>(index_t c, index_t k, std::bool_constant<First>) UPSWEEP_LAMBDA_INLINE {
        const index_t slot = order::slot(at, c * chunk + k), i = at.low + slot;
        f(std::bool_constant<First>{}, i, items.template item<First, Reversed>(i), values.exclusive(c, k, slot),
          values.inclusive(c, k, slot));
      };
      for (index_t c = begin / chunk; c * chunk < end; c++) {
        const index_t length = end - c * chunk < chunk ? end - c * chunk : chunk;
        index_t k = 0;
        if (p.first == 0 && c == 0) give(0, k++, std::true_type{});
        for (; k < length; k++) give(c, k, std::false_type{});
      }
    });
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
