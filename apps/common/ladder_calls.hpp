// Calls of the ladder's rungs, where an executor works: scans, reductions, what they cost, and a plain copy.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/buffer.hpp>
#include <upsweep/classic/counting.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/monoid.hpp>

#include "ladder_rungs.hpp"
#include "own_device.hpp"

namespace app {
namespace classic = upsweep::classic;

// ---------------------------------------------------------------- scans and reductions
template <class Executor, class Call, class M, class T = typename M::value_type>
void run_scan(Executor& executor, int /* rung */, const Call& call, const M& m, std::span<const T> in,
              std::span<T> out) {
  call(executor, in, out, m, classic::nobody{});
}
template <class Executor, class Call, class M, class T = typename M::value_type>
T run_reduction(Executor& executor, int /* rung */, const Call& call, const M& m, std::span<const T> in) {
  return call(executor, in, m, classic::nobody{});
}

//! f(an executor) for such a call: where the library has it the executor itself, else with_own_code's.
template <class Call, class M, class F>
decltype(auto) with_code_of(const Call&, const M&, upsweep::any_executor& executor, const F& f) {
  if constexpr (is_in_library<Call, M>) return executor.visit(f);
  else return with_own_code(executor, f);
}

// ---------------------------------------------------------------- what they cost
struct cost {
  double operations = 0, words = 0;  // an item
  long long launches = 0;
};
//! What call(executor, in, out, monoid, witness) costs, of ints: what is counted is the same for all types and
//! operators.
template <class Executor, class Call>
cost count(Executor& exec, upsweep::index_t n, const Call& call) {
  const std::vector<std::int32_t> ones(static_cast<std::size_t>(n), 1);
  const upsweep::buffer<std::int32_t> in(exec, ones);
  upsweep::buffer<std::int32_t> out(exec, n);
  upsweep::buffer<classic::counters> all(exec, std::vector<classic::counters>(1));
  long long launches = 0;
  classic::counters* const counted = all.data();
  call(exec, in, out, classic::counted_monoid<upsweep::plus<std::int32_t>>{{}, counted},
       classic::counting_witness{counted, &launches});
  exec.synchronize();
  const classic::counters seen = all.to_vector(exec)[0];
  const auto items = static_cast<double>(std::max<upsweep::index_t>(n, 1));
  return {static_cast<double>(seen.operations) / items, static_cast<double>(seen.reads + seen.writes) / items,
          launches};
}
template <class Executor, class Call>
cost count_scan(Executor& executor, int /* rung */, const Call& call, std::int64_t n) {
  return count(executor, n, call);
}
template <class Executor, class Call>
cost count_reduction(Executor& executor, int /* rung */, const Call& call, std::int64_t n) {
  return count(executor, n, [&](auto& e, const auto& in, auto&, const auto&... rest) { call(e, in, rest...); });
}

// ---------------------------------------------------------------- a plain copy
//! By all threads, or by the GPU's own means.
inline void copy_items(upsweep::host& exec, std::byte* to, const std::byte* from, std::int64_t bytes) {
  static constexpr upsweep::index_t piece = upsweep::index_t{1} << 20;
  const auto copy = [=](upsweep::index_t k) {
    std::memcpy(to + k * piece, from + k * piece, static_cast<std::size_t>(std::min(piece, bytes - k * piece)));
  };
  upsweep::for_each_index(exec, (bytes + piece - 1) / piece, copy, 1);
}
#if UPSWEEP_HAS_CUDA
inline void copy_items(upsweep::device& exec, std::byte* to, const std::byte* from, std::int64_t bytes) {
  UPSWEEP_CUDA_CHECK(
      cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, exec.stream()));
}
#endif

// ---------------------------------------------------------------- the same in ladder.cu, by numbers of rungs
using ladder_monoids = std::tuple<upsweep::plus<float>, upsweep::plus<std::int32_t>, upsweep::maximum<std::int32_t>,
                                  upsweep::affine<float>, upsweep::affine<std::uint32_t>>;
inline constexpr auto monoid_numbers = std::make_index_sequence<std::tuple_size_v<ladder_monoids>>{};

//! f(the monoid of this number)
template <class F>
void with_monoid(int number, const F& f) {
  const bool found = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((number == int{I} && (f(std::tuple_element_t<I, ladder_monoids>{}), true)) || ...);
  }(monoid_numbers);
  if (!found) throw std::invalid_argument("there is no such monoid");
}
//! −1 where a monoid is none of these.
template <class M>
inline constexpr int number_of = []<std::size_t... I>(std::index_sequence<I...>) {
  return ((std::is_same_v<M, std::tuple_element_t<I, ladder_monoids>> ? int{I} + 1 : 0) + ...) - 1;
}(monoid_numbers);

void run_scan(device_stream there, int rung, int monoid, const void* in, void* out, std::size_t n);
void run_reduction(device_stream there, int rung, int monoid, const void* in, std::size_t n, void* result);
template <class Call, class M, class T = typename M::value_type>
void run_scan(device_stream there, int rung, const Call&, const M&, std::span<const T> in, std::span<T> out) {
  run_scan(there, rung, number_of<M>, in.data(), out.data(), in.size());
}
template <class Call, class M, class T = typename M::value_type>
T run_reduction(device_stream there, int rung, const Call&, const M&, std::span<const T> in) {
  T result{};
  run_reduction(there, rung, number_of<M>, in.data(), in.size(), &result);
  return result;
}
cost count_scan(device_stream there, int rung, std::int64_t n);
cost count_reduction(device_stream there, int rung, std::int64_t n);
template <class Call>
cost count_scan(device_stream there, int rung, const Call&, std::int64_t n) {
  return count_scan(there, rung, n);
}
template <class Call>
cost count_reduction(device_stream there, int rung, const Call&, std::int64_t n) {
  return count_reduction(there, rung, n);
}
void copy_items(device_stream there, std::byte* to, const std::byte* from, std::int64_t bytes);

}  // namespace app
