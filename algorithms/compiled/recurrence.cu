// The C interface of recurrences.
#include <upsweep/recurrence/library/numbers.hpp>

#include "boundary.hpp"
#include "recurrence.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

void check_types(const upsweep_recurrence& r) {
  const auto check = [&](int type, const char* name, bool may_be_missing) {
    if (type != r.x.type && !(may_be_missing && type == 0))
      throw not_compiled(std::string(name) + ": its type is not that of x");
  };
  check(r.a1.type, "a1", false);
  check(r.a2.type, "a2", true);
  check(r.b.type, "b", false);
  check(r.before_each.type, "before_each", true);
}
template <class T, int Order>
void recur(device& executor, const upsweep_recurrence& r) {
  if (r.offsets.type == 0) return recur_in_rows<T, Order>(executor, r);
  detail::require(r.along.row_length == 0 && !r.along.reversed, "offsets", "are given with rows or a direction");
  recur_in_segments<T, Order>(executor, r);
}
void recur_by_types(device& executor, const upsweep_recurrence& r) {
  check_types(r);
#define UPSWEEP_ROW(T, name) \
  if (r.x.type == library::type_code<T>) return r.a2.type ? recur<T, 2>(executor, r) : recur<T, 1>(executor, r);
  UPSWEEP_LIBRARY_RECURRENCES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("x: recurrences of type " + std::to_string(r.x.type) + " are not in the library");
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" int upsweep_linear_recurrence(upsweep_device* device, const upsweep_recurrence* recurrence) {
  return guarded([&] {
    upsweep::detail::require(recurrence != nullptr, "recurrence", "is a null pointer");
    recur_by_types(executor_of(device), *recurrence);
  });
}
