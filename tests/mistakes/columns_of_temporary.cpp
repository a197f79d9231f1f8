// says: contiguous() would refer to a temporary
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  const std::vector<int> ids{1, 2};
  const auto load = upsweep::contiguous(ids, std::vector{1.f, 2.f});
  static_cast<void>(load);
}
