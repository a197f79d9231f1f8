// says: a buffer is made by an executor, which stands in front
#include <upsweep/buffer.hpp>

int main() { upsweep::buffer<float> x(100); }
