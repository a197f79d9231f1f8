// Parallel prefix networks, as hardware designers draw them: a network is data, rows of nodes that combine two values.
//   serial_network(n), kogge_stone(n), sklansky(n), brent_kung(n), ladner_fischer(n, k), han_carlson(n, k)
// Any n, powers of two or not. (Knowles's family of 2001, between Kogge–Stone and Sklansky, is not among them: its
// nodes combine stretches that overlap, which carries allow, and a sum does not.)
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/require.hpp>

namespace UPSWEEP_NAMESPACE {

//! value[to] = value[from] ∘ value[to]
struct network_node {
  int from, to;
  bool operator==(const network_node&) const = default;
};

//! What a network costs. `fan_out`: the most readers that a value has in all, a node's own place included;
//! `fan_out_of_row`: in one row; `tracks`: the most wires that lie side by side between two places in one row.
struct network_cost {
  int depth = 0, fan_out = 0, fan_out_of_row = 0, tracks = 0;
  index_t size = 0;
};

//! A network for n values: all nodes of a row read what was there before the row.
class prefix_network {
 public:
  using row = std::vector<network_node>;

  //! From rows. Throws std::invalid_argument unless every output i becomes in[0] ∘ … ∘ in[i], which is found by running
  //! the network on intervals: it names the first node that combines what does not lie side by side.
  prefix_network(int n, std::vector<row> rows) : n_(n), rows_(std::move(rows)) { prove(); }
  //! From nodes that can be computed one after the other, in place; each gets into the first row that it can.
  prefix_network(int n, std::span<const network_node> nodes) : n_(n) {
    struct place {
      int ready = 0, read = 0;  // the row from which on its value is there, the last row that reads it
    };
    check_width();
    std::vector<place> places(static_cast<std::size_t>(n));
    for (const network_node& node : nodes) {
      check_node(node);
      place &from = places[static_cast<std::size_t>(node.from)], &to = places[static_cast<std::size_t>(node.to)];
      const int at = std::max({from.ready, to.ready, to.read});
      if (std::ssize(rows_) == at) rows_.emplace_back();
      rows_[static_cast<std::size_t>(at)].push_back(node);
      from.read = std::max(from.read, at);
      to = {at + 1, at};
    }
    for (row& r : rows_) std::ranges::sort(r, {}, &network_node::to);
    prove();
  }

  int width() const { return n_; }
  const std::vector<row>& rows() const { return rows_; }

  network_cost cost() const {
    network_cost all{.depth = static_cast<int>(rows_.size())};
    std::vector<int> readers(static_cast<std::size_t>(n_), 0);  // of the value that is there
    for (const row& r : rows_) {
      std::vector<int> in_row(static_cast<std::size_t>(n_), 0), wires(static_cast<std::size_t>(n_) + 1, 0),
          last(in_row);
      for (const network_node& node : r) {
        const auto from = static_cast<std::size_t>(node.from), to = static_cast<std::size_t>(node.to);
        all.fan_out = std::max({all.fan_out, ++readers[from], ++readers[to]});
        in_row[from]++, in_row[to]++;
        last[from] = std::max(last[from], node.to);
      }
      for (const network_node& node : r) readers[static_cast<std::size_t>(node.to)] = 0;
      all.size += std::ssize(r);
      for (std::size_t i = 0; i < last.size(); i++) {
        all.fan_out_of_row = std::max(all.fan_out_of_row, in_row[i]);
        if (last[i] > 0) wires[i]++, wires[static_cast<std::size_t>(last[i])]--;
      }
      int side_by_side = 0;
      for (const int change : wires) all.tracks = std::max(all.tracks, side_by_side += change);
    }
    return all;
  }

 private:
  void check_width() const { detail::require(n_ >= 1, "n", "is ", n_, ", must be at least 1"); }
  void check_node(const network_node& node) const {
    detail::require(0 <= node.from && node.from < node.to && node.to < n_, "network", "has a node from ", node.from,
                    " to ", node.to, ", must lead to the right within ", n_, " places");
  }
  void prove() const {
    check_width();
    std::vector<int> begin(static_cast<std::size_t>(n_));  // a value covers begin … its place
    for (std::size_t i = 0; i < begin.size(); i++) begin[i] = static_cast<int>(i);
    for (std::size_t r = 0; r < rows_.size(); r++) {
      const std::vector<int> before = begin;
      std::vector<bool> written(begin.size());
      for (const network_node& node : rows_[r]) {
        check_node(node);
        const auto from = static_cast<std::size_t>(node.from), to = static_cast<std::size_t>(node.to);
        detail::require(!written[to], "network", "has two nodes that write place ", node.to, " in row ", r);
        detail::require(before[to] == node.from + 1, "network", "combines in row ", r, " what covers ", before[from],
                        " to ", node.from, " with what covers ", before[to], " to ", node.to);
        begin[to] = before[from];
        written[to] = true;
      }
    }
    const auto open = std::find_if(begin.begin(), begin.end(), [](int first) { return first != 0; });
    detail::require(open == begin.end(), "network", "leaves at place ", open - begin.begin(), " what covers only ",
                    open == begin.end() ? 0 : *open, " to there");
  }

  int n_;
  std::vector<row> rows_;
};

namespace detail {
using nodes_of_network = std::vector<network_node>;

//! Neighbours combined, inner(the right one of each pair), and from each of those the one to the right of it.
template <class Inner>
void over_pairs(const std::vector<int>& places, nodes_of_network& nodes, const Inner& inner) {
  std::vector<int> rights;
  for (std::size_t i = 1; i < places.size(); i += 2) {
    nodes.push_back({places[i - 1], places[i]});
    rights.push_back(places[i]);
  }
  inner(rights);
  for (std::size_t i = 2; i < places.size(); i += 2) nodes.push_back({places[i - 1], places[i]});
}
inline void add_kogge_stone(const std::vector<int>& places, nodes_of_network& nodes) {
  for (std::size_t step = 1; step < places.size(); step *= 2)
    for (std::size_t i = places.size(); i-- > step;) nodes.push_back({places[i - step], places[i]});
}
inline void add_ladner_fischer(const std::vector<int>& places, int k, nodes_of_network& nodes) {
  if (places.size() < 2) return;
  if (k > 0) return over_pairs(places, nodes, [&](const auto& rights) { add_ladner_fischer(rights, k - 1, nodes); });
  const auto half = places.begin() + (std::ssize(places) + 1) / 2;
  add_ladner_fischer({places.begin(), half}, 1, nodes);
  add_ladner_fischer({half, places.end()}, 0, nodes);
  for (auto to = half; to != places.end(); to++) nodes.push_back({*(half - 1), *to});
}
inline void add_han_carlson(const std::vector<int>& places, int k, nodes_of_network& nodes) {
  if (k == 0) return add_kogge_stone(places, nodes);
  over_pairs(places, nodes, [&](const auto& rights) { add_han_carlson(rights, k - 1, nodes); });
}
template <class Add>
prefix_network build_network(int n, const Add& add) {
  std::vector<int> places(static_cast<std::size_t>(std::max(n, 0)));
  for (std::size_t i = 0; i < places.size(); i++) places[i] = static_cast<int>(i);
  nodes_of_network nodes;
  add(places, nodes);
  return {n, nodes};
}
inline int tree_height(int n) {
  int levels = 0;
  while (n > 1 && (n - 1) >> levels != 0) levels++;
  return levels;
}
}  // namespace detail

//! One node after the other: n − 1 of each, the fewest nodes.
inline prefix_network serial_network(int n) {
  return detail::build_network(n, [](const auto& places, auto& nodes) {
    for (std::size_t i = 1; i < places.size(); i++) nodes.push_back({places[i - 1], places[i]});
  });
}
//! log n rows in which a place's readers are two; n·log n − n + 1 nodes. (Kogge and Stone 1973, Hillis and Steele 1986)
inline prefix_network kogge_stone(int n) { return detail::build_network(n, detail::add_kogge_stone); }
//! log n rows of n/2 nodes; a place has up to n/2 readers. (Sklansky 1960)
inline prefix_network sklansky(int n) {
  return detail::build_network(n, [](const auto& places, auto& nodes) {
    for (std::size_t step = 1; step < places.size(); step *= 2)
      for (std::size_t i = step; i < places.size(); i++)
        if (i & step) nodes.push_back({places[(i & ~(2 * step - 1)) + step - 1], places[i]});
  });
}
//! Ladner and Fischer 1980: log n + k rows and at most 2·(1 + 2^−k)·n − 2 nodes; k = 0 has the fewest rows.
inline prefix_network ladner_fischer(int n, int k) {
  detail::require(k >= 0, "k", "is ", k, ", must not be negative");
  return detail::build_network(
      n, [k](const auto& places, auto& nodes) { detail::add_ladner_fischer(places, std::min(k, 31), nodes); });
}
//! 2·log n − 2 rows and 2n − 2 − log n nodes: a tree up and down. (Brent and Kung 1982, Blelloch 1990)
inline prefix_network brent_kung(int n) { return ladner_fischer(n, detail::tree_height(n)); }
//! Kogge–Stone of every 2^k-th place, and a tree around it: log n + k rows. k = 1 is Han and Carlson's of 1987.
inline prefix_network han_carlson(int n, int k = 1) {
  detail::require(k >= 0, "k", "is ", k, ", must not be negative");
  return detail::build_network(
      n, [k](const auto& places, auto& nodes) { detail::add_han_carlson(places, std::min(k, 31), nodes); });
}

}  // namespace UPSWEEP_NAMESPACE
