// The C interface of sorts.
#include <upsweep/checks.hpp>

#include "boundary.hpp"
#include "radix_sort.hpp"
#include "table.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

//! f(the type of the unit, the request) for keys of any number's type. Without `out` nobody wants the keys.
template <class F>
void with_keys(sort_request request, const char* name, const F& f) {
  with_number(request.keys_in.type, name, [&]<class Key>(std::type_identity<Key>) {
    request.is_signed = std::is_integral_v<Key> && std::is_signed_v<Key>;
    f(std::type_identity<unit_type<Key>>{}, request);
  });
}
//! f(the type whose bytes are those of the values)
template <class F>
void with_values(const sort_request& request, const F& f) {
  check_same_type(request.values_in, "values_in", request.values_out, "values_out");
  with_bytes(request.values_in.type, "values_in", f);
}
//! f(an integer of the size of the offsets)
template <class F>
void with_offsets(const sort_request& request, const F& f) {
  with_index(request.offsets.type, "offsets",
             [&]<class T>(std::type_identity<T>) { f(std::type_identity<std::make_signed_t<T>>{}); });
}

void sort(const sort_request& asked) {
  check_same_type(asked.keys_in, "keys_in", asked.keys_out, "keys_out");
  with_keys(asked, "keys_in",
            []<class Key>(std::type_identity<Key>, const sort_request& request) { sort_keys<Key>(request); });
}
void sort_by_key(const sort_request& asked) {
  check_same_type(asked.keys_in, "keys_in", asked.keys_out, "keys_out");
  with_keys(asked, "keys_in", []<class Key>(std::type_identity<Key>, const sort_request& request) {
    with_values(request, [&]<class V>(std::type_identity<V>) { sort_pairs<Key, V>(request); });
  });
}
void argsort(const sort_request& asked) {
  const index_t n = asked.keys_in.size;
  with_index(asked.values_out.type, "indices", [&]<class Index>(std::type_identity<Index>) {
    detail::require(n == 0 || detail::can_hold<Index>(n - 1), "indices", ": its type cannot hold the position ", n - 1);
    with_keys(asked, "keys", []<class Key>(std::type_identity<Key>, const sort_request& request) {
      sort_indices<Key, unit_type<Index>>(request);
    });
  });
}
void sort_segments(const sort_request& asked) {
  check_same_type(asked.keys_in, "keys_in", asked.keys_out, "keys_out");
  with_keys(asked, "keys_in", []<class Key>(std::type_identity<Key>, const sort_request& request) {
    with_offsets(request,
                 [&]<class Offset>(std::type_identity<Offset>) { sort_keys_of_segments<Key, Offset>(request); });
  });
}
void sort_segments_by_key(const sort_request& asked) {
  check_same_type(asked.keys_in, "keys_in", asked.keys_out, "keys_out");
  with_keys(asked, "keys_in", []<class Key>(std::type_identity<Key>, const sort_request& request) {
    with_values(request, [&]<class V>(std::type_identity<V>) {
      with_offsets(request,
                   [&]<class Offset>(std::type_identity<Offset>) { sort_pairs_of_segments<Key, V, Offset>(request); });
    });
  });
}
//! Integers in their own order are keys; of floats both zeros are one.
void sort_numbers(const sort_request& asked) {
  check_same_type(asked.keys_in, "in", asked.keys_out, "out");
  with_keys(asked, "in", []<class T>(std::type_identity<T>, const sort_request& request) {
    if constexpr (std::is_floating_point_v<T>) sort_floats<T>(request);
    else sort_keys<T>(request);
  });
}

constexpr upsweep_radix_options by_all_bits{0, 0, -1};
upsweep_radix_options given(const upsweep_radix_options* options) { return options ? *options : by_all_bits; }

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_radix_sort(upsweep_device* device, upsweep_input keys_in, upsweep_output keys_out,
                       const upsweep_radix_options* options) {
  return guarded([&] { sort({executor_of(device), keys_in, {}, {}, keys_out, {}, given(options), false}); });
}
int upsweep_radix_sort_by_key(upsweep_device* device, upsweep_input keys_in, upsweep_input values_in,
                              upsweep_output keys_out, upsweep_output values_out,
                              const upsweep_radix_options* options) {
  return guarded([&] {
    sort_by_key({executor_of(device), keys_in, values_in, {}, keys_out, values_out, given(options), false});
  });
}
int upsweep_radix_argsort(upsweep_device* device, upsweep_input keys, upsweep_output indices,
                          const upsweep_radix_options* options) {
  return guarded([&] { argsort({executor_of(device), keys, {}, {}, {}, indices, given(options), false}); });
}
int upsweep_segmented_radix_sort(upsweep_device* device, upsweep_input keys_in, upsweep_input offsets,
                                 upsweep_output keys_out, const upsweep_radix_options* options) {
  return guarded([&] {
    sort_segments({executor_of(device), keys_in, {}, offsets, keys_out, {}, given(options), false});
  });
}
int upsweep_segmented_radix_sort_by_key(upsweep_device* device, upsweep_input keys_in, upsweep_input values_in,
                                        upsweep_input offsets, upsweep_output keys_out, upsweep_output values_out,
                                        const upsweep_radix_options* options) {
  return guarded([&] {
    sort_segments_by_key(
        {executor_of(device), keys_in, values_in, offsets, keys_out, values_out, given(options), false});
  });
}
int upsweep_quicksort(upsweep_device* device, upsweep_input in, upsweep_output out, int descending) {
  return guarded([&] {
    sort_numbers({executor_of(device), in, {}, {}, out, {}, {descending, 0, -1}, false, "in", "out"});
  });
}

}  // extern "C"
