// says: a store's function is f(inclusive), f(item, inclusive)
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  upsweep::scan(exec, 3, upsweep::contiguous(in), upsweep::lift_to<int>{}, upsweep::plus<int>{},
                upsweep::dense(out, [](int, int, int, int, int) { return 0; }), upsweep::no_total);
}
