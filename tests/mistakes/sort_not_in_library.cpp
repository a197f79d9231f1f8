// options: -DUPSWEEP_USE_LIBRARY
// says: compiled into the library upsweep::cuda. It has radix_sort, radix_sort_by_key, radix_argsort,
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/radix_sort.hpp>

int main() {
  upsweep::any_executor exec = upsweep::any_executor::named("auto");
  upsweep::buffer<int> x(exec, std::vector<int>(3));
  upsweep::buffer<short> beside(exec, 3);
  upsweep::radix_sort_by_key(exec, x, beside);
}
