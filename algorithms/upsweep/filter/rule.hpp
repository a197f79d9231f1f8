// The rule of a filter: s ↦ A·s + B·x with constant A and B, as what a sweep scans in place of a monoid.
//
// A run of items stands for one state: what it leaves behind when nothing stood before it. To put an earlier state in
// front of a run takes the power of A that spans the run, which depends on its length alone; so states are scanned
// alone, and the few powers are computed once. (Pairs of a matrix and a vector, the monoid of recurrences that change,
// carry all powers along and lose their digits: 1e-2 of the signal in float where this keeps 1e-7.)
//   R::size           entries of a state, K
//   R::order          entries of a section: A is lower triangular in squares of so many. While nothing comes into a
//                     section, entry k + 1 becomes entry k
//   r.advance(s, x)   takes the state s, an array of K, over the item x, which becomes the output; r.advance(s, x, f)
//                     knows that before section f all is 0
// Numbers are double, long double, twofold (twofold.hpp) or a vector.
#pragma once
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

template <class R>
concept filter_rule = R::size > 0 && R::size % R::order == 0 &&
                      requires(const R& r, double (&s)[R::size], double& x) { r.advance(s, x, 0); };

template <int K>
struct state_vector {
  double at[K];
};

}  // namespace UPSWEEP_NAMESPACE
