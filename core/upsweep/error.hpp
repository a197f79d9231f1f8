// What upsweep throws besides std::invalid_argument (a broken precondition, named) and std::bad_alloc.
#pragma once
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace upsweep {

//! A CUDA call failed. Holds the error's number and name, the call, and where it stands. An error that is not sticky
//! has been cleared: the next call starts clean.
class cuda_error : public std::runtime_error {
 public:
  cuda_error(int code, const char* name, const char* description, const char* expression, const char* file, int line)
      : std::runtime_error(text_of({name, " (", description, ") from ", expression, " at ", file, ":"}, line)),
        code_(code),
        name_(name) {}
  //! With its whole text, from where it was thrown first.
  cuda_error(int code, const char* name, const char* text) : std::runtime_error(text), code_(code), name_(name) {}
  int code() const noexcept { return code_; }
  const char* name() const noexcept { return name_; }  // a string of the CUDA runtime's, never freed

 private:
  // (A loop: a sum of strings is put together inline, which takes compilers longer.)
  static std::string text_of(std::initializer_list<const char*> parts, int line) {
    std::string text;
    for (const char* part : parts) text += part;
    return text += std::to_string(line);
  }
  int code_;
  const char* name_;
};

//! The `device` backend was asked for where there is none; says what was looked for.
class no_device : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace upsweep
