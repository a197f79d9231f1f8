// How long the rows of a sparse matrix are.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "report.hpp"

namespace app {

struct row_statistics {
  std::int64_t rows = 0, nonzeros = 0, longest = 0, longest_row = -1;
  std::vector<std::int64_t> histogram;  // rows without a non-zero; with 1; 2 to 3; 4 to 7; …

  explicit row_statistics(std::span<const std::int32_t> offsets)
      : rows(static_cast<std::int64_t>(offsets.size()) - 1), nonzeros(offsets.back()) {
    for (std::size_t r = 0; r + 1 < offsets.size(); r++) {
      const std::int64_t length = offsets[r + 1] - offsets[r];
      const auto bin = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(length)));
      histogram.resize(std::max(histogram.size(), bin + 1));
      histogram[bin]++;
      if (length > longest || longest_row < 0) longest = length, longest_row = static_cast<std::int64_t>(r);
    }
  }
  double mean() const { return rows > 0 ? static_cast<double>(nonzeros) / static_cast<double>(rows) : 0; }
  std::int64_t empty() const { return histogram.empty() ? 0 : histogram[0]; }

  //! A line, and one for each kind of row with a bar; rows are counted from 1, as in a file.
  std::string text() const {
    std::string all = "rows of " + decimal(mean(), 2, "non-zeros on average, ") + grouped(longest) + " at most";
    if (longest > 0) all += " (row " + grouped(longest_row + 1) + "); " + grouped(empty()) + " are empty";
    all += '\n';
    const std::int64_t most = histogram.empty() ? 0 : *std::max_element(histogram.begin(), histogram.end());
    for (std::size_t bin = 0; bin < histogram.size(); bin++) {
      if (histogram[bin] == 0) continue;
      const std::int64_t from = bin == 0 ? 0 : std::int64_t{1} << (bin - 1),
                         to = std::max<std::int64_t>(2 * from - 1, from);
      const std::string lengths = grouped(from) + (to > from ? " to " + grouped(to) : "");
      char line[128];
      std::snprintf(line, sizeof line, "  %22s %13s rows  ", lengths.c_str(), grouped(histogram[bin]).c_str());
      all += line + std::string(static_cast<std::size_t>((histogram[bin] * 30 + most - 1) / most), '#') + '\n';
    }
    return all;
  }
};

}  // namespace app
