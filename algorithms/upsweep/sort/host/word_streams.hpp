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

  //! Of words between these.
  word_streams(const vector_steps<Word>& steps, Word least, Word most) : steps_(steps), least_(least), most_(most) {}

  //! Eight, of equal parts of sorted samples, where one value is not more than that. False if that cannot be, as too
  //! many are equal.
  bool set_eight(const Word* samples, index_t n) {
    const index_t most_of_stream = (n - n / 16) / (most_streams - 1);
    set_count(most_streams);
    index_t before = 0;
    for (int s = 0; s < most_streams - 1; s++) {
      const index_t share = std::min((n - before) / (most_streams - s), most_of_stream);
      const Word wanted = samples[std::min(before + std::max<index_t>(share, 1), n) - 1];
      const auto [begin, end] = std::equal_range(samples + before, samples + n, wanted);
      const bool has_room = end - samples - before <= most_of_stream || lowest(s) == wanted;
      const bool all = has_room && wanted < most_;  // of this value
      bounds_[s] = all ? wanted : static_cast<Word>(wanted - 1);
      before = (all ? end : begin) - samples;
    }
    return n - before <= most_of_stream || is_counted(most_streams - 1);
  }
  void set_two(const Word* samples, index_t n) {
    const Word greatest = samples[n - 1], median = samples[n / 2 - 1];
    set_two(median == greatest && samples[0] < greatest ? static_cast<Word>(median - 1) : median);
  }
  void set_two(Word bound) {
    set_count(2);
    bounds_[0] = std::min(bound, static_cast<Word>(most_ - 1));
  }
  int count() const { return count_; }

  //! Splits n words until all are, or a stream is nearly as long as its share. Says how many it took.
  index_t place(index_t n, const word_maker<Word>& make, Word* first, Word* others) {
    set_shares(n, first, others);
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
    Word* end = begins_[0];
    for (int s = 0; s < count_; s++) {
      if (is_counted(s)) steps_.fill(end, size(s), lowest(s));
      else if (s > 0) std::memcpy(end, begins_[s], static_cast<std::size_t>(size(s)) * sizeof(Word));
      end += size(s);
    }
  }

  Word* begin(int s) const { return begins_[s]; }
  index_t size(int s) const { return counts_[s] + (at_[s] - begins_[s]); }
  //! Is there one value that its words can have? Then they are not kept.
  bool is_counted(int s) const { return lowest(s) == highest(s); }
  //! Words of a stream are between these.
  Word lowest(int s) const { return s == 0 ? least_ : static_cast<Word>(bounds_[s - 1] + 1); }
  Word highest(int s) const { return bounds_[s]; }

 private:
  static constexpr int most_streams = 8;
  static constexpr index_t at_once = 4096 / sizeof(Word);

  void set_count(int count) {
    count_ = count;
    bounds_[count - 1] = most_;
  }
  void set_shares(index_t n, Word* first, Word* others) {
    n_ = n;
    share_ = n / (count_ - 1);
    begins_[0] = first;
    for (int s = 1; s < count_; s++) begins_[s] = others + (s - 1) * share_;
    std::copy_n(begins_, count_, at_);
  }
  bool have_room() const {
    bool all = true;
    for (int s = 1; s < count_; s++) all &= at_[s] - begins_[s] + at_once <= share_;
    return all || share_ == n_;
  }
  void leave(int s, Word* end) {
    at_[s] = end;
    if (!is_counted(s)) return;
    counts_[s] += end - begins_[s];
    at_[s] = begins_[s];
  }
  // Among streams [first, first + Streams).
  template <int Streams>
  void split(const Word* words, index_t n, int first, Word (*halves)[2][at_once]) {
    const Word bound = bounds_[first + Streams / 2 - 1];
    if constexpr (Streams == 2) {
      const split_ends<Word> ends = steps_.split(words, n, bound, {at_[first], at_[first + 1]});
      leave(first, ends.lower);
      leave(first + 1, ends.upper);
    } else {
      Word *const lower = halves[0][0], *const upper = halves[0][1];
      const split_ends<Word> ends = steps_.split(words, n, bound, {lower, upper});
      split<Streams / 2>(lower, ends.lower - lower, first, halves + 1);
      split<Streams / 2>(upper, ends.upper - upper, first + Streams / 2, halves + 1);
    }
  }

  const vector_steps<Word>& steps_;
  index_t n_ = 0, share_ = 0;
  Word least_, most_;
  int count_ = 0;
  Word *begins_[most_streams] = {}, *at_[most_streams] = {};
  index_t counts_[most_streams] = {};
  Word bounds_[most_streams] = {};
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif
