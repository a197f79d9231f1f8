// says: of an executor and a range of T
#include <vector>

#include <upsweep/buffer.hpp>

int main() {
  upsweep::host exec;
  upsweep::buffer<float> x(exec, std::vector<double>{1, 2});
}
