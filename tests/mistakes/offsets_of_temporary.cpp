// says: offsets() would refer to a temporary
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  const auto segments = upsweep::offsets(std::vector{0, 2, 3});
  static_cast<void>(segments);
}
