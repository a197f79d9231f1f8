// says: of which A is a csr_view, a csr_matrix, a plan
#include <vector>

#include <upsweep/spmv.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> offsets{0, 1, 2}, columns{0, 1};
  const std::vector<float> values{1, 1}, x{1, 2};
  std::vector<float> y(2);
  upsweep::spmv(exec, offsets, columns, values, x, y);
}
