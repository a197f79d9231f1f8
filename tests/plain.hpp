// Functions of plain.cpp, which a plain C++ compiler compiles in every test program: in tests_cuda its code stands
// beside nvcc's.
#pragma once
#include <cstdint>
#include <vector>

namespace plain {
bool has_cuda();
std::vector<int> inclusive_scan(const std::vector<int>& in);
std::vector<int> keep_odd(const std::vector<int>& in);
std::int64_t sum(const std::vector<int>& in);
void refuse_short_output();  // throws std::invalid_argument
void ask_for_cuda();         // throws upsweep::no_device
}  // namespace plain
