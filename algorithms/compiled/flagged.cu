// The C interface of compaction and partition by flags, and their instances: bytes are moved, whatever they mean.
#include <upsweep/c/compaction.h>
#include <upsweep/compaction.hpp>
#include <upsweep/config.hpp>
#include <upsweep/library/bytes.hpp>
#include <upsweep/partition.hpp>

#include "boundary.hpp"
#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

std::span<const std::uint8_t> flags_of(const upsweep_input& flags) {
  if (flags.type != UPSWEEP_UINT8) throw not_compiled("flags: only those of UPSWEEP_UINT8 are in the library");
  return items_of<std::uint8_t>(flags);
}

void copy_flagged_bytes(device& executor, const upsweep_input& in, const upsweep_input& flags,
                        const upsweep_output& out, index_t* count) {
  check_same_type(in, "in", out, "out");
  with_bytes(in.type, "in", [&]<class T>(std::type_identity<T>) {
    copy_flagged(executor, items_of<T>(in), flags_of(flags), items_of<T>(out), count);
  });
}
void partition_flagged_bytes(device& executor, const upsweep_input& in, const upsweep_input& flags,
                             const upsweep_output& selected, const upsweep_output& rejected, index_t* count) {
  check_same_type(in, "in", selected, "selected");
  check_same_type(in, "in", rejected, "rejected");
  with_bytes(in.type, "in", [&]<class T>(std::type_identity<T>) {
    partition_flagged(executor, items_of<T>(in), flags_of(flags), items_of<T>(selected), items_of<T>(rejected), count);
  });
}
void positions_of(device& executor, const upsweep_input& flags, const upsweep_output& indices, index_t* count) {
  with_index(indices.type, "indices", [&]<class T>(std::type_identity<T>) {
    detail::require(flags.size == 0 || detail::can_hold<T>(flags.size - 1), "indices",
                    ": its type cannot hold the position ", flags.size - 1);
    nonzero(executor, flags_of(flags), items_of<unit_type<T>>(indices), count);
  });
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_copy_flagged(upsweep_device* device, upsweep_input in, upsweep_input flags, upsweep_output out,
                         int64_t* count) {
  return guarded([&] { copy_flagged_bytes(executor_of(device), in, flags, out, count); });
}
int upsweep_partition_flagged(upsweep_device* device, upsweep_input in, upsweep_input flags, upsweep_output selected,
                              upsweep_output rejected, int64_t* count) {
  return guarded([&] { partition_flagged_bytes(executor_of(device), in, flags, selected, rejected, count); });
}
int upsweep_nonzero(upsweep_device* device, upsweep_input flags, upsweep_output indices, int64_t* count) {
  return guarded([&] { positions_of(executor_of(device), flags, indices, count); });
}

}  // extern "C"
