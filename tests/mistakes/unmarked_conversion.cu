// says: mark_its_conversion_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/reduce.hpp>

struct item {
  int a;
  operator float() const { return static_cast<float>(a); }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<item> in(exec, 3);
  static_cast<void>(upsweep::reduce(exec, in, upsweep::plus<float>{}));
}
