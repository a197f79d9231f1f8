// says: mark_this_function_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/transform.hpp>

struct twice {
  float operator()(float inclusive) const { return 2 * inclusive; }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<float> in(exec, 3), out(exec, 3);
  upsweep::scan(exec, 3, upsweep::contiguous(in), upsweep::lift_to<float>{}, upsweep::plus<float>{},
                upsweep::dense(out, twice{}), upsweep::no_total);
}
