// says: a function takes an item, f(item), or those of the columns in step, f(a, b, ...)
#include <tuple>
#include <vector>

#include <upsweep/compaction.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> ids{1, 2, 3};
  const std::vector<float> weights{1, 2, 3};
  std::vector<int> ids_out(3);
  std::vector<float> weights_out(3);
  upsweep::copy_if(exec, upsweep::contiguous(ids, weights), std::tie(ids_out, weights_out),
                   [](int, float, float) { return true; });
}
