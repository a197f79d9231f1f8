// options: -DUPSWEEP_USE_LIBRARY
// says: compiled into the library upsweep::cuda. It has, for one range of items of type int32
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>

int main() {
  upsweep::device exec;
  upsweep::buffer<int> x(exec, std::vector<int>(3)), y(exec, 3);
  upsweep::copy_if(exec, x, y, [](int a) { return a % 2 == 0; });
}
