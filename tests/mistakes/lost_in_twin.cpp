// says: keys_out is a temporary, with which the result would be lost
#include <vector>

#include <upsweep/reduce.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> keys{1, 1, 2}, in{1, 2, 3};
  std::vector<int> sums(3);
  return static_cast<int>(upsweep::reduce_by_key(exec, keys, in, std::vector<int>(3), sums));
}
