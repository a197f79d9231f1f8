// says: csr_view would refer to a temporary
#include <vector>

#include <upsweep/csr.hpp>

int main() {
  const std::vector<int> offsets{0, 1, 2}, columns{0, 1};
  const upsweep::csr_view A(2, 2, offsets, columns, std::vector{1.f, 2.f});
  static_cast<void>(A);
}
