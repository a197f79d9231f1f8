// Sum and mean of the values of each key, of pairs in no order: sorted by key, then runs of equal keys are reduced.
// Counts are the lengths of the same runs.
#include <cstdio>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/transform.hpp>

struct quotient {
  UPSWEEP_HD double operator()(const upsweep::tuple<long long, upsweep::index_t>& x) const {
    return static_cast<double>(upsweep::get<0>(x)) / static_cast<double>(upsweep::get<1>(x));
  }
};

int main() {
  const int n = 100'000;
  std::mt19937 random(3);
  std::vector<int> keys_in(n), values_in(n);
  for (int i = 0; i < n; i++) keys_in[i] = static_cast<int>(random() % 1000) * 7 - 50, values_in[i] = i;

  auto exec = upsweep::any_executor::named("auto");
  upsweep::buffer<int> keys(exec, keys_in), values(exec, values_in), groups(exec, n);
  upsweep::buffer<long long> sums(exec, n);
  upsweep::buffer<upsweep::index_t> counts(exec, n);
  upsweep::radix_sort_by_key(exec, keys, values);
  // pandas: one groupby(key).agg([sum, mean]); here sums and counts are two passes, since reduce_by_key has no lift.
  const auto found = upsweep::reduce_by_key(exec, keys, values, groups, sums, upsweep::plus<long long>{});
  upsweep::run_length_encode(exec, keys, groups, counts);
  upsweep::buffer<double> means(exec, found);  // as many as are to be computed: transform takes n from here
  upsweep::transform(exec, upsweep::contiguous(std::span(sums.data(), found), std::span(counts.data(), found)), means,
                     quotient{});

  std::map<int, std::pair<long long, int>> expected;
  for (int i = 0; i < n; i++) {
    expected[keys_in[i]].first += values_in[i];
    expected[keys_in[i]].second++;
  }
  const auto found_groups = groups.to_vector(exec);
  const auto found_sums = sums.to_vector(exec);
  const auto found_means = means.to_vector(exec);
  bool right = found == std::ssize(expected);
  for (std::size_t k = 0; const auto& [key, sum] : expected) {
    right = right && found_groups[k] == key && found_sums[k] == sum.first &&
            found_means[k] == static_cast<double>(sum.first) / sum.second;
    k++;
  }
  std::printf("%d keys: %s\n", static_cast<int>(found), right ? "right" : "wrong");
  return right ? 0 : 1;
}
