// says: heads() would refer to a temporary
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  const auto segments = upsweep::heads(std::vector<char>{1, 0, 1});
  static_cast<void>(segments);
}
