// A sweep that scans nothing.
#pragma once
#include <upsweep/buffer.hpp>
#include <upsweep/scan.hpp>

namespace app {

struct lift_to_nothing {
  template <class Item>
  UPSWEEP_HD upsweep::nothing operator()(const Item&) const {
    return {};
  }
};
//! f(item) as a store of a sweep calls it.
template <class F>
struct of_item {
  F f;
  template <class Item>
  UPSWEEP_HD auto operator()(upsweep::index_t, const Item& item, upsweep::nothing, upsweep::nothing) const {
    return f(item);
  }
};

//! out[i] = f(item i of load), for all of out. Does not wait.
template <class Load, class T, class F>
void map(upsweep::any_executor& executor, const Load& load, upsweep::buffer<T>& out, const F& f) {
  upsweep::scan_then(executor, out.size(), load, lift_to_nothing{}, upsweep::nothing{},
                     upsweep::dense(out, of_item<F>{f}), upsweep::no_total{});
}

}  // namespace app
