// Equalizes a region of an 8-bit picture whose rows are padded, in place; everything else stays as it is.
// Checked against OpenCV's formula, written out.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/equalize.hpp>

int main() {
  const int width = 600, height = 400, pitch = 640;
  const int left = 50, top = 30, region_width = 200, region_height = 100;
  std::mt19937 random(6);
  std::vector<std::uint8_t> picture(pitch * height);
  for (auto& x : picture) x = static_cast<std::uint8_t>(80 + random() % 40 + random() % 40);

  auto exec = upsweep::any_executor::named("auto");
  upsweep::buffer<std::uint8_t> pixels(exec, picture);
  const auto region = upsweep::image(pixels.data() + top * pitch + left,
                                     {.width = region_width, .height = region_height, .pitch = pitch});
  upsweep::equalize_histogram(exec, region, region);

  std::vector<int> counts(256);
  for (int y = top; y < top + region_height; y++)
    for (int x = left; x < left + region_width; x++) counts[picture[y * pitch + x]]++;
  int first = 0;
  while (counts[first] == 0) first++;
  std::vector<std::uint8_t> table(256);
  const float scale = 255.F / static_cast<float>(region_width * region_height - counts[first]);
  for (int level = first + 1, sum = 0; level < 256; level++) {
    sum += counts[level];
    table[level] = static_cast<std::uint8_t>(std::lrint(static_cast<float>(sum) * scale));
  }
  const auto found = pixels.to_vector(exec);
  int wrong = 0;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < pitch; x++) {
      const int i = y * pitch + x;
      const bool inside = x >= left && x < left + region_width && y >= top && y < top + region_height;
      if (found[i] != (inside ? table[picture[i]] : picture[i])) wrong++;
    }
  }
  std::printf("%d x %d of %d x %d pixels equalized, %d wrong\n", region_width, region_height, width, height, wrong);
  return wrong == 0 ? 0 : 1;
}
