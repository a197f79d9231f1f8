// says: device needs nvcc: compile this file as CUDA
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() { upsweep::device exec; }
