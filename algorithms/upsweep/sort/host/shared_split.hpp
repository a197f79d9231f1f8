// Cuts words into pieces that threads sort by themselves (vector_sort.hpp): the first split is made by all of them,
// into eight streams where there are many words: 2^22 of 4 bytes, and 2^21 of 8, take two threads 9.1 and 8.8 ms so, by
// halves 10.3 and 10.3. Of nearly sorted ones, 11.4 and 11.3, each thread has a few streams alone, which soon have no
// room. (An Intel Xeon with AVX-512, L2 2 MiB, 2026-11-26.)
#pragma once
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/host/crew.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/sort/host/shell_sort.hpp>
#include <upsweep/sort/host/vector_sort.hpp>
#include <upsweep/sort/host/word_streams.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

template <class Word>
class shared_split {
 public:
  using sorter = vector_sort<Word>;
  using piece = typename sorter::piece;

  shared_split(const sorter& of, int threads) : sorter_(of), threads_(threads) {}

  //! Makes all words, in their place, and where that can be in pieces of one stream each. False, and nothing done, if
  //! too many are equal.
  bool make_streams(const piece& whole, const word_maker<Word>& make, std::vector<piece>& pieces) const {
    auto sampled = sorter_.streams_of(whole);
    if (!sorter_.set_bounds(sampled, whole, make, false)) return false;
    std::vector<word_streams<Word>> streams(static_cast<std::size_t>(threads_), sampled);
    const auto begin = [&](index_t thread) { return whole.n * thread / threads_; };
    std::vector<index_t> placed(streams.size());
    const auto for_each = [&](const function_view<index_t, word_streams<Word>&, index_t&>& f) {
      share_out(threads_, threads_, [&](index_t thread) {
        f(thread, streams[static_cast<std::size_t>(thread)], placed[static_cast<std::size_t>(thread)]);
      });
    };
    for_each([&](index_t thread, word_streams<Word>& own, index_t& count) {
      const index_t first = begin(thread);
      const auto make_own = [&](index_t i, index_t some, Word* to) { make(first + i, some, to); };
      count = own.place(begin(thread + 1) - first, make_own, whole.words + first, whole.other + first);
    });
    if (std::accumulate(placed.begin(), placed.end(), index_t{0}) == whole.n) {
      put_together(whole, streams, pieces);
    } else {
      for_each([&](index_t thread, word_streams<Word>& own, index_t& count) {
        const index_t first = begin(thread) + count, end = begin(thread + 1);
        own.join();
        make(first, end - first, whole.words + first);
      });
    }
    return true;
  }

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
    put_largest_first(pieces);
    return pieces;
  }

 private:
  // The first streams, which stand among the words, before the others come there.
  void put_together(const piece& whole, const std::vector<word_streams<Word>>& streams,
                    std::vector<piece>& pieces) const {
    const int count = streams[0].count();
    std::vector<Word*> to;  // stream by stream
    Word* end = whole.words;
    for (int s = 0; s < count; s++) {
      piece one = whole;
      one.words = end;
      one.other = whole.other + (end - whole.words);
      one.least = streams[0].lowest(s);
      one.most = streams[0].highest(s);
      for (const auto& own : streams) {
        to.push_back(end);
        end += own.size(s);
      }
      one.n = end - one.words;
      pieces.push_back(one);
    }
    const auto move = [&](int s, std::size_t thread) {
      const auto& own = streams[thread];
      if (own.is_counted(s)) return;
      std::memmove(to[static_cast<std::size_t>(s) * streams.size() + thread], own.begin(s),
                   static_cast<std::size_t>(own.size(s)) * sizeof(Word));
    };
    for (std::size_t thread = 1; thread < streams.size(); thread++) move(0, thread);
    share_out(threads_, static_cast<index_t>(streams.size()) * (count - 1), [&](index_t k) {
      move(static_cast<int>(k % (count - 1)) + 1, static_cast<std::size_t>(k / (count - 1)));
    });
    put_largest_first(pieces);
  }
  static void put_largest_first(std::vector<piece>& pieces) {
    shell_sort(pieces, pieces.size(), [](const piece& a, const piece& b) { return a.n > b.n; });
  }
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
