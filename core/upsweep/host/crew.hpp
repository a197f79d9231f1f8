// Threads that help whoever has work to share out. A team of OpenMP's is waited for as a whole, also where a member has
// not run yet because other programs have its core. Here the caller works itself, helpers come when they come, and only
// those that have begun are waited for.
#pragma once
#include <utility>

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/host/cores.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! A function object of somebody's, who keeps it meanwhile: called through a pointer, so that what takes it is compiled
//! once.
template <class... Arguments>
class function_view {
 public:
  template <class F>
  function_view(const F& f)  // not explicit: to be passed for one
      : f_(&f), call_([](const void* its, Arguments... arguments) { (*static_cast<const F*>(its))(arguments...); }) {}
  void operator()(Arguments... arguments) const { call_(f_, arguments...); }

 private:
  const void* f_;
  void (*call_)(const void*, Arguments...);
};

//! Gives the core to a thread that has something to do.
inline void give_way() noexcept {
#if UPSWEEP_HAS_CREW
  sched_yield();
#endif
}

//! Waits for other threads until done(): a while at work, then as who has nothing to do.
template <class Done>
void wait_until(const Done& done) {
  constexpr int spins_before_yield = 100;
  for (int spins = 0; !done(); spins++)
    if (spins > spins_before_yield) give_way();
}

//! While it lives no other thread has one of the same flag: for what takes no time.
class sole_user {
 public:
  explicit sole_user(atomic<bool>& in_use) : in_use_(in_use) {
    wait_until([&] { return !in_use_.swap(true); });
  }
  sole_user(const sole_user&) = delete;
  sole_user& operator=(const sole_user&) = delete;
  ~sole_user() { in_use_.release(false); }

 private:
  atomic<bool>& in_use_;
};

#if UPSWEEP_HAS_CREW
class crew {
 public:
  //! The one of this process. It is never destroyed: helpers may sleep when the process ends.
  static crew& instance() {
    static crew* const it = new crew;
    return *it;
  }

  //! Has the core been taken from this thread, a helper, since it began? Then it should take nothing more: who waits
  //! for its results may wait for as long as the other programs' turns last. (Asked of the system every eighth time.)
  static bool is_tired() { return watch_ && ++times_asked_ % 8 == 0 && watch_->was_taken(); }

  //! Is there a helper that would come without being woken?
  bool is_awake() const { return looking_.get() > 0; }

  //! While it lives this thread is a caller, which does all that is left: also if it is a helper, of work from which it
  //! calls for more.
  class caller {
   public:
    caller() : before_(std::exchange(watch_, nullptr)) {}
    caller(const caller&) = delete;
    caller& operator=(const caller&) = delete;
    ~caller() { watch_ = before_; }

   private:
    const core_watch* before_;
  };

  //! Calls work(0) here, and work(1), work(2), … up to work(threads − 1) by helpers, as soon as there are any that have
  //! nothing else to do. Returns when all that have begun are done. `work` must not throw.
  void share(int threads, const function_view<int>& work) {
    errand shared{.work = work, .core = this_core(), .free = threads - 1};
    const bool wakes = !is_awake();  // (asking for a thread's time takes 0.3 us)
    core_watch watch;
    if (wakes) watch.start();
    const bool woke_some = post(shared);
    work(0);
    withdraw(shared);
    if (wakes && woke_some && watch.was_taken()) wake_nobody_for_a_while(watch.began());
  }

 private:
  struct errand {
    function_view<int> work;
    int core;            // the caller's
    int free, next = 1;  // helpers that are still wanted, and the number of the next one
    errand* after = nullptr;
    atomic<int> inside{0};  // helpers that have begun
  };
  class hold {  // (<mutex> would take nvcc 1.5 s)
   public:
    explicit hold(crew& its) : its_(its) { pthread_mutex_lock(&its_.mutex_); }
    hold(const hold&) = delete;
    hold& operator=(const hold&) = delete;
    ~hold() { pthread_mutex_unlock(&its_.mutex_); }

   private:
    crew& its_;
  };

  crew() {
    pthread_atfork([] { pthread_mutex_lock(&instance().mutex_); }, [] { pthread_mutex_unlock(&instance().mutex_); },
                   [] { instance().begin_anew(); });
  }
  //! In a process that was forked, which has none of the helpers.
  void begin_anew() {
    pthread_mutex_init(&mutex_, nullptr);
    pthread_cond_init(&posted_, nullptr);
    helpers_ = sleeping_ = 0;
    looking_.set(0);
  }

  //! Says whether it woke a helper, which it does unless it lately lost its core by that.
  bool post(errand& shared) {
    const hold held(*this);
    shared.after = first_;
    first_ = &shared;
    posts_.add(1);
    if ((helpers_ == 0 || sleeping_ > 0) && core_watch::now() < woken_from_) return false;
    while (helpers_ < shared.free && hire()) helpers_++;
    for (int k = 0; k < sleeping_ && k < shared.free; k++) pthread_cond_signal(&posted_);
    return true;
  }
  //! Other programs had the core of a caller who woke helpers: they have all cores, and one more thread only takes
  //! turns with it. So for a while, longer each time, nobody is woken. (Two busy loops on two cores: the sum of 2^20
  //! ints took 5.4 ms, alone 0.16.)
  void wake_nobody_for_a_while(long long began) {
    const hold held(*this);
    const long long rest = rest_.next(began);
    woken_from_ = core_watch::now() + rest;
  }
  //! Nobody begins any more, and who has begun is waited for.
  void withdraw(errand& shared) {
    {
      const hold held(*this);
      errand** at = &first_;
      while (*at != &shared) at = &(*at)->after;
      *at = shared.after;
    }
    wait_until([&] { return shared.inside.acquire() == 0; });
  }

  static bool hire() {
    pthread_t thread;
    const auto help = [](void* its) -> void* {
      static_cast<crew*>(its)->help();
      return nullptr;
    };
    if (pthread_create(&thread, nullptr, help, &instance()) != 0) return false;
    pthread_detach(thread);
    return true;
  }
  [[noreturn]] void help() {
    core_watch watch;
    watch_ = &watch;
    for (growing_rest rest;;) {
      int number = 0;
      errand* const found = find(number);
      watch.start();
      found->work(number);
      found->inside.less(1);  // and then it may be gone
      if (watch.was_taken()) {
        const timespec time{.tv_sec = 0, .tv_nsec = static_cast<long>(rest.next(watch.began()))};
        nanosleep(&time, nullptr);
      }
    }
  }
  //! An errand that wants a helper, who is not on its caller's core if that can be: it goes to another one first, since
  //! it may wait there for its turn. Looks for the next one a while before it sleeps.
  errand* find(int& number) {
    for (bool has_left = false;;) {
      const unsigned seen = posts_.get();
      int core;
      {
        const hold held(*this);
        errand* const open = open_one();
        core = open && !has_left && open->core == this_core() ? open->core : no_core;
        if (open && core == no_core) return begin(open, number);
      }
      if (core != no_core) {
        leave_core(core);
        has_left = true;
      } else {
        has_left = false;
        look_and_sleep(seen);
      }
    }
  }
  void look_and_sleep(unsigned seen) {
    looking_.add(1);
    const long long end = core_watch::now() + looking_time;
    while (posts_.get() == seen && core_watch::now() < end) pause();
    looking_.add(-1);
    const hold held(*this);
    while (posts_.get() == seen) {
      sleeping_++;
      pthread_cond_wait(&posted_, &mutex_);
      sleeping_--;
    }
  }
  errand* open_one() const {
    errand* open = first_;
    while (open && open->free == 0) open = open->after;
    return open;
  }
  static errand* begin(errand* open, int& number) {
    open->free--;
    number = open->next++;
    open->inside.add(1);
    return open;
  }
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  static constexpr long long looking_time = 100'000;  // nanoseconds: waking takes as long
  long long woken_from_ = 0;                          // when helpers may be woken again
  growing_rest rest_;
  static inline thread_local const core_watch* watch_ = nullptr;  // of a helper
  static inline thread_local unsigned times_asked_ = 0;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t posted_ = PTHREAD_COND_INITIALIZER;
  errand* first_ = nullptr;
  atomic<unsigned> posts_{0};
  atomic<int> looking_{0};  // helpers between two errands that do not sleep yet
  int helpers_ = 0, sleeping_ = 0;
};
#endif

//! Should this thread take nothing more of what is shared out?
inline bool is_tired_helper() {
#if UPSWEEP_HAS_CREW
  return crew::is_tired();
#else
  return false;
#endif
}

//! Would a helper come at once?
inline bool helpers_are_awake() {
#if UPSWEEP_HAS_CREW
  return crew::instance().is_awake();
#else
  return false;
#endif
}

//! Calls work(number) on the caller's thread and on up to `threads` − 1 others, of which none needs to come.
inline void share_with_crew([[maybe_unused]] int threads, const function_view<int>& work) {
#if UPSWEEP_HAS_CREW
  const crew::caller here;
  if (threads > 1) return crew::instance().share(threads, work);
#endif
  work(0);
}

}  // namespace UPSWEEP_NAMESPACE::detail
