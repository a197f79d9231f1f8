// says: no radix_key for this type: specialize it, or pass an extractor
#include <vector>

#include <upsweep/radix_sort.hpp>

struct order {
  int customer;
  double price;
};
int main() {
  upsweep::host exec;
  std::vector<order> orders(3);
  upsweep::radix_sort(exec, orders);
}
