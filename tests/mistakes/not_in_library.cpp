// options: -DUPSWEEP_USE_LIBRARY
// says: compiled into the library upsweep::cuda. It has inclusive_scan, exclusive_scan (forward, reversed, rows,
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::device exec;
  upsweep::buffer<short> x(exec, std::vector<short>(3));
  upsweep::inclusive_scan(exec, x, x);
}
