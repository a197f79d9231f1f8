// The rungs of the ladder: every scan and reduction of the textbooks, and the library's own at its end.
#pragma once
#include <type_traits>

#include <upsweep/classic/blelloch.hpp>
#include <upsweep/classic/block_sums.hpp>
#include <upsweep/classic/hillis_steele.hpp>
#include <upsweep/classic/look_back.hpp>
#include <upsweep/classic/naive.hpp>
#include <upsweep/classic/reduce_then_scan.hpp>
#include <upsweep/classic/reductions.hpp>
#include <upsweep/classic/sequential.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

namespace app {

struct rung {
  const char* name;
  const char* source;
  bool is_exclusive = false;
  upsweep::index_t most = upsweep::index_t{1} << 33;  // items that it can scan, or that anybody waits for
};

namespace detail {
template <class T, class Memory>
struct load_through {
  Memory memory;
  UPSWEEP_HD T operator()(upsweep::index_t i) const { return static_cast<T>(memory[i]); }
};
template <class Memory>
struct store_through {
  Memory memory;
  template <class Item, class V>
  UPSWEEP_HD void operator()(upsweep::index_t i, const Item&, const V&, const V& inclusive) const {
    memory[i] = inclusive;
  }
};
//! The library's sweep, with the witness's memory where there is one; `is_kept`: results are stored.
template <bool IsKept, class Executor, class In, class Out, class M, class Witness>
typename M::value_type watched_sweep(Executor& executor, const In& in, Out& out, const M& m, const Witness& witness) {
  using T = typename M::value_type;
  const auto from = witness.memory(in.data());
  const auto to = witness.memory(out.data());
  const auto load = upsweep::computed<T>(load_through<T, std::remove_const_t<decltype(from)>>{from});
  witness.launched();
  if constexpr (IsKept) {
    using store = store_through<std::remove_const_t<decltype(to)>>;
    return upsweep::scan(executor, in.size(), load, upsweep::lift_to<T>{}, m, upsweep::each(store{to}));
  } else {
    return upsweep::scan(executor, in.size(), load, upsweep::lift_to<T>{}, m, upsweep::discard);
  }
}
template <class Witness>
inline constexpr bool is_watched = !std::is_same_v<Witness, upsweep::classic::nobody>;
}  // namespace detail

//! The library's own. A witness cannot see into it, but what it loads and stores.
struct look_ahead {
  template <class Executor, class In, class Out, class M, class Witness>
  void operator()(Executor& executor, const In& in, Out& out, const M& m, const Witness& witness) const {
    if constexpr (detail::is_watched<Witness>) detail::watched_sweep<true>(executor, in, out, m, witness);
    else upsweep::inclusive_scan(executor, in, out, m);
  }
};
struct fold {
  template <class Executor, class In, class M, class Witness>
  typename M::value_type operator()(Executor& executor, const In& in, const M& m, const Witness& witness) const {
    if constexpr (detail::is_watched<Witness>) return detail::watched_sweep<false>(executor, in, in, m, witness);
    else return upsweep::reduce(executor, in, m);
  }
};
//! Calls that upsweep::cuda has, too: the library's own, of numbers.
template <class Call, class M>
inline constexpr bool is_in_library =
    (std::is_same_v<Call, look_ahead> || std::is_same_v<Call, fold>)&&std::is_arithmetic_v<typename M::value_type>;

//! f(rung, call) for each scan, call(executor, in, out, m, witness).
template <class F>
void for_each_rung(const F& f) {
  namespace classic = upsweep::classic;
#define CALL(...) \
  [](auto& executor, const auto& in, auto& out, const auto&... rest) { __VA_ARGS__(executor, in, out, rest...); }
  f(rung{"sequential", "one thread", false, 1 << 24}, CALL(classic::sequential));
  f(rung{"naive", "each output adds all it needs", false, 1 << 12}, CALL(classic::naive));
  f(rung{"hillis-steele", "Hillis and Steele 1986"}, CALL(classic::hillis_steele));
  f(rung{"blelloch", "Blelloch 1990, inclusive"}, CALL(classic::blelloch));
  f(rung{"blelloch-exclusive", "Blelloch 1990", true}, CALL(classic::exclusive_blelloch));
  f(rung{"trees", "blocks of trees; Harris et al. 2007"}, CALL(classic::block_sums<classic::trees>));
  f(rung{"padded-trees", "no bank conflicts; Harris et al. 2007"}, CALL(classic::block_sums<classic::padded_trees>));
  f(rung{"shuffles", "blocks of rows of 32"}, CALL(classic::block_sums<classic::shuffles>));
  f(rung{"reduce-then-scan", "two passes; Dotsenko et al. 2008"}, CALL(classic::reduce_then_scan));
  f(rung{"look-back", "one pass; Merrill and Garland 2016"}, CALL(classic::look_back));
  f(rung{"look-ahead", "upsweep::inclusive_scan"}, look_ahead{});
#undef CALL
}

//! f(rung, call) for each reduction that the monoid may be given to, call(executor, in, m, witness).
template <class M, class F>
void for_each_reduction(const F& f) {
  namespace classic = upsweep::classic;
#define CALL(...) [](auto& executor, const auto& in, const auto&... rest) { return __VA_ARGS__(executor, in, rest...); }
  f(rung{"interleaved", "a tree of neighbours; Harris 2007"}, CALL(classic::reduce<classic::interleaved>));
  if constexpr (upsweep::is_commutative<M>)
    f(rung{"sequential-addresses", "halves; Harris 2007"}, CALL(classic::reduce<classic::sequential_addresses>));
  f(rung{"rows", "rows of 32"}, CALL(classic::reduce<classic::by_rows>));
  f(rung{"sweep", "upsweep::reduce"}, fold{});
#undef CALL
}

}  // namespace app
