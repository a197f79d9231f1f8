// says: contiguous(a, b) goes to std::tie(a_out, b_out)
#include <tuple>
#include <vector>

#include <upsweep/compaction.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> ids{1, 2, 3};
  const std::vector<double> values{1, 2, 3};
  const std::vector<float> weights{1, 2, 3};
  std::vector<int> ids_out(3);
  std::vector<double> values_out(3);
  upsweep::copy_if(exec, upsweep::contiguous(ids, values, weights), std::tie(ids_out, values_out),
                   [](const auto& row) { return upsweep::get<2>(row) > 1; });
}
