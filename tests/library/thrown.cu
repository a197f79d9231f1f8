#include <new>
#include <stdexcept>

#include <upsweep/error.hpp>

#include "boundary.hpp"
#include "thrown.hpp"

int throw_behind_boundary(int which) {
  return upsweep::compiled::guarded([&] {
    switch (static_cast<thrown>(which)) {
      case thrown::invalid_argument:
        throw std::invalid_argument("in is null");
      case thrown::no_device:
        throw upsweep::no_device("no device is here");
      case thrown::cuda_error:
        throw upsweep::cuda_error(700, "cudaErrorIllegalAddress", "illegal", "f(x)", "g.cu", 12);
      case thrown::bad_alloc:
        throw std::bad_alloc();
      case thrown::bad_array_new_length:
        throw std::bad_array_new_length();
      case thrown::runtime_error:
        throw std::runtime_error("while a graph is being captured");
      case thrown::not_compiled:
        throw upsweep::compiled::not_compiled("in: type 9 is not in the library");
      case thrown::overflow_error:
        throw std::overflow_error("too many");
      case thrown::text:
        throw "a text";
    }
  });
}
