// What a recurrence with varying coefficients scans on a GPU: maps from the values before a span of items to its last
// ones; and its steps, numbers and rows, which the host has too.
//   restarted_affine    order 1: the map of a row's first item is constant
//   restarted_companion order 2: the same with two values before; single items cost half of what spans cost
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <upsweep/affine.hpp>
#include <upsweep/complex_parts.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// ---------------------------------------------------------------- numbers
//! What is computed with for items of type T.
template <class T>
struct number {
  using type = T;
};
template <class T>
  requires is_complex_v<T>
struct number<T> {
  using type = complex_parts<typename T::value_type>;
};
template <class T>
using number_t = typename number<T>::type;

template <class T>
struct convert_number {
  template <class From>
  UPSWEEP_HD static constexpr T from(const From& x) {
    return static_cast<T>(x);
  }
};
template <class R>
struct convert_number<complex_parts<R>> {
  template <class From>
  UPSWEEP_HD static constexpr complex_parts<R> from(const From& x) {
    return {static_cast<R>(x), R{}};
  }
  template <class From>
  UPSWEEP_HD static constexpr complex_parts<R> from(const complex_parts<From>& x) {
    return {static_cast<R>(x.real), static_cast<R>(x.imaginary)};
  }
};
template <class T, class From>
UPSWEEP_HD constexpr T number_as(const From& x) {
  return convert_number<T>::from(x);
}

//! a·b and a·b + c; integers wrap.
template <class T>
UPSWEEP_HD constexpr T product(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) return multiplies<T>{}(a, b);
  else return a * b;
}
template <class T>
UPSWEEP_HD constexpr T product_and(const T& a, const T& b, const T& c) {
  if constexpr (std::is_integral_v<T>) return plus<T>{}(multiplies<T>{}(a, b), c);
  else return a * b + c;
}

// ---------------------------------------------------------------- constant maps
//! The factor of a constant map. Nothing of what stands before a row may come through, were it infinite or not a number
//! (0·∞ is NaN), so floats mark such maps by a NaN of their own, which takes no byte more: coefficients that are NaN
//! are loaded as the usual one, and of those no processor makes this one. Integers need no mark: 0·x is 0.
template <class T>
struct constant_factor {
  static_assert(std::is_integral_v<T>,
                "a recurrence over rows, or of order 2, is of integers, float or double; one of "
                "order 1 also of std::complex");
  static constexpr bool is_marked = false;
  UPSWEEP_HD static constexpr T mark() { return T{0}; }
  UPSWEEP_HD static constexpr bool marks(const T&) { return false; }
  UPSWEEP_HD static constexpr T load(const T& a) { return a; }
};
template <std::floating_point T>
  requires(sizeof(T) == 4 || sizeof(T) == 8)
struct constant_factor<T> {
  static constexpr bool is_marked = true;
  UPSWEEP_HD static constexpr T mark() { return __builtin_bit_cast(T, static_cast<bits>(bits{upper} << lower_bits)); }
  UPSWEEP_HD static constexpr bool marks(const T& a) { return (__builtin_bit_cast(bits, a) >> lower_bits) == upper; }
  UPSWEEP_HD static constexpr T load(const T& a) { return is_nan(a) ? usual : a; }

 private:
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int lower_bits = 8 * static_cast<int>(sizeof(T)) - 32;  // one comparison of 32 bits is enough
  static constexpr std::uint32_t upper = sizeof(T) == 4 ? 0x7fc05eed : 0x7ff85eed;
  static constexpr T usual = std::numeric_limits<T>::quiet_NaN();
};
template <class R>
struct constant_factor<complex_parts<R>> {
  using part = constant_factor<R>;
  static constexpr bool is_marked = true;
  UPSWEEP_HD static constexpr complex_parts<R> mark() { return {part::mark(), R{}}; }
  UPSWEEP_HD static constexpr bool marks(const complex_parts<R>& a) { return part::marks(a.real); }
  UPSWEEP_HD static constexpr complex_parts<R> load(const complex_parts<R>& a) {
    return {part::load(a.real), part::load(a.imaginary)};
  }
};

//! affine<T> whose maps may be constant, as the map of a row's first item is.
template <class T>
struct restarted_affine {
  using value_type = affine_map<T>;
  using constant = constant_factor<T>;
  UPSWEEP_HD constexpr value_type identity() const { return {T{1}, T{0}}; }
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    if (constant::marks(later.a)) return later;
    return {constant::marks(earlier.a) ? earlier.a : product(later.a, earlier.a),
            product_and(later.a, earlier.b, later.b)};
  }
};

//! p·u + q·v + r, of the two values before a span; u is the nearer one.
template <class T>
struct linear_form {
  T p, q, r;
};
//! A span's last value and the one before it.
template <class T>
struct two_forms {
  linear_form<T> last, previous;
};

//! Maps of order 2: affine_vector<T, 2> whose maps may be constant (marked in last.p), and by half the work where the
//! later map is a single item's, which hands on what was last before it: in a fold the compiler knows that it is.
template <class T>
struct restarted_companion {
  using value_type = two_forms<T>;
  using constant = constant_factor<T>;
  UPSWEEP_HD constexpr value_type identity() const { return {{T{1}, T{0}, T{0}}, {T{0}, T{1}, T{0}}}; }
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    // Selects: branches of lanes that go apart cost a GPU more.
    const bool constant_later = constant::marks(later.last.p), constant_earlier = constant::marks(earlier.last.p),
               single = later.previous.p == T{1} && later.previous.q == T{0};
    linear_form<T> last = after(earlier, later.last);
    last.p = constant_earlier ? constant::mark() : last.p;
    const linear_form<T> handed_on{earlier.last.p, earlier.last.q, product_and(T{1}, earlier.last.r, later.previous.r)};
    return {choose(constant_later, later.last, last),
            choose(constant_later, later.previous, choose(single, handed_on, after(earlier, later.previous)))};
  }
  UPSWEEP_HD static constexpr linear_form<T> choose(bool first, const linear_form<T>& a, const linear_form<T>& b) {
    return {first ? a.p : b.p, first ? a.q : b.q, first ? a.r : b.r};
  }
  //! A form of what a span leaves, as one of what stands before the span.
  UPSWEEP_HD static constexpr linear_form<T> after(const value_type& e, const linear_form<T>& f) {
    return {product_and(f.p, e.last.p, product(f.q, e.previous.p)),
            product_and(f.p, e.last.q, product(f.q, e.previous.q)),
            product_and(f.p, e.last.r, product_and(f.q, e.previous.r, f.r))};
  }
};

// ---------------------------------------------------------------- values, and steps along them
//! The last value of what stands before an item, or the last two.
template <class T>
struct last_value {
  T last;
};
template <class T>
struct two_values {
  T last, previous;
};
//! Over an item: (a, b), or (a1, a2, b).
template <class T>
UPSWEEP_HD constexpr void advance(last_value<T>& x, const affine_map<T>& step) {
  x.last = product_and(step.a, x.last, step.b);
}
template <class T>
UPSWEEP_HD constexpr void advance(two_values<T>& x, const linear_form<T>& step) {
  x = {product_and(step.p, x.last, product_and(step.q, x.previous, step.r)), x.last};
}

// ---------------------------------------------------------------- rows and what stands before them
//! Is an item the first of a row, along the scan, and of which?
struct one_row {
  index_t first;
  template <class Item>
  UPSWEEP_HD bool begins(index_t i, const Item&) const {
    return i == first;
  }
  UPSWEEP_HD index_t begun_by(index_t) const { return 0; }
};
struct equal_rows {
  multiple_of length;
  index_t offset;       // 0, or 1 when reversed: a row then starts where the next one would
  remainder_of places;  // in rows
  template <class Item>
  UPSWEEP_HD bool begins(index_t i, const Item&) const {
    return length(i + offset);
  }
  UPSWEEP_HD index_t begun_by(index_t i) const { return length.quotient(i + offset) - offset; }
};
//! Segments by offsets. The last part of an item is its segment_mark. What stands before the first offset is row −1,
//! what stands from the last one on is row count − 1.
template <class Offset>
struct rows_by_offsets {
  const Offset* offsets;
  index_t count;  // of offsets
  template <class... Ts>
  UPSWEEP_HD bool begins(index_t i, const tuple<Ts...>& item) const {
    return i == 0 || is_marked(item);
  }
  template <class... Ts>
  UPSWEEP_HD static bool is_marked(const tuple<Ts...>& item) {
    return (get<sizeof...(Ts) - 1>(item) & segment_start) != 0;
  }
  UPSWEEP_HD index_t begun_by(index_t i) const { return lower_bound(offsets, count, i + 1) - 1; }
};

//! The values before a row, in the order of memory: the same for all rows, or `Order` a row.
template <class T, int Order>
struct same_before {
  T values[Order];
  UPSWEEP_HD T operator()(index_t, int k) const { return values[k]; }
};
template <class T, int Order, class From>
struct before_each {
  const From* values;
  UPSWEEP_HD T operator()(index_t row, int k) const { return number_as<T>(values[row * Order + k]); }
};
//! The same of segments, outside of which it is 0. (A check that rows of one length do without: it takes registers.)
template <class T, int Order, class From>
struct before_each_segment {
  before_each<T, Order, From> before;
  index_t segments;
  UPSWEEP_HD T operator()(index_t s, int k) const { return 0 <= s && s < segments ? before(s, k) : T{}; }
};

// ---------------------------------------------------------------- items as maps, and back
//! (a, b, i …): the map of a row's first item is constant, and so are all up to an item: x[i] itself.
template <class T, class Rows, class Before>
struct lift_restarted {
  using constant = constant_factor<T>;
  Rows rows;
  Before before;
  //! The map of an item inside a row, and what stands before the row that item i begins.
  template <class Item>
  UPSWEEP_HD static affine_map<T> step(const Item& item) {
    return {number_as<T>(get<0>(item)), number_as<T>(get<1>(item))};
  }
  UPSWEEP_HD last_value<T> before_row(index_t i) const { return {before(rows.begun_by(i), 0)}; }
  template <class Item>
  UPSWEEP_HD affine_map<T> operator()(const Item& item) const {
    const T a = number_as<T>(get<0>(item)), b = number_as<T>(get<1>(item));
    const index_t i = get<2>(item);
    const bool begins = rows.begins(i, item);
    T u{};
    if (begins) u = before(rows.begun_by(i), 0);
    // Selects, as two returns take more registers than the pipeline has.
    return {begins ? constant::mark() : constant::load(a), begins ? product_and(a, u, b) : b};
  }
};
//! (a1, a2, b, i …)
template <class T, class Rows, class Before, bool Reversed>
struct lift_companion {
  using constant = constant_factor<T>;
  Rows rows;
  Before before;
  template <class Item>
  UPSWEEP_HD static linear_form<T> step(const Item& item) {
    return {number_as<T>(get<0>(item)), number_as<T>(get<1>(item)), number_as<T>(get<2>(item))};
  }
  UPSWEEP_HD two_values<T> before_row(index_t i) const {
    const index_t row = rows.begun_by(i);
    return {before(row, Reversed ? 0 : 1), before(row, Reversed ? 1 : 0)};
  }
  template <class Item>
  UPSWEEP_HD two_forms<T> operator()(const Item& item) const {
    const linear_form<T> a = step(item);
    const index_t i = get<3>(item);
    two_forms<T> map{{constant::load(a.p), constant::load(a.q), a.r}, {T{1}, T{0}, T{0}}};
    if (rows.begins(i, item)) {
      two_values<T> x = before_row(i);
      map.previous.r = x.last;
      advance(x, a);
      map.last = {constant::mark(), T{0}, x.last};
      if constexpr (!constant::is_marked) map.previous.p = T{0};
    }
    return map;
  }
};

struct take_constant {
  template <class Item, class T>
  UPSWEEP_HD T operator()(index_t, const Item&, const affine_map<T>&, const affine_map<T>& inclusive) const {
    return inclusive.b;
  }
  template <class Item, class T>
  UPSWEEP_HD T operator()(index_t, const Item&, const two_forms<T>&, const two_forms<T>& inclusive) const {
    return inclusive.last.r;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
