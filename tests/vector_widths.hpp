// For tests of a host: by all vectors that its processor has, and without.
#pragma once
#include <upsweep/host/versions.hpp>

namespace test {

//! Calls f() with vectors of each width up to the widest that there are.
template <class F>
void with_any_vectors(const F& f) {
#if UPSWEEP_X86_VERSIONS
  struct restored {  // whatever f() throws
    int& widest = upsweep::detail::widest_vectors();
    const int all = widest;
    ~restored() { widest = all; }
  } vectors;
  for (int bytes = 16; bytes <= vectors.all; bytes *= 2) {
    vectors.widest = bytes;
    f();
  }
#else
  f();
#endif
}

}  // namespace test
