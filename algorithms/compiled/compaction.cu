// The C interface of compaction, partition and counts by comparisons, and of runs.
#include <upsweep/c/compaction.h>
#include <upsweep/c/search.h>

#include "boundary.hpp"
#include "compaction.hpp"

using namespace upsweep::compiled;
using upsweep::device;

namespace {

//! f(the type of a table, whose unit is unit_type of it)
template <class F>
int with_items(upsweep_device* handle, const upsweep_input& in, const F& f) {
  return guarded(
      [&] { with_type(in.type, "in", [&]<class T>(std::type_identity<T> type) { f(executor_of(handle), type); }); });
}

}  // namespace

extern "C" {

int upsweep_count_if(upsweep_device* handle, upsweep_input in, upsweep_interval interval, int64_t* count) {
  return with_items(handle, in, [&]<class T>(device& executor, std::type_identity<T>) {
    count_items(executor, items_of<unit_type<T>>(in), test_of<T>(interval), count);
  });
}
int upsweep_copy_if(upsweep_device* handle, upsweep_input in, upsweep_output out, upsweep_interval interval,
                    int64_t* count) {
  return with_items(handle, in, [&]<class T>(device& executor, std::type_identity<T>) {
    check_same_type(in, "in", out, "out");
    keep_items(executor, items_of<unit_type<T>>(in), items_of<unit_type<T>>(out), test_of<T>(interval), count);
  });
}
int upsweep_unique_copy(upsweep_device* handle, upsweep_input in, upsweep_output out, int64_t* count) {
  return with_items(handle, in, [&]<class T>(device& executor, std::type_identity<T>) {
    check_same_type(in, "in", out, "out");
    keep_firsts(executor, items_of<unit_type<T>>(in), items_of<unit_type<T>>(out), count);
  });
}
int upsweep_run_length_encode(upsweep_device* handle, upsweep_input in, upsweep_output values, upsweep_output lengths,
                              int64_t* count) {
  return with_items(handle, in, [&]<class T>(device& executor, std::type_identity<T>) {
    check_same_type(in, "in", values, "values");
    with_index(lengths.type, "lengths", [&]<class Length>(std::type_identity<Length>) {
      encode_runs(executor, items_of<unit_type<T>>(in), items_of<unit_type<T>>(values),
                  items_of<unit_type<Length>>(lengths), count);
    });
  });
}

int upsweep_partition_copy(upsweep_device* handle, upsweep_input in, upsweep_output selected, upsweep_output rejected,
                           upsweep_interval interval, int64_t* count) {
  return with_items(handle, in, [&]<class T>(device& executor, std::type_identity<T>) {
    check_same_type(in, "in", selected, "selected");
    check_same_type(in, "in", rejected, "rejected");
    part_items(executor, items_of<unit_type<T>>(in), items_of<unit_type<T>>(selected), items_of<unit_type<T>>(rejected),
               test_of<T>(interval), count);
  });
}
int upsweep_three_way_partition(upsweep_device* handle, upsweep_input in, upsweep_output out0, upsweep_output out1,
                                upsweep_output out2, upsweep_interval first, upsweep_interval second, int64_t* counts) {
  return with_items(handle, in, [&]<class T>(device& executor, std::type_identity<T>) {
    check_same_type(in, "in", out0, "out0");
    check_same_type(in, "in", out1, "out1");
    check_same_type(in, "in", out2, "out2");
    part_in_three(executor, items_of<unit_type<T>>(in), items_of<unit_type<T>>(out0), items_of<unit_type<T>>(out1),
                  items_of<unit_type<T>>(out2), test_of<T>(first), test_of<T>(second), counts);
  });
}
int upsweep_stable_partition_copy(upsweep_device* handle, upsweep_input in, upsweep_output out,
                                  upsweep_interval interval, int64_t* count) {
  return with_items(handle, in, [&]<class T>(device& executor, std::type_identity<T>) {
    check_same_type(in, "in", out, "out");
    part_into_one(executor, items_of<unit_type<T>>(in), items_of<unit_type<T>>(out), test_of<T>(interval), count);
  });
}
int upsweep_stable_partition(upsweep_device* handle, upsweep_output items, upsweep_interval interval, int64_t* count) {
  return guarded([&] {
    with_type(items.type, "items", [&]<class T>(std::type_identity<T>) {
      part_in_place(executor_of(handle), items_of<unit_type<T>>(items), test_of<T>(interval), count);
    });
  });
}

}  // extern "C"
