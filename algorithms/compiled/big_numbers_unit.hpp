// The instances of sums and differences of big numbers.
#pragma once
#include <span>

#include <upsweep/big_numbers.hpp>
#include <upsweep/config.hpp>

#include "big_numbers.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

template <class Limb, class... Carried>
void combine_limbs_into(device& executor, const limb_request& request, const Carried&... carried) {
  const std::span<const Limb> a = items_of<Limb>(request.a), b = items_of<Limb>(request.b);
  const std::span<Limb> out = items_of<Limb>(request.out);
  switch (request.operation) {
    case limb_operation::add:
      return big_add(executor, a, b, out, carried...);
    case limb_operation::subtract:
      return big_subtract(executor, a, b, out, carried...);
    case limb_operation::negate:
      return big_negate(executor, a, out, carried...);
  }
}
template <class Limb>
void combine_limbs(device& executor, const limb_request& request) {
  const index_t length = request.length;
  if (length == 0) return combine_limbs_into<Limb>(executor, request, request.carried);
  const std::span carried(request.carried, length < 0 ? 0 : static_cast<std::size_t>(request.out.size / length));
  combine_limbs_into<Limb>(executor, request, carried, rows(length));
}

}  // namespace UPSWEEP_NAMESPACE::compiled
