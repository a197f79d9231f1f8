// says: view() would refer to a temporary
#include <upsweep/csr.hpp>

int main() {
  upsweep::host exec;
  const auto A = upsweep::csr_matrix<float>(exec, 2, 2, 2).view();
  static_cast<void>(A);
}
