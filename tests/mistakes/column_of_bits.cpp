// says: std::vector<bool> holds bits
#include <tuple>
#include <vector>

#include <upsweep/compaction.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> ids{1, 2, 3};
  const std::vector<bool> marked(3);
  std::vector<int> ids_out(3);
  std::vector<char> marked_out(3);
  upsweep::copy_if(exec, upsweep::contiguous(ids, marked), std::tie(ids_out, marked_out),
                   [](const auto& row) { return upsweep::get<1>(row); });
}
