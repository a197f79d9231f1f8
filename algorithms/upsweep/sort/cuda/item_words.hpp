// An item of any trivially copyable type in registers.
#pragma once
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! An item as 4-byte words, which is how it is moved: a struct of bytes would be carried about in single bytes, a
//! register each. Holds garbage at first.
template <class T>
class item_words {
 public:
  __device__ item_words() {}
  __device__ explicit item_words(const T& item) {
    const T copy = item;  // as T lies: a copy of bytes would be of single bytes
    memcpy(words_, &copy, sizeof(T));
  }
  __device__ void store(T& to) const { to = item(); }
  __device__ T item() const {
    struct bytes {
      alignas(T) unsigned char at[sizeof(T)];
    } copy;
    memcpy(&copy, words_, sizeof(T));
    return __builtin_bit_cast(T, copy);
  }

 private:
  std::uint32_t words_[(sizeof(T) + 3) / 4];
};

}  // namespace UPSWEEP_NAMESPACE::gpu
