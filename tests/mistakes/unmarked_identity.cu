// says: mark_its_identity_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/transform.hpp>

struct sum {
  using value_type = float;
  float identity() const { return 0; }
  UPSWEEP_HD float operator()(float a, float b) const { return a + b; }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<float> in(exec, 3), out(exec, 3);
  upsweep::inclusive_scan(exec, in, out, sum{});
}
