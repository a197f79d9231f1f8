// For tests of a host: by all vectors that its processor has, and without.
#pragma once
#include <upsweep/host/versions.hpp>

namespace test {

//! Calls f() with vectors of each width up to the widest that there are.
template <class F>
void with_any_vectors(const F& f) {
#if UPSWEEP_X86_VERSIONS
  int& widest = upsweep::detail::widest_vectors();
  const int all = widest;
  for (int bytes = 16; bytes <= all; bytes *= 2) {
    widest = bytes;
    f();
  }
  widest = all;
#else
  f();
#endif
}

}  // namespace test
