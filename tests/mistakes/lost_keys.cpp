// says: keys is a temporary, with which the result would be lost
#include <array>

#include <upsweep/radix_sort.hpp>

int main() {
  upsweep::host exec;
  upsweep::radix_sort(exec, std::array{3u, 1u, 2u});
}
