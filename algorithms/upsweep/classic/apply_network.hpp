// Scans of many short rows by a prefix network (prefix_network.hpp): what it says is done, node by node.
#pragma once
#include <cstddef>
#include <vector>

#include <upsweep/classic/block_scans.hpp>
#include <upsweep/classic/machine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/prefix_network.hpp>
#include <upsweep/require.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! A network's nodes as a team reads them: those of row r are nodes[starts[r]], …, nodes[starts[r + 1] − 1].
struct network_in_memory {
  const network_node* nodes;
  const int* starts;
  int depth, width;
};

template <class Values, class M>
struct apply_to_rows {
  using T = typename M::value_type;
  struct shared {
    T values[block_items], sums[block_items];  // the sums of a row of nodes, until all have read
  };
  network_in_memory network;
  Values values;
  index_t n;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team, index_t b, shared* block) const {
    const index_t at_once = index_t{block_items / network.width} * network.width, first = b * at_once;
    const index_t count = count_in_block(n - first, at_once), rows = count / network.width;
    team.for_all(count, [&](index_t i) { block->values[i] = static_cast<T>(values[first + i]); });
    for (int r = 0; r < network.depth; r++) {
      const network_node* const nodes = network.nodes + network.starts[r];
      const index_t size = network.starts[r + 1] - network.starts[r];
      const auto value = [&](index_t k, int place) -> T& { return block->values[k / size * network.width + place]; };
      team.for_all(rows * size, [&](index_t k) {
        const network_node node = nodes[k % size];
        block->sums[k] = m(value(k, node.from), value(k, node.to));
      });
      team.for_all(rows * size, [&](index_t k) { value(k, nodes[k % size].to) = block->sums[k]; });
    }
    team.for_all(count, [&](index_t i) { values[first + i] = block->values[i]; });
  }
};

//! Scans each row of network.width() values, in place. There are width() · k values, and the width is 1,024 at most.
//! Reads and writes each value once, and combines them as the network does. Waits. Throws std::invalid_argument,
//! cuda_error.
//!   upsweep::classic::apply(exec, upsweep::sklansky(32), values, upsweep::maximum<float>{});
template <executor Executor, contiguous_range Values, monoid M = detail::default_sum<Values>>
void apply(Executor&& executor, const prefix_network& network, Values&& values, const M& m = {}) {
  const auto range = UPSWEEP_OUTPUT(values);
  const int width = network.width();
  detail::require(width <= block_items, "network", "is ", width, " values wide, must be ", block_items, " at most");
  detail::require(range.size % width == 0, "values", "has ", range.size, " items, which is no multiple of the width ",
                  width);
  std::vector<network_node> nodes;
  std::vector<int> starts{0};
  for (const prefix_network::row& row : network.rows()) {
    nodes.insert(nodes.end(), row.begin(), row.end());
    starts.push_back(static_cast<int>(nodes.size()));
  }
  scan_on<M>(executor, named_range<const element_t<Values>>{range.data, range.size, range.name}, range, nobody{},
             [&](const auto& machine, index_t n, auto, auto to) {
               auto [its_nodes, its_starts] =
                   machine.template lend<network_node, int>(std::ssize(nodes) + 1, std::ssize(starts));
               machine.executor().copy(its_nodes, nodes.data(), nodes.size() * sizeof(network_node));
               machine.executor().copy(its_starts, starts.data(), starts.size() * sizeof(int));
               const index_t at_once = index_t{block_items / width} * width;
               machine.by_blocks((n + at_once - 1) / at_once,
                                 apply_to_rows<decltype(to), M>{
                                     {its_nodes, its_starts, static_cast<int>(starts.size()) - 1, width}, to, n, m});
             });
}

}  // namespace UPSWEEP_NAMESPACE::classic
