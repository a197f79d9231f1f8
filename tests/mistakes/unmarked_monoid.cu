// says: mark_this_function_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/transform.hpp>

struct larger {
  float operator()(float a, float b) const { return a < b ? b : a; }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<float> in(exec, 3), out(exec, 3);
  upsweep::inclusive_scan(exec, in, out, upsweep::make_monoid(larger{}, 0.f));
}
