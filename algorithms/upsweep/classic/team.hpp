// Who does the steps of a textbook's algorithm, which say "for all k in parallel do". One definition of an algorithm
// serves them all:
//   host_team          all threads of a host          gpu::grid_team    all threads of a GPU (classic/cuda/team.hpp)
//   lone_team          one thread of a host           gpu::block_team   those of a block
// A team has
//   for_all(count, f)      f(k) for 0 <= k < count, at once or in any order; all are done before what follows
//   once(f)                f(), by one of them; done before what follows
//   show(step, distance, values, n)    tells a witness what a step has left, on a host
// and one that has memory of its own
//   for_all_rows(count, f)     f(k) by 32 lanes together, a warp, for which row(p) is the 32 values from p on
//   leads(), meet()            is this the one that does what one does? all are done before what follows
//   draw(ticket), raise(flag, to), wait(flag, least)    what teams that run at once tell one another
#pragma once
#include <atomic>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/host/chain.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! Lanes of a row of values that are combined without memory between them: a GPU's warp.
inline constexpr int lanes = 32;

//! The witness of a call that nobody watches. Another one may wrap the memory that is used, so as to count accesses,
//! count launches, and, on a host, see what every step left.
struct nobody {
  template <class T>
  UPSWEEP_HD T* memory(T* p) const {
    return p;
  }
  void launched() const {}
  template <class Values>
  void step(const char*, index_t, const Values&, index_t) const {}
};

//! A host's row: the values where they lie.
template <class T>
class row_in_memory {
 public:
  UPSWEEP_HD explicit row_in_memory(T* values) : values_(values) {}
  //! Each lane from `distance` on becomes m(the one so far below, itself), all at once.
  template <class M>
  UPSWEEP_HD void join_below(int distance, const M& m) {
    for (int lane = lanes - 1; lane >= distance; lane--) values_[lane] = m(values_[lane - distance], values_[lane]);
  }
  //! Each lane that has one so far above becomes m(itself, that one), all at once.
  template <class M>
  UPSWEEP_HD void join_above(int distance, const M& m) {
    for (int lane = 0; lane + distance < lanes; lane++) values_[lane] = m(values_[lane], values_[lane + distance]);
  }
  UPSWEEP_HD void store(T*) const {}
  UPSWEEP_HD void store_first(T* to) const { *to = values_[0]; }
  UPSWEEP_HD void store_last(T* to) const { *to = values_[lanes - 1]; }

 private:
  T* values_;
};

//! Ends the work of a team that waits for one that has thrown.
struct another_failed {};

//! One thread of a host.
template <class Witness>
class lone_team {
 public:
  //! `failed`: has another team of the same launch?
  lone_team(const Witness& witness, const std::atomic<bool>& failed) : witness_(witness), failed_(failed) {}
  template <class F>
  void for_all(index_t count, const F& f) const {
    for (index_t k = 0; k < count; k++) f(k);
  }
  template <class F>
  void once(const F& f) const {
    f();
  }
  bool leads() const { return true; }
  void meet() const {}
  template <class F>
  void for_all_rows(index_t count, const F& f) const {
    for_all(count, f);
  }
  template <class T>
  UPSWEEP_HD row_in_memory<T> row(T* values) const {
    return row_in_memory<T>(values);
  }
  template <class Values>
  void show(const char* step, index_t distance, const Values& values, index_t n) const {
    witness_.step(step, distance, values, n);
  }
  //! The number of calls before: whose turn it is among teams that run at once.
  index_t draw(index_t* ticket) const {
    return std::atomic_ref<index_t>(*ticket).fetch_add(1, std::memory_order_relaxed);
  }
  //! Sets *flag; who sees that sees all that was written before.
  void raise(int* flag, int to) const { std::atomic_ref<int>(*flag).store(to, std::memory_order_release); }
  //! Waits until *flag is at least `least`; what it is then.
  int wait(int* flag, int least) const {
    int seen = 0;
    detail::wait_until([&] {
      seen = std::atomic_ref<int>(*flag).load(std::memory_order_acquire);
      return seen >= least || failed_.load(std::memory_order_relaxed);
    });
    if (seen < least) throw another_failed{};
    return seen;
  }

 private:
  const Witness& witness_;
  const std::atomic<bool>& failed_;
};

//! All threads of a host.
template <class Witness>
class host_team {
 public:
  host_team(host& executor, const Witness& witness) : executor_(executor), witness_(witness) {}
  template <class F>
  void for_all(index_t count, const F& f) const {
    for_each_index(executor_, count, f);
  }
  template <class F>
  void once(const F& f) const {
    f();
  }
  template <class Values>
  void show(const char* step, index_t distance, const Values& values, index_t n) const {
    witness_.step(step, distance, values, n);
  }

 private:
  host& executor_;
  const Witness& witness_;
};

}  // namespace UPSWEEP_NAMESPACE::classic
