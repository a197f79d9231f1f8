// options: -DUPSWEEP_USE_LIBRARY
// says: compiled into the library upsweep::cuda. It has quicksort of numbers of type bool int8
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/quicksort.hpp>

int main() {
  upsweep::device exec;
  upsweep::buffer<int> x(exec, std::vector<int>(3));
  upsweep::quicksort(exec, x, [](int a, int b) { return a % 10 < b % 10; });
}
