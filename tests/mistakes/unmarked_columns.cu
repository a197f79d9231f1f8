// says: mark_this_function_UPSWEEP_HD
#include <upsweep/buffer.hpp>
#include <upsweep/reduce.hpp>

struct product {
  float operator()(float x, float y) const { return x * y; }
};
int main() {
  upsweep::device exec;
  upsweep::buffer<float> x(exec, 3), y(exec, 3);
  static_cast<void>(upsweep::reduce(exec, upsweep::contiguous(x, y), product{}, upsweep::plus<float>{}));
}
