// says: any_executor(std::move(executor))
#include <upsweep/executor.hpp>

int main() {
  upsweep::host threads(2);
  upsweep::any_executor exec(threads);
}
