// The instances of scans and reductions of segments, of items of one type.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>

#include "monoids.hpp"
#include "segments.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! f(type of the items, monoid, direction)
template <class Unit, class F>
void with_instance_and_way(const segments_request& request, const F& f) {
  with_instance_of_unit<Unit, scans>(request.in.type, request.monoid, [&](auto items, const auto& m) {
    if (request.reversed) f(items, m, reversed);
    else f(items, m, forward);
  });
}
//! f(std::span<const Offset>)
template <class F>
void with_offsets(const upsweep_input& offsets, const F& f) {
#define UPSWEEP_ROW(offset, name) \
  if (offsets.type == library::type_code<offset>) return f(items_of<offset>(offsets));
  UPSWEEP_LIBRARY_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("offsets: type " + std::to_string(offsets.type) + " is not in the library");
}
//! f(std::type_identity<Key>), of keys whose size is that of this type.
template <class F>
void with_key(int type, const F& f) {
  with_type(type, "keys", [&]<class T>(std::type_identity<T>) {
#define UPSWEEP_ROW(key, bytes) \
  if constexpr (std::is_integral_v<T> && sizeof(T) == sizeof(key)) return f(std::type_identity<key>{});
    UPSWEEP_LIBRARY_KEYS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
    if constexpr (!library::is_key<T>()) throw not_compiled("keys: they must be integers");
  });
}

template <class Unit, class Segments>
void scan_segments(const segments_request& request, const Segments& segments) {
  with_instance_and_way<Unit>(request, [&]<class T>(std::type_identity<T>, const auto& m, const auto& along) {
    const std::span<const T> in = items_of<T>(request.in);
    const std::span<T> out = items_of<T>(request.out);
    if (request.exclusive) exclusive_segmented_scan(request.executor, in, segments, out, m, along);
    else inclusive_segmented_scan(request.executor, in, segments, out, m, along);
  });
}
template <class Unit>
void scan_by_heads(const segments_request& request) {
  const std::span<const std::uint8_t> flags = items_of<std::uint8_t>(request.marks);
  scan_segments<Unit>(request, heads(flags));
}
template <class Unit>
void scan_by_offsets(const segments_request& request) {
  with_offsets(request.marks, [&](const auto& positions) { scan_segments<Unit>(request, offsets(positions)); });
}
template <class Unit>
void scan_by_keys(const segments_request& request) {
  with_key(request.marks.type, [&]<class Key>(std::type_identity<Key>) {
    const std::span<const Key> keys = items_of<Key>(request.marks);
    with_instance_and_way<Unit>(request, [&]<class T>(std::type_identity<T>, const auto& m, const auto& along) {
      const std::span<const T> in = items_of<T>(request.in);
      const std::span<T> out = items_of<T>(request.out);
      if (request.exclusive) exclusive_scan_by_key(request.executor, keys, in, out, m, along);
      else inclusive_scan_by_key(request.executor, keys, in, out, m, along);
    });
  });
}

template <class Unit>
void reduce_segments(device& executor, const upsweep_input& in, const upsweep_input& offsets, const upsweep_output& out,
                     int monoid) {
  with_offsets(offsets, [&](const auto& positions) {
    const auto fold = [&]<class T>(std::type_identity<T>, const auto& m) {
      const std::span<T> to = items_of<T>(out);
      segmented_reduce(executor, items_of<T>(in), positions, to, m);
    };
    with_instance_of_unit<Unit, segment_reductions>(in.type, monoid, fold);
  });
}

template <class Unit>
void reduce_runs(const runs_request& request) {
  with_key(request.keys.type, [&]<class Key>(std::type_identity<Key>) {
    const std::span<Key> keys_out = items_of<Key>(request.keys_out);
    with_instance_of_unit<Unit, segment_reductions>(
        request.in.type, request.monoid, [&]<class T>(std::type_identity<T>, const auto& m) {
          const std::span<T> out = items_of<T>(request.out);
          reduce_by_key(request.executor, items_of<Key>(request.keys), items_of<T>(request.in), keys_out, out, m,
                        request.count);
        });
  });
}

}  // namespace UPSWEEP_NAMESPACE::compiled
