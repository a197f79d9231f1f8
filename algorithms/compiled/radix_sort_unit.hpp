// The instances of radix sorts of keys of one type.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/radix_sort.hpp>

#include "radix_sort.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

inline radix_options options_of(const sort_request& request) {
  return {.order = request.options.descending ? sort_order::descending : sort_order::ascending,
          .begin_bit = request.options.begin_bit,
          .end_bit = request.options.end_bit};
}

template <class Key>
void sort_keys(const sort_request& request) {
  radix_sort(request.executor, items_of<Key>(request.keys_in), items_of<Key>(request.keys_out), options_of(request));
}
template <class Key, class V>
void sort_pairs(const sort_request& request) {
  radix_sort_by_key(request.executor, items_of<Key>(request.keys_in), items_of<V>(request.values_in),
                    items_of<Key>(request.keys_out), items_of<V>(request.values_out), options_of(request));
}

}  // namespace UPSWEEP_NAMESPACE::compiled
