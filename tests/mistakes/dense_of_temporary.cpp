// says: range is a temporary, with which the result would be lost
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  const auto store = upsweep::dense(std::vector<int>(3));
  static_cast<void>(store);
}
