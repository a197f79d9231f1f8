// says: sequential_addresses combines operands out of order; it takes commutative monoids only
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/classic/reductions.hpp>

int main() {
  upsweep::host exec;
  std::vector<upsweep::affine_map<int>> maps{{2, 1}, {3, 4}};
  upsweep::classic::reduce<upsweep::classic::sequential_addresses>(exec, maps, upsweep::affine<int>{});
}
