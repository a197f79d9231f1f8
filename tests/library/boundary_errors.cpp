// What is thrown behind the C interface arrives with its type and its text.
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include <upsweep/error.hpp>
#include <upsweep/executor.hpp>

#include "thrown.hpp"

namespace {
int wrong = 0;
void check(bool right, const char* what) {
  if (!right) std::printf("WRONG: %s\n", what);
  wrong += !right;
}
template <class Error>
void check_arrives(thrown which, const std::string& text) {
  try {
    upsweep::library::check(throw_behind_boundary(static_cast<int>(which)));
    check(false, "nothing was thrown");
  } catch (const Error& e) {
    check(typeid(e) == typeid(Error) && e.what() == text, e.what());
  } catch (const std::exception& e) {
    check(false, e.what());
  }
}
}  // namespace

int main() {
  check_arrives<std::invalid_argument>(thrown::invalid_argument, "in is null");
  check_arrives<upsweep::no_device>(thrown::no_device, "no device is here");
  check_arrives<upsweep::cuda_error>(thrown::cuda_error, "cudaErrorIllegalAddress (illegal) from f(x) at g.cu:12");
  check_arrives<std::bad_alloc>(thrown::bad_alloc, "std::bad_alloc");
  check_arrives<std::bad_alloc>(thrown::bad_array_new_length, "std::bad_alloc");
  check_arrives<std::runtime_error>(thrown::runtime_error, "while a graph is being captured");
  check_arrives<std::runtime_error>(thrown::overflow_error, "too many");
  check_arrives<std::runtime_error>(thrown::text, "unknown");
  check_arrives<std::invalid_argument>(thrown::not_compiled, "in: type 9 is not in the library");
  try {
    upsweep::library::check(throw_behind_boundary(static_cast<int>(thrown::cuda_error)));
  } catch (const upsweep::cuda_error& e) {
    check(e.code() == 700 && std::strcmp(e.name(), "cudaErrorIllegalAddress") == 0, "the code and the name");
  }
  std::printf("errors: %s\n", wrong ? "WRONG" : "right");
  return wrong != 0;
}
