// A function of a user's that a GPU shall call must have been compiled for it: marked UPSWEEP_HD, or a __device__
// lambda. The library's own functors call it with nvcc's check of that switched off (UPSWEEP_CALLS_USER), since the
// same functor serves hosts, whose functions need no mark; nvcc would then leave the call out of the kernel without a
// word. So every call that may run on a device names the functions that it was given, and each is called once in a
// kernel that is compiled and never launched: there nvcc checks, and its error names the function.
#pragma once
#include <string_view>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/stages.hpp>

#if UPSWEEP_HAS_CUDA
namespace UPSWEEP_NAMESPACE::gpu {

template <class F, class... Arguments>
__device__ void mark_this_function_UPSWEEP_HD(const F& f, const Arguments&... arguments) {
  static_cast<void>(f(arguments...));
}
template <class M>
__device__ void mark_its_identity_UPSWEEP_HD(const M& m) {
  static_cast<void>(m.identity());
}

//! F called with such arguments. The functions' addresses are enough to have them compiled.
template <class F, class... Arguments>
struct call_of {
  static __device__ void compile() {
    constexpr auto call = &mark_this_function_UPSWEEP_HD<F, Arguments...>;
    static_cast<void>(call);
  }
};
template <class F, class Item>
struct call_of_columns;
template <class F, class... Ts>
struct call_of_columns<F, tuple<Ts...>> : call_of<F, Ts...> {};
//! A function of an item, or of its columns' (item_functions.hpp).
template <class F, class Item>
struct call_of<F, Item> {
  static __device__ void compile() {
    if constexpr (detail::takes_columns<F, Item> && !std::is_invocable_v<const F&, const Item&>) {
      call_of_columns<F, Item>::compile();
    } else if constexpr (!std::is_member_pointer_v<F>) {
      constexpr auto call = &mark_this_function_UPSWEEP_HD<F, Item>;
      static_cast<void>(call);
    }
  }
};
template <class F, class Item>
struct call_of<detail::item_function<F>, Item> : call_of<F, Item> {};
//! A store's function, which may leave out what it does not use.
template <class F, class Item, class V>
struct call_of<projection<F>, index_t, Item, V, V> {
  static __device__ void compile() {
    if constexpr (std::is_invocable_v<const F&, index_t, const Item&, const V&, const V&>) {
      call_of<F, index_t, Item, V, V>::compile();
    } else if constexpr (std::is_invocable_v<const F&, const Item&, const V&, const V&>) {
      call_of<F, Item, V, V>::compile();
    } else if constexpr (std::is_invocable_v<const F&, const Item&, const V&>) {
      call_of<F, Item, V>::compile();
    } else {
      call_of<F, V>::compile();
    }
  }
};

// Operators of a user's types, which functors of ours call.
template <class T>
__device__ void mark_its_equality_UPSWEEP_HD(const T& a, const T& b) {
  static_cast<void>(a == b);
}
template <class T>
__device__ void mark_its_order_UPSWEEP_HD(const T& a, const T& b) {
  static_cast<void>(a < b);
}
template <class T>
__device__ void mark_its_sum_UPSWEEP_HD(const T& a, const T& b) {
  static_cast<void>(a + b);
}
template <class T>
__device__ void mark_its_product_UPSWEEP_HD(const T& a, const T& b) {
  static_cast<void>(a * b);
}
template <class From, class To>
__device__ void mark_its_conversion_UPSWEEP_HD(const From& from) {
  static_cast<void>(static_cast<To>(from));
}
template <auto Function>
struct call_of_function {
  static __device__ void compile() {
    constexpr auto call = Function;
    static_cast<void>(call);
  }
};
template <class T>
struct calls_of_equality : call_of_function<&mark_its_equality_UPSWEEP_HD<T>> {};
template <class... Ts>
struct calls_of_equality<tuple<Ts...>> {  // of rows, column by column
  static __device__ void compile() { (calls_of_equality<Ts>::compile(), ...); }
};
template <class V, class Item>
struct call_of<lift_to<V>, Item> : call_of_function<&mark_its_conversion_UPSWEEP_HD<Item, V>> {};
template <class M, class Heads, class T, class... Marks>
struct call_of<detail::lift_segmented<M, Heads>, tuple<T, Marks...>>
    : call_of_function<&mark_its_conversion_UPSWEEP_HD<T, typename M::value_type>> {};

//! A monoid's functions; of one that is made of others, theirs.
template <class M>
struct calls_of_monoid {
  using V = typename M::value_type;
  static __device__ void compile() {
    call_of<M, V, V>::compile();
    constexpr auto identity = &mark_its_identity_UPSWEEP_HD<M>;
    static_cast<void>(identity);
  }
};
template <class Op, class T>
struct calls_of_monoid<function_monoid<Op, T>> : call_of<Op, T, T> {};
template <class A, class B>
struct calls_of_monoid<pair<A, B>> {
  static __device__ void compile() {
    calls_of_monoid<A>::compile();
    calls_of_monoid<B>::compile();
  }
};
template <class M>
struct calls_of_monoid<segmented<M>> : calls_of_monoid<M> {};
template <class T>
struct calls_of_monoid<plus<T>> : call_of_function<&mark_its_sum_UPSWEEP_HD<T>> {};
template <class T>
struct calls_of_monoid<multiplies<T>> : call_of_function<&mark_its_product_UPSWEEP_HD<T>> {};
template <class T>
struct calls_of_monoid<minimum<T>> : call_of_function<&mark_its_order_UPSWEEP_HD<T>> {};
template <class T>
struct calls_of_monoid<maximum<T>> : call_of_function<&mark_its_order_UPSWEEP_HD<T>> {};
template <class T>
struct calls_of_monoid<argmin<T>> : call_of_function<&mark_its_order_UPSWEEP_HD<T>> {};
template <class T>
struct calls_of_monoid<argmax<T>> : call_of_function<&mark_its_order_UPSWEEP_HD<T>> {};

//! The functions of computed columns; other columns have none.
template <class Column>
struct calls_of_column {
  static __device__ void compile() {}
};
template <class T, class F>
struct calls_of_column<computed_column<T, F>> : call_of<F, index_t> {};
template <class Load>
struct calls_of_load;
template <class... Columns>
struct calls_of_load<load_stage<Columns...>> {
  static __device__ void compile() { (calls_of_column<Columns>::compile(), ...); }
};

//! The functions of a store, of items and of values beside them.
template <class Store, class Item, class V>
struct calls_of_store {
  static __device__ void compile() {}
};
template <class T, class F, class Item, class V>
struct calls_of_store<dense_store<T, F>, Item, V> : call_of<F, index_t, Item, V, V> {};
template <class F, class Item, class V>
struct calls_of_store<each_store<F>, Item, V> : call_of<F, index_t, Item, V, V> {};
template <int K, class Row, class Classify, class F, class... Ts, class Item, class V>
struct calls_of_store<packed_store<K, Row, Classify, F, Ts...>, Item, V> {
  static __device__ void compile() {
    call_of<Classify, Item>::compile();
    call_of<F, index_t, Item, V, V>::compile();
  }
};

template <class... Calls>
__global__ void compiled_but_never_launched() {
  (Calls::compile(), ...);
}

// A lambda without __device__ as nvcc writes its type ("[with F = lambda [](float)->bool]").
template <class F>
constexpr bool is_host_lambda() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
  if (__nv_is_extended_device_lambda_closure_type(F) || __nv_is_extended_host_device_lambda_closure_type(F))
    return false;
#endif
  return std::string_view(__PRETTY_FUNCTION__).find("F = lambda [") != std::string_view::npos;
}

//! A lambda without code for devices, among the functions of a sweep.
template <class Stage>
inline constexpr bool holds_host_lambda = is_host_lambda<Stage>();
template <class F>
inline constexpr bool holds_host_lambda<detail::item_function<F>> = is_host_lambda<F>();
template <class F>
inline constexpr bool holds_host_lambda<projection<F>> = is_host_lambda<F>();
template <class Op, class T>
inline constexpr bool holds_host_lambda<function_monoid<Op, T>> = is_host_lambda<Op>();
template <class T, class F>
inline constexpr bool holds_host_lambda<dense_store<T, F>> = holds_host_lambda<F>;
template <class F>
inline constexpr bool holds_host_lambda<each_store<F>> = holds_host_lambda<F>;
template <class T, class F>
inline constexpr bool holds_host_lambda<load_stage<computed_column<T, F>>> = is_host_lambda<F>();

}  // namespace UPSWEEP_NAMESPACE::gpu
#define UPSWEEP_LAMBDA_WITHOUT_DEVICE_CODE \
  "upsweep: this lambda has no code for a device: write [] UPSWEEP_HD (...) { ... }, or __device__ with a return type"
#endif

namespace UPSWEEP_NAMESPACE::detail {

// Files without functions of users' may leave the kernels out: the compiled library's (algorithms/compiled), of whose
// kernels they would be a sixth.
#if UPSWEEP_HAS_CUDA && !defined(UPSWEEP_NO_USER_FUNCTIONS)
#define UPSWEEP_CHECKS_FUNCTIONS 1
#else
#define UPSWEEP_CHECKS_FUNCTIONS 0
#endif
//! May this executor, an any_executor say, be a device that is given functions of users'?
template <class Executor>
inline constexpr bool may_call_users = UPSWEEP_CHECKS_FUNCTIONS && !std::is_same_v<std::remove_cvref_t<Executor>, host>;

//! Does not compile when the executor may be a device and f(arguments...) has no code for one.
template <class Executor, class F, class... Arguments>
void check_runs_on() {
#if UPSWEEP_HAS_CUDA
  if constexpr (may_call_users<Executor>) {
    static_assert(!gpu::is_host_lambda<F>(), UPSWEEP_LAMBDA_WITHOUT_DEVICE_CODE);
    static_assert(!std::is_pointer_v<F> && !std::is_member_function_pointer_v<F>,
                  "upsweep: a function's address is a host's: pass a functor or a lambda with UPSWEEP_HD");
    static_cast<void>(&gpu::compiled_but_never_launched<gpu::call_of<F, Arguments...>>);
  }
#endif
}

//! The same for == and < of a type.
template <class Executor, class T>
void check_equality_runs_on() {
#if UPSWEEP_HAS_CUDA
  if constexpr (may_call_users<Executor>)
    static_cast<void>(&gpu::compiled_but_never_launched<gpu::calls_of_equality<T>>);
#endif
}
template <class Executor, class T>
void check_order_runs_on() {
#if UPSWEEP_HAS_CUDA
  if constexpr (may_call_users<Executor>)
    static_cast<void>(&gpu::compiled_but_never_launched<gpu::call_of_function<&gpu::mark_its_order_UPSWEEP_HD<T>>>);
#endif
}

//! The same for the functions of a monoid.
template <class Executor, class M>
void check_monoid_runs_on() {
#if UPSWEEP_HAS_CUDA
  if constexpr (may_call_users<Executor>) {
    static_assert(!gpu::holds_host_lambda<M>, UPSWEEP_LAMBDA_WITHOUT_DEVICE_CODE);
    static_cast<void>(&gpu::compiled_but_never_launched<gpu::calls_of_monoid<M>>);
  }
#endif
}

//! The same for all functions of a sweep.
template <class Executor, class Load, class Lift, class M, class Store>
void check_sweep_runs_on() {
#if UPSWEEP_HAS_CUDA
  if constexpr (may_call_users<Executor>) {
    using Item = typename Load::item_type;
    using V = typename M::value_type;
    static_assert(!gpu::holds_host_lambda<Load> && !gpu::holds_host_lambda<Lift> && !gpu::holds_host_lambda<M> &&
                      !gpu::holds_host_lambda<Store>,
                  UPSWEEP_LAMBDA_WITHOUT_DEVICE_CODE);
    static_cast<void>(&gpu::compiled_but_never_launched<gpu::calls_of_load<Load>, gpu::call_of<Lift, Item>,
                                                        gpu::calls_of_monoid<M>, gpu::calls_of_store<Store, Item, V>>);
  }
#endif
}

}  // namespace UPSWEEP_NAMESPACE::detail
#undef UPSWEEP_CHECKS_FUNCTIONS
