// Sums and differences of big numbers: algorithms/upsweep/numbers/library/limbs.hpp.
#include <upsweep/big_numbers.hpp>
#include <upsweep/numbers/library/limbs.hpp>

#include "check.hpp"

namespace {
using upsweep::index_t;

template <class Limb>
struct number {
  std::vector<Limb> limbs;
  std::vector<std::uint8_t> carried;
};
//! a + b or a − b, of rows of so many limbs, by one loop.
template <class Limb>
number<Limb> combined(const std::vector<Limb>& a, const std::vector<Limb>& b, bool adds, index_t length) {
  number<Limb> result;
  bool carry = false;
  for (std::size_t i = 0; i < a.size(); i++) {
    const auto first = static_cast<Limb>(adds ? a[i] + b[i] : a[i] - b[i]);
    const auto limb = static_cast<Limb>(adds ? first + carry : first - carry);
    carry = adds ? first < a[i] || limb < first : first > a[i] || limb > first;
    result.limbs.push_back(limb);
    if ((static_cast<index_t>(i) + 1) % length != 0) continue;
    result.carried.push_back(carry);
    carry = false;
  }
  return result;
}
//! Limbs through which a carry, or a borrow, goes on for long.
template <class Limb>
std::vector<Limb> limbs(index_t n, bool second) {
  std::vector<Limb> x = items<Limb>(n, false);
  for (std::size_t i = 0; i < x.size(); i++)
    if (i % 5000 > 3) x[i] = second ? Limb{0} : static_cast<Limb>(~Limb{0});
  return x;
}

//! call(out, carries...), of one number and of rows.
template <class Limb, class Call>
void check_call(tested& exec, index_t n, const std::string& what, const Call& call, const std::vector<Limb>& a,
                const std::vector<Limb>& b, bool adds) {
  upsweep::buffer<Limb> out(exec, n);
  upsweep::buffer<std::uint8_t> carried(exec, n / row + 1);
  const number<Limb> one = combined(a, b, adds, n);
  call(out, carried.data());
  check(same_bits(out.to_vector(exec), one.limbs), what);
  check(carried.to_vector(exec)[0] == (n > 0 && one.carried[0]), "what is carried, " + what);
  const number<Limb> many = combined(a, b, adds, row);
  call(out, carried, upsweep::rows(row));
  check(same_bits(out.to_vector(exec), many.limbs), "rows, " + what);
  std::vector<std::uint8_t> carries = carried.to_vector(exec);
  carries.resize(many.carried.size());
  check(same_bits(carries, many.carried), "what is carried of rows, " + what);
}

template <class Limb>
void check_limbs(tested& exec, index_t n, const char* name) {
  const std::string of = counted(name, n);
  const std::vector<Limb> a = limbs<Limb>(n, false), b = limbs<Limb>(n, true), zero(a.size());
  const upsweep::buffer<Limb> x(exec, a), y(exec, b);
  check_call(
      exec, n, "big_add, " + of, [&](auto& out, auto&&... carried) { upsweep::big_add(exec, x, y, out, carried...); },
      a, b, true);
  check_call(
      exec, n, "big_subtract, " + of,
      [&](auto& out, auto&&... carried) { upsweep::big_subtract(exec, y, x, out, carried...); }, b, a, false);
  check_call(
      exec, n, "big_negate, " + of,
      [&](auto& out, auto&&... carried) { upsweep::big_negate(exec, y, out, carried...); }, zero, b, false);
}

}  // namespace

void check_big_numbers(tested& exec, index_t n) {
#define UPSWEEP_ROW(limb, name) check_limbs<limb>(exec, n, name);
  UPSWEEP_LIBRARY_LIMBS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}
