// A program with code for one GPU, run where there is another, or none: one clear error, and "auto" is the host. It is
// compiled for compute capability 7.5 alone.
#include <cstdio>
#include <string>

#include <upsweep/executor.hpp>

int main() {
  if (!upsweep::device::available()) {
    std::printf("skipped: 1 for want of a GPU (%s)\n", upsweep::gpu::why_not_usable().c_str());
    return 0;
  }
  std::string text;
  try {
    const upsweep::device exec;
    if (exec.compute_capability() == 75) {
      std::printf("right: it has code for this GPU\n");
      return 0;
    }
  } catch (const upsweep::no_device& e) {
    text = e.what();
  }
  const bool right = text.starts_with(
                         "device: no CUDA device was found: this program has no code for the one that is there, of "
                         "compute capability ") &&
                     upsweep::any_executor::named("auto").is_host();
  std::printf("%s: on a GPU: %s\n", right ? "right" : "WRONG", text.c_str());
  return right ? 0 : 1;
}
