// What is timed against what.
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/config.hpp>

namespace bench {

//! One way to do a row's work: a call that can be repeated.
struct contender {
  std::string name;
  std::function<void()> call;
  double preparation = 0;  // seconds that it took once before, outside all timing
  bool apart = false;      // its results are in memory of its own, and are not compared: it rounds otherwise
};
//! Seconds: a call this long is not repeated to warm up.
inline constexpr double long_call = 0.1;

//! A row's work on data that is ready: ours, and its peers. A contender whose name begins with "upsweep" is ours in
//! another way, no peer.
struct trial {
  std::function<void()> ours;
  std::vector<contender> peers;        // only rows of `large`, `more` and `small` may have none
  std::function<double()> bytes;       // each input byte once and each output byte once; asked for after a first call
  std::function<std::string()> check;  // compares ours with a peer that has just run, or what is known: what is wrong
  bool same_bits = false;              // ours promises the same bits in every call; a hundred are compared
  std::function<void()> roughen = {};  // before that: fills inputs whose sums are exact with numbers that are rounded
  std::function<double()> rms_error = {};  // of ours, over the rms of what is right; or nothing
  upsweep::index_t items = 0;              // 0: as many as the maker was asked for
  upsweep::index_t works = 1;              // that a call of ours or a peer's does in turn, each on data of its own
};

//! Equal, or for numbers no further apart than `tolerance`.
template <class T, class U>
UPSWEEP_HD bool close(T a, U b, double tolerance) {
  if constexpr (std::is_arithmetic_v<T>) {
    if (std::is_integral_v<T> && tolerance == 0) return a == b;  // of 64 bits too, which a double does not hold
    const double distance = static_cast<double>(a) - static_cast<double>(b);
    return distance <= tolerance && -distance <= tolerance;
  } else {
    return a == b;
  }
}

}  // namespace bench
