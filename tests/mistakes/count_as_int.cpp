// says: with a pointer of type index_t* behind for the number of runs
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  int count = 0;
  upsweep::reduce_by_key(exec, in, in, out, out, &count);
}
