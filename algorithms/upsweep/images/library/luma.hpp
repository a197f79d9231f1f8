// Equalization of luma as it is compiled into upsweep::cuda: a backend beside those of host/ and cuda/.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/images/level_table.hpp>
#include <upsweep/images/library/pixels.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <int Channels>
void equalize_luma_of(device& executor, const pixels<const std::uint8_t>& in, const pixels<std::uint8_t>& out,
                      equalize_mode mode) {
  library::check(upsweep_equalize_luma(executor.handle(), library::image_of(in), library::image_to(out), Channels,
                                       static_cast<int>(mode)));
}

}  // namespace UPSWEEP_NAMESPACE::detail
