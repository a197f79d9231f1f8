// Lanes and memory that count: a kernel's steps run on them, and each instruction's bank conflicts are added up.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! k banks and lanes, a power of two; an item takes 1, 2 or 4 words. Then half of the lanes, or a quarter of them, are
//! served at once, and the machine is one of k/2 or k/4 banks of items.
struct k_machine {
  int k = 32;
  int item_words = 1;
  int banks() const { return k / item_words; }
};

//! One access of each step's lanes, the first or a later one, added up over the steps of a sweep.
struct access_count {
  bool is_store = false;
  index_t time = 0;   // of the fullest banks
  index_t least = 0;  // of the time, were there no conflicts
  index_t lanes = 0;
};

}  // namespace UPSWEEP_NAMESPACE::classic

namespace UPSWEEP_NAMESPACE::detail {

//! Lanes in instructions of k, and memory that notes who accesses what.
class access_recorder {
 public:
  explicit access_recorder(const classic::k_machine& machine) : machine_(machine) {}

  template <class Step>
  void step(index_t count, const Step& f) {
    in_instructions(count, [&](index_t i) { f(i); });
  }
  template <class Step>
  void exchange(index_t count, const Step& f) {
    in_instructions(count, [&](index_t i) { f.write(i, f.read(i)); });
  }
  struct memory {
    access_recorder* recorder;
    nothing load(index_t slot) const {
      recorder->note(slot, false);
      return {};
    }
    void store(index_t slot, nothing) const { recorder->note(slot, true); }
  };
  const std::vector<classic::access_count>& counts() const { return counts_; }

 private:
  struct access {
    int lane;
    index_t slot;
  };

  template <class Lane>
  void in_instructions(index_t count, const Lane& call) {
    for (index_t first = 0; first < count; first += machine_.k) {
      for (lane_ = 0; lane_ < machine_.k && first + lane_ < count; lane_++) {
        at_ = 0;
        call(first + lane_);
      }
      for (std::size_t a = 0; a < noted_.size(); a++) serve(counts_[a], noted_[a]);
    }
  }
  void note(index_t slot, bool is_store) {
    if (at_ == noted_.size()) {
      noted_.emplace_back();
      counts_.push_back({.is_store = is_store});
    }
    noted_[at_++].push_back({lane_, slot});
  }
  //! One instruction. Its lanes are served in groups, each of which asks every bank for k words at most.
  void serve(classic::access_count& count, std::vector<access>& instruction) {
    const int banks = machine_.banks();
    count.lanes += std::ssize(instruction);
    for (auto from = instruction.begin(); from != instruction.end();) {
      const auto to =
          std::find_if(from, instruction.end(), [&](const access& a) { return a.lane / banks != from->lane / banks; });
      slots_.clear();
      for (; from != to; from++) slots_.push_back(from->slot);
      std::sort(slots_.begin(), slots_.end());  // lanes that want the same word get it together
      slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
      accesses_.assign(static_cast<std::size_t>(machine_.k), 0);
      for (const index_t slot : slots_)
        for (int word = 0; word < machine_.item_words; word++)
          accesses_[static_cast<std::size_t>((slot * machine_.item_words + word) % machine_.k)]++;
      count.time += *std::max_element(accesses_.begin(), accesses_.end());
      count.least++;
    }
    instruction.clear();
  }

  classic::k_machine machine_;
  int lane_ = 0;
  std::size_t at_ = 0;                      // how many accesses the lane has made in this step
  std::vector<std::vector<access>> noted_;  // the lanes' first accesses, their second ones, …
  std::vector<classic::access_count> counts_;
  std::vector<index_t> slots_, accesses_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
