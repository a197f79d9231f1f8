// says: mark_this_function_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/radix_sort.hpp>

struct order {
  unsigned customer;
  float price;
};
struct customer_of {
  unsigned operator()(const order& item) const { return item.customer; }
};
int main() {
  auto exec = upsweep::any_executor::named("auto");
  upsweep::buffer<order> orders(exec, 3);
  upsweep::radix_sort(exec, orders, customer_of{});
}
