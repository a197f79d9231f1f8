// says: mark_its_order_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/reduce.hpp>

struct key {
  int a;
  bool operator<(const key& other) const { return a < other.a; }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<key> in(exec, 3);
  upsweep::quicksort(exec, in);
}
