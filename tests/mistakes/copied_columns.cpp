// says: out is a temporary, with which the result would be lost
#include <tuple>
#include <vector>

#include <upsweep/compaction.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> ids{1, 2, 3};
  const std::vector<float> weights{1, 2, 3};
  std::vector<int> ids_out(3);
  std::vector<float> weights_out(3);
  upsweep::copy_if(exec, upsweep::contiguous(ids, weights), std::make_tuple(ids_out, weights_out),
                   [](const auto& row) { return upsweep::get<1>(row) > 1; });
}
