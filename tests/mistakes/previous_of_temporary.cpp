// says: with_previous() would refer to a temporary
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  const auto load = upsweep::with_previous(std::vector{1.f, 2.f});
  static_cast<void>(load);
}
