// Sorts records by customer, and within customers by price, the dearest first; equal ones keep their order in time.
// Two stable radix sorts, the minor key first; in Thrust one stable_sort by a comparator, which is quicksort here.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>

struct record {
  std::int64_t customer;
  double price;
  std::int64_t time;
  bool operator==(const record&) const = default;
};
struct customer_of {  // unsigned, as an extractor's result must be
  UPSWEEP_HD std::uint64_t operator()(const record& r) const {
    return upsweep::radix_key<std::int64_t>::image(r.customer);
  }
};
struct price_of {
  UPSWEEP_HD std::uint64_t operator()(const record& r) const { return upsweep::radix_key<double>::image(r.price); }
};
struct comes_before {
  UPSWEEP_HD bool operator()(const record& a, const record& b) const {
    return a.customer != b.customer ? a.customer < b.customer : a.price > b.price;
  }
};

int main() {
  std::mt19937 random(1);
  std::vector<record> sales(100'000);
  for (int time = 0; record & sale : sales) {
    const auto customer = static_cast<std::int64_t>(random() % 1000) - 500;
    sale = {customer, static_cast<double>(random() % 5000) / 100 - 10, time++};
  }

  auto exec = upsweep::any_executor::named("auto");
  upsweep::buffer<record> sorted(exec, sales), by_comparator(exec, sales);
  upsweep::radix_sort(exec, sorted, price_of{}, {.order = upsweep::sort_order::descending});
  upsweep::radix_sort(exec, sorted, customer_of{});
  upsweep::quicksort(exec, by_comparator, comes_before{});

  std::stable_sort(sales.begin(), sales.end(), comes_before{});
  const bool right = sorted.to_vector(exec) == sales && by_comparator.to_vector(exec) == sales;
  std::printf("%zu records sorted: %s\n", sales.size(), right ? "right" : "wrong");
  return right ? 0 : 1;
}
