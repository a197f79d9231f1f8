// Does each of two plugins find its own version of the library?
#include <cstdio>

extern "C" int part_2(bool headers), part_3(bool headers);

int main() {
  std::printf("headers of %d and %d, libraries of %d and %d\n", part_2(true), part_3(true), part_2(false),
              part_3(false));
  return part_2(true) == 2 && part_3(true) == 3 && part_2(false) == 2 && part_3(false) == 3 ? 0 : 1;
}
