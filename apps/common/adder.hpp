// An adder by a prefix network: the carries of a sum are a scan of (generate, propagate) pairs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/prefix_network.hpp>

#include "svg.hpp"

namespace app {

//! Does a piece of a sum give a carry by itself; does it hand on one that comes in?
struct carry {
  bool generate, propagate;
};
//! Of two pieces side by side, the lower one first.
inline carry operator*(const carry& low, const carry& high) {
  return {high.generate || (high.propagate && low.generate), low.propagate && high.propagate};
}

//! a + b, of as many bits as the network has places (64 at most), and the carry out of it.
struct sum_of_bits {
  std::uint64_t sum;
  bool carry_out;
};
inline sum_of_bits add_by(const upsweep::prefix_network& network, std::uint64_t a, std::uint64_t b) {
  std::vector<carry> carries(static_cast<std::size_t>(network.width()));
  for (std::size_t i = 0; i < carries.size(); i++) {
    const bool x = a >> i & 1, y = b >> i & 1;
    carries[i] = {x && y, x != y};
  }
  sum_of_bits result{0, false};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < carries.size(); i++) bits |= std::uint64_t{carries[i].propagate} << i;
  for (const auto& row : network.rows()) {
    const std::vector<carry> before = carries;
    for (const auto& [from, to] : row)
      carries[static_cast<std::size_t>(to)] =
          before[static_cast<std::size_t>(from)] * before[static_cast<std::size_t>(to)];
  }
  for (std::size_t i = 0; i + 1 < carries.size(); i++) bits ^= std::uint64_t{carries[i].generate} << (i + 1);
  result.sum = bits;
  result.carry_out = carries.back().generate;
  return result;
}

//! The same as plain combinational Verilog: module adder(a, b, sum, carry_out). What reads a value that no later row
//! changes reads it where it was made.
inline std::string verilog_of(const upsweep::prefix_network& network, const std::string& name) {
  const int n = network.width();
  std::string text;
  svg::put(text, "// A %d-bit adder: carries by the prefix network %s, in %zu rows.\n", n, name.c_str(),
           network.rows().size());
  svg::put(text, "module adder(input [%d:0] a, b, output [%d:0] sum, output carry_out);\n", n - 1, n - 1);
  svg::put(text, "  wire [%d:0] g0 = a & b, p0 = a ^ b;  // generate, propagate\n", n - 1);
  std::vector<int> made(static_cast<std::size_t>(n), 0);  // the row whose wires hold a place's value
  for (std::size_t r = 0; r < network.rows().size(); r++) {
    const auto& row = network.rows()[r];
    const std::vector<int> before = made;
    const int after = static_cast<int>(r) + 1;
    svg::put(text, "  wire [%d:0] g%d, p%d;\n", n - 1, after, after);
    for (const auto& [from, to] : row) {
      const int low = before[static_cast<std::size_t>(from)], high = before[static_cast<std::size_t>(to)];
      svg::put(text, "  assign g%d[%d] = g%d[%d] | p%d[%d] & g%d[%d];\n", after, to, high, to, high, to, low, from);
      svg::put(text, "  assign p%d[%d] = p%d[%d] & p%d[%d];\n", after, to, high, to, low, from);
      made[static_cast<std::size_t>(to)] = after;
    }
  }
  svg::put(text, "  assign sum[0] = p0[0];\n");
  for (int i = 1; i < n; i++)
    svg::put(text, "  assign sum[%d] = p0[%d] ^ g%d[%d];\n", i, i, made[static_cast<std::size_t>(i - 1)], i - 1);
  svg::put(text, "  assign carry_out = g%d[%d];\nendmodule\n", made.back(), n - 1);
  return text;
}

}  // namespace app
