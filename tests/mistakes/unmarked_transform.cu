// says: mark_this_function_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/transform.hpp>

struct twice {
  float operator()(float x) const { return 2 * x; }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<float> in(exec, 3), out(exec, 3);
  upsweep::transform(exec, upsweep::contiguous(in), out, twice{});
}
