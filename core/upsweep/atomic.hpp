// A number that several threads read and write: what is needed of std::atomic, each order by its name. (Its header
// takes g++ 0.05 s and nvcc 0.2, in every file.)
#pragma once
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T>
class atomic {
 public:
  constexpr explicit atomic(T value = {}) noexcept : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  ~atomic() = default;

  //! Relaxed, as all that does not say otherwise: nothing but the number passes between threads.
  T get() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  void set(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }
  //! What was there before.
  T add(T value) noexcept { return __atomic_fetch_add(&value_, value, __ATOMIC_RELAXED); }
  T add_bits(T bits) noexcept { return __atomic_fetch_or(&value_, bits, __ATOMIC_RELAXED); }
  T swap(T value) noexcept { return __atomic_exchange_n(&value_, value, __ATOMIC_ACQ_REL); }
  //! The smaller one of both stays.
  void lower_to(T value) noexcept {
    T before = get();
    while (value < before &&
           !__atomic_compare_exchange_n(&value_, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }

  //! Who acquires what another thread released sees all that this one wrote before.
  T acquire() const noexcept { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  void release(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  //! Releases, and acquires what others that did the same released. What is there then.
  T less(T value) noexcept { return __atomic_sub_fetch(&value_, value, __ATOMIC_ACQ_REL); }

 private:
  T value_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
