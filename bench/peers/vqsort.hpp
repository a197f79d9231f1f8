// Highway's vqsort. It chooses its code for this machine when it runs, so vqsort.cpp is compiled for any.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace bench::peers::vqsort {

//! "vqsort", and by what code where that is not its own choice.
const std::string& name();
//! Numbers of two to eight bytes.
template <class T>
void sort(T* first, T* last);
//! Pairs of words, of which the second is the key.
void sort_pairs(std::uint64_t* words, std::size_t pairs);

}  // namespace bench::peers::vqsort
