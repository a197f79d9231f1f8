// Keeps the rows of a table whose weight is above a limit: ids, values and weights, three columns at once.
// The limit is a member of the predicate, since it is known at run time only.
#include <cstdio>
#include <random>
#include <tuple>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>

struct heavier_than {
  float limit;
  UPSWEEP_HD bool operator()(const upsweep::tuple<int, double, float>& row) const {
    return upsweep::get<2>(row) > limit;
  }
};

int main() {
  const int n = 100'000;
  std::mt19937 random(2);
  std::vector<int> ids(n);
  std::vector<double> values(n);
  std::vector<float> weights(n);
  for (int i = 0; i < n; i++) ids[i] = i, values[i] = i / 8., weights[i] = static_cast<float>(random() % 100);
  const float limit = 90;

  auto exec = upsweep::any_executor::named("auto");
  upsweep::buffer<int> all_ids(exec, ids), kept_ids(exec, n);
  upsweep::buffer<double> all_values(exec, values), kept_values(exec, n);
  upsweep::buffer<float> all_weights(exec, weights), kept_weights(exec, n);
  const auto kept = upsweep::copy_if(exec, upsweep::contiguous(all_ids, all_values, all_weights),
                                     std::tie(kept_ids, kept_values, kept_weights), heavier_than{limit});

  const auto found_ids = kept_ids.to_vector(exec);
  const auto found_values = kept_values.to_vector(exec);
  const auto found_weights = kept_weights.to_vector(exec);
  int k = 0;
  bool right = true;
  for (int i = 0; i < n; i++) {
    if (weights[i] <= limit) continue;
    right = right && k < kept && found_ids[k] == i && found_values[k] == values[i] && found_weights[k] == weights[i];
    k++;
  }
  right = right && k == kept;
  std::printf("%d of %d rows are heavier: %s\n", static_cast<int>(kept), n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
