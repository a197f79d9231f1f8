// says: mark_its_sum_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/reduce.hpp>

struct value {
  int a;
  value operator+(const value& other) const { return {a + other.a}; }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<value> in(exec, 3);
  static_cast<void>(upsweep::reduce(exec, in));
}
