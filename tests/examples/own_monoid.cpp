// The contiguous part of a row of numbers that has the largest sum, by a monoid of one's own: of a part it knows the
// sum, and the largest sums of its beginnings, of its ends and of any part of it; an empty part sums to 0.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/scan.hpp>

struct part {
  int total, beginning, end, best;
};
UPSWEEP_HD inline int larger(int a, int b) { return a < b ? b : a; }
struct part_of_one {  // lift
  UPSWEEP_HD part operator()(int x) const {
    const int best = larger(x, 0);
    return {x, best, best, best};
  }
};
struct joined {  // monoid
  using value_type = part;
  UPSWEEP_HD part identity() const { return {0, 0, 0, 0}; }
  UPSWEEP_HD part operator()(const part& a, const part& b) const {
    return {a.total + b.total, larger(a.beginning, a.total + b.beginning), larger(b.end, a.end + b.total),
            larger(larger(a.best, b.best), a.end + b.beginning)};
  }
};

int main() {
  const int n = 100'000;
  std::mt19937 random(5);
  std::vector<int> numbers(n);
  for (int& x : numbers) x = static_cast<int>(random() % 201) - 100;

  auto exec = upsweep::any_executor::named("auto");
  const upsweep::buffer<int> in(exec, numbers);
  const part found = upsweep::scan(exec, n, upsweep::contiguous(in), part_of_one{}, joined{}, upsweep::discard);

  int best = 0, here = 0;
  for (int x : numbers) {
    here = std::max(here + x, 0);
    best = std::max(best, here);
  }
  std::printf("the best part sums to %d, serially to %d\n", found.best, best);
  return found.best == best ? 0 : 1;
}
