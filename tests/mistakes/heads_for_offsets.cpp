// says: these arguments do not fit segmented_reduce(executor, in, offsets, out, monoid)
#include <vector>

#include <upsweep/reduce.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> in{1, 2, 3}, flags{1, 0, 1};
  std::vector<int> out(2);
  upsweep::segmented_reduce(exec, in, upsweep::heads(flags), out);
}
