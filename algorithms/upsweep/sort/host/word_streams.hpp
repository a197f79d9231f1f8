// The first split of words that no near cache holds: into eight streams in one pass through memory, where halves would
// take three. What is read is split in the nearest cache, by halves, and leaves it at last. Into two streams where too
// many are equal.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/host/crew.hpp>
#include <upsweep/sort/host/vector_steps.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! make(i, count, to) writes words [i, i + count).
template <class Word>
using word_maker = function_view<index_t, index_t, Word*>;

//! The first stream goes to the beginning of one buffer, where words may still come from; the others to equal shares of
//! another one.
template <class Word>
class word_streams {
 public:
  static constexpr index_t most_samples = 8192;

  //! Of n words between these.
  word_streams(const vector_steps<Word>& steps, index_t n, Word least, Word most, Word* first, Word* others)
      : steps_(steps), n_(n), least_(least), most_(most) {
    begins_[0] = first;
    begins_[1] = others;
  }

  //! Eight, of equal parts of sorted samples. False if that cannot be, as too many are equal.
  bool set_eight(const Word* samples, index_t n) {
    index_t before = 0;
    for (int s = 0; s < most_streams; s++) {
      const bool is_last = s == most_streams - 1;
      if (!is_last) bounds_[s] = bound_at(samples, n, n * (s + 1) / most_streams);
      const index_t upto = is_last ? n : std::upper_bound(samples, samples + n, bounds_[s]) - samples;
      if ((upto - before) * (most_streams - 1) > n - n / 16) return false;
      before = upto;
    }
    set_shares(most_streams, n_ / (most_streams - 1));
    return true;
  }
  void set_two(const Word* samples, index_t n) {
    bounds_[0] = bound_at(samples, n, n / 2);
    set_shares(2, n_);
  }
  int count() const { return count_; }

  //! Splits words until all are, or a stream is nearly as long as its share. Says how many it took.
  index_t place(const word_maker<Word>& make) {
    Word some[at_once], halves[2][2][at_once];
    index_t i = 0;
    while (i < n_ && have_room()) {
      const index_t taken = std::min(at_once, n_ - i);
      make(i, taken, some);
      if (count_ == 2) split<2>(some, taken, 0, halves);
      else split<most_streams>(some, taken, 0, halves);
      i += taken;
    }
    return i;
  }
  //! Puts all streams behind the first.
  void join() const {
    Word* end = at_[0];
    for (int s = 1; s < count_; s++) {
      std::memcpy(end, begins_[s], static_cast<std::size_t>(size(s)) * sizeof(Word));
      end += size(s);
    }
  }

  Word* begin(int s) const { return begins_[s]; }
  index_t size(int s) const { return at_[s] - begins_[s]; }
  //! Words of a stream are between these.
  Word lowest(int s) const { return s == 0 ? least_ : static_cast<Word>(bounds_[s - 1] + 1); }
  Word highest(int s) const { return s == count_ - 1 ? most_ : bounds_[s]; }

 private:
  static constexpr int most_streams = 8;
  static constexpr index_t at_once = 4096 / sizeof(Word);

  // Less than the maximum, so that the next stream's least is a word, and than the greatest sample if some are.
  Word bound_at(const Word* samples, index_t n, index_t i) const {
    const Word greatest = samples[n - 1], found = samples[i - 1];
    const bool splits_nothing = found == most_ || (found == greatest && samples[0] < greatest);
    return splits_nothing ? static_cast<Word>(found - 1) : found;
  }
  void set_shares(int count, index_t share) {
    count_ = count;
    share_ = share;
    for (int s = 1; s < count; s++) begins_[s] = begins_[1] + (s - 1) * share;
    std::copy_n(begins_, count, at_);
  }
  bool have_room() const {
    bool all = true;
    for (int s = 1; s < count_; s++) all &= size(s) + at_once <= share_;
    return all || share_ == n_;
  }
  // Among streams [first, first + Streams).
  template <int Streams>
  void split(const Word* words, index_t n, int first, Word (*halves)[2][at_once]) {
    const Word bound = bounds_[first + Streams / 2 - 1];
    if constexpr (Streams == 2) {
      const split_ends<Word> ends = steps_.split(words, n, bound, {at_[first], at_[first + 1]});
      at_[first] = ends.lower;
      at_[first + 1] = ends.upper;
    } else {
      Word *const lower = halves[0][0], *const upper = halves[0][1];
      const split_ends<Word> ends = steps_.split(words, n, bound, {lower, upper});
      split<Streams / 2>(lower, ends.lower - lower, first, halves + 1);
      split<Streams / 2>(upper, ends.upper - upper, first + Streams / 2, halves + 1);
    }
  }

  const vector_steps<Word>& steps_;
  index_t n_, share_ = 0;
  Word least_, most_;
  int count_ = 0;
  Word *begins_[most_streams] = {}, *at_[most_streams] = {};
  Word bounds_[most_streams - 1] = {};
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif
