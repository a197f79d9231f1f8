// says: mark_this_function_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/transform.hpp>

struct is_positive {
  bool operator()(float x) const { return x > 0; }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<float> in(exec, 3), out(exec, 3);
  upsweep::copy_if(exec, in, out, is_positive{});
}
