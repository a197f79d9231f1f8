// Errors that are thrown behind the C interface.
#pragma once
enum class thrown {
  invalid_argument,
  no_device,
  cuda_error,
  bad_alloc,
  bad_array_new_length,
  runtime_error,
  not_compiled,
  overflow_error,
  text
};
//! Throws one as a call of the library would, and returns its status.
extern "C" int throw_behind_boundary(int which);
