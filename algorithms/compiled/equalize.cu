// The C interface of equalization and tables of levels, and their instances.
#include <upsweep/equalize.hpp>
#include <upsweep/images/library/table_entries.hpp>

#include "boundary.hpp"
#include "images.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

template <class T>
void apply_by_entries(device& executor, const upsweep_image_input& in, const upsweep_input& table,
                      const upsweep_image_output& out) {
#define UPSWEEP_ROW(U, bytes)              \
  if (table.type == library::item_code<U>) \
    return apply_table(executor, image_of<T>(in), items_of<U>(table), image_of<U>(out));
  UPSWEEP_LIBRARY_TABLE_ENTRIES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("table: its type is not that of an unsigned integer");
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_equalize_histogram(upsweep_device* device, upsweep_image_input in, upsweep_image_output out, int mode) {
  return guarded([&] {
    check_same_type(in.pixels, "in", out.pixels, "out");
    with_levels(in.pixels.type, "in", [&]<class T>(std::type_identity<T>) {
      upsweep::equalize_histogram(executor_of(device), image_of<T>(in), image_of<T>(out),
                                  static_cast<upsweep::equalize_mode>(mode));
    });
  });
}
int upsweep_equalization_table(upsweep_device* device, upsweep_image_input in, const upsweep_image_input* mask,
                               upsweep_output table, int mode) {
  return guarded([&] {
    check_same_type(in.pixels, "in", table, "table");
    with_levels(in.pixels.type, "in", [&]<class T>(std::type_identity<T>) {
      with_mask<T>(in, mask, [&](const auto& counted) {
        upsweep::equalization_table(executor_of(device), counted, items_of<T>(table),
                                    static_cast<upsweep::equalize_mode>(mode));
      });
    });
  });
}
int upsweep_apply_table(upsweep_device* device, upsweep_image_input in, upsweep_input table, upsweep_image_output out) {
  return guarded([&] {
    check_same_type(out.pixels, "out", table, "table");
    with_levels(in.pixels.type, "in",
                [&]<class T>(std::type_identity<T>) { apply_by_entries<T>(executor_of(device), in, table, out); });
  });
}
int upsweep_match_histogram(upsweep_device* device, upsweep_image_input in, upsweep_image_input reference,
                            upsweep_image_output out) {
  return guarded([&] {
    check_same_type(in.pixels, "in", reference.pixels, "reference");
    check_same_type(in.pixels, "in", out.pixels, "out");
    with_levels(in.pixels.type, "in", [&]<class T>(std::type_identity<T>) {
      upsweep::match_histogram(executor_of(device), image_of<T>(in), image_of<T>(reference), image_of<T>(out));
    });
  });
}

}  // extern "C"
