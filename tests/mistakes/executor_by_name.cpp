// says: an any_executor is any_executor::named("auto")
#include <upsweep/executor.hpp>

int main() { upsweep::any_executor exec("auto"); }
