// says: a function's address is a host's
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/reduce.hpp>

bool is_positive(float x) { return x > 0; }
int main() {
  upsweep::device exec;
  upsweep::buffer<float> in(exec, 3), out(exec, 3);
  upsweep::copy_if(exec, in, out, is_positive);
}
