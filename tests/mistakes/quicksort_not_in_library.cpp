// options: -DUPSWEEP_USE_LIBRARY
// says: compiled into the library upsweep::cuda. It has no quicksort. Compile this file by nvcc
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/quicksort.hpp>

int main() {
  upsweep::device exec;
  upsweep::buffer<int> x(exec, std::vector<int>(3));
  upsweep::quicksort(exec, x);
}
