#include "plain.hpp"

#include <upsweep/compaction.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

namespace plain {
namespace {
struct is_odd {
  UPSWEEP_HD bool operator()(int x) const { return x % 2 != 0; }
};
}  // namespace

bool has_cuda() { return UPSWEEP_HAS_CUDA; }
std::vector<int> inclusive_scan(const std::vector<int>& in) {
  upsweep::any_executor executor = upsweep::any_executor::named("host");
  std::vector<int> out(in.size());
  upsweep::inclusive_scan(executor, in, out);
  return out;
}
std::vector<int> keep_odd(const std::vector<int>& in) {
  upsweep::host executor(2);
  std::vector<int> out(in.size());
  out.resize(static_cast<std::size_t>(upsweep::copy_if(executor, in, out, is_odd{})));
  return out;
}
std::int64_t sum(const std::vector<int>& in) {
  upsweep::host executor(2);
  return upsweep::reduce(executor, in, upsweep::plus<std::int64_t>{});
}
void refuse_short_output() {
  upsweep::host executor(1);
  const std::vector<int> in(2);
  std::vector<int> out(1);
  upsweep::inclusive_scan(executor, in, out);
}
void ask_for_cuda() { upsweep::any_executor::named("cuda"); }
}  // namespace plain
