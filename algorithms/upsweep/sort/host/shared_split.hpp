// Cuts words into pieces that threads sort by themselves (vector_sort.hpp): the first split is made by all of them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/sort/host/vector_sort.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

template <class Word>
class shared_split {
 public:
  using sorter = vector_sort<Word>;
  using piece = typename sorter::piece;

  shared_split(const sorter& of, int threads) : sorter_(of), threads_(threads) {}

  //! At least so many pieces, the largest first; the last ones may be empty.
  std::vector<piece> pieces_of(const piece& whole, std::size_t wanted) const {
    std::vector<piece> pieces{whole};
    while (pieces.size() < wanted) {
      const std::size_t count = pieces.size();
      pieces.resize(2 * count);
      if (count == 1) split_together(pieces.data());
      else
        share_out(threads_, static_cast<index_t>(count), [&](index_t k) {
          piece* const front = pieces.data() + k;
          split_alone(front, front + count);
        });
    }
    std::sort(pieces.begin(), pieces.end(), [](const piece& a, const piece& b) { return a.n > b.n; });
    return pieces;
  }

 private:
  void split_alone(piece* front, piece* back) const {
    const auto [lower, upper] = sorter_.split_in_two(*front);
    *front = lower;
    *back = upper;
  }
  // Each thread leaves both kinds at its place in either buffer; then both are moved together.
  void split_together(piece* pieces) const {
    const piece whole = pieces[0];
    if (!sorter_.is_worth_splitting(whole)) return split_alone(pieces, pieces + 1);
    const Word pivot = sorter_.pivot_of(whole);
    const auto begin = [&](index_t thread) { return whole.n * thread / threads_; };
    std::vector<index_t> lower(static_cast<std::size_t>(threads_));
    share_out(threads_, threads_, [&](index_t thread) {
      lower[static_cast<std::size_t>(thread)] = sorter_.split(whole, pivot, begin(thread), begin(thread + 1));
    });
    share_out(threads_, 2, [&](index_t side) {
      Word* const buffer = side == 0 ? whole.sorted() : whole.unsorted();
      index_t sum = 0;
      for (index_t thread = 0; thread < threads_; thread++) {
        const index_t below = lower[static_cast<std::size_t>(thread)];
        const index_t count = side == 0 ? below : begin(thread + 1) - begin(thread) - below;
        std::memmove(buffer + sum, buffer + begin(thread), static_cast<std::size_t>(count) * sizeof(Word));
        sum += count;
      }
    });
    const auto [front, back] = sorter::parts_of(whole, pivot, std::accumulate(lower.begin(), lower.end(), index_t{0}));
    pieces[0] = front;
    pieces[1] = back;
  }

  const sorter& sorter_;
  int threads_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif
