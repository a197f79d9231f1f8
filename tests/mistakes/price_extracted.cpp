// says: an extractor returns an unsigned integer of 8 to 64 bits
#include <vector>

#include <upsweep/radix_sort.hpp>

struct order {
  int customer;
  double price;
};
int main() {
  upsweep::host exec;
  std::vector<order> orders(3);
  upsweep::radix_sort(exec, orders, [](const order& item) { return item.price; });
}
