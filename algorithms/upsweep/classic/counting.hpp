// Accesses of memory, operations and launches of a textbook's scan, counted while it runs on either backend: by a
// witness (team.hpp) and a monoid that share counters in the executor's memory.
//   upsweep::buffer<counters> all(exec, std::vector<counters>(1));  long long launches = 0;
//   blelloch(exec, in, out, counted_monoid<plus<int>>{{}, all.data()}, counting_witness{all.data(), &launches});
#pragma once
#include <type_traits>

#include <upsweep/classic/reductions.hpp>
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::classic {

UPSWEEP_HD inline void count_up(unsigned long long* counter) {
#if defined(__CUDA_ARCH__)
  atomicAdd(counter, 1ull);
#else
  __atomic_fetch_add(counter, 1ull, __ATOMIC_RELAXED);
#endif
}

//! What is counted, in an executor's memory.
struct counters {
  unsigned long long operations, reads, writes;
};

//! A pointer whose accesses are counted.
template <class T>
class counted_memory {
 public:
  using item = std::remove_const_t<T>;
  struct place {
    T* at;
    counters* all;
    UPSWEEP_HD operator item() const {  // NOLINT(google-explicit-constructor): stands for the item
      count_up(&all->reads);
      return *at;
    }
    UPSWEEP_HD place& operator=(item value) {
      count_up(&all->writes);
      *at = value;
      return *this;
    }
    UPSWEEP_HD place& operator=(const place& other) {  // NOLINT(bugprone-unhandled-self-assignment): counts it, too
      *this = static_cast<item>(other);
      return *this;
    }
  };
  counted_memory(T* first, counters* all) : first_(first), all_(all) {}
  UPSWEEP_HD place operator[](index_t i) const { return {first_ + i, all_}; }
  counted_memory operator+(index_t i) const { return {first_ + i, all_}; }

 private:
  T* first_;
  counters* all_;
};

//! Watches a scan of the textbooks (upsweep/classic/team.hpp).
struct counting_witness {
  counters* all;
  long long* launches;
  template <class T>
  counted_memory<T> memory(T* p) const {
    return {p, all};
  }
  void launched() const { ++*launches; }
  template <class Values>
  void step(const char*, index_t, const Values&, index_t) const {}
};

//! A monoid whose operations are counted.
template <class M>
struct counted_monoid {
  using value_type = typename M::value_type;
  static constexpr bool is_commutative = upsweep::is_commutative<M>;
  M m;
  counters* all;
  UPSWEEP_HD value_type identity() const { return m.identity(); }
  UPSWEEP_HD value_type operator()(const value_type& earlier, const value_type& later) const {
    count_up(&all->operations);
    return m(earlier, later);
  }
};

}  // namespace UPSWEEP_NAMESPACE::classic
