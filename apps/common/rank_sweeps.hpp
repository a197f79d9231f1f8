// The sweeps of pagerank, where an executor works.
#pragma once
#include <cstdint>
#include <span>

#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/transform.hpp>

#include "own_device.hpp"

namespace app {

// ---------------------------------------------------------------- what is done with an edge, and with a vertex
//! Of a column's vertex: one edge's part in its rank, as often as the edge is there.
struct share_of_rank {
  const double* degrees;
  UPSWEEP_HD double operator()(const upsweep::tuple<std::int32_t, double>& item) const {
    return upsweep::get<1>(item) / degrees[upsweep::get<0>(item)];
  }
};

using vertex = upsweep::tuple<double, double, double>;  // what it was handed, its rank so far, its degree
using sums = upsweep::pair<upsweep::plus<double>, upsweep::plus<double>>;  // of changes; of ranks that nobody hands on
struct next_rank {
  double everywhere;  // what every vertex gets
  UPSWEEP_HD double operator()(const vertex& v) const { return upsweep::get<0>(v) + everywhere; }
};
struct lift_vertex {
  next_rank next;
  UPSWEEP_HD sums::value_type operator()(const vertex& v) const {
    const double rank = next(v), change = rank - upsweep::get<1>(v);
    return {change < 0 ? -change : change, upsweep::get<2>(v) > 0 ? 0 : rank};
  }
};
struct store_rank {
  next_rank next;
  template <class V>
  UPSWEEP_HD double operator()(upsweep::index_t, const vertex& v, const V&, const V&) const {
    return next(v);
  }
};

// ---------------------------------------------------------------- sweeps
struct rank_sums {
  double change, kept;  // of all ranks together; by vertices without an edge
};

//! Shares each vertex's rank out among its edges, which `columns` tell. Does not wait.
template <class Executor>
void share_out_ranks(Executor& executor, std::span<const std::int32_t> columns, std::span<double> shares,
                     const double* degrees) {
  upsweep::transform(executor, upsweep::contiguous(columns, shares), shares, share_of_rank{degrees});
}
//! The rank that vertices without an edge keep.
template <class Executor>
double kept_rank(Executor& executor, std::span<const double> ranks, std::span<const double> degrees) {
  const auto n = static_cast<upsweep::index_t>(ranks.size());
  return upsweep::scan(executor, n, upsweep::contiguous(ranks, ranks, degrees), lift_vertex{{0}}, sums{},
                       upsweep::discard)
      .second;
}
//! Adds what every vertex gets to what it was handed.
template <class Executor>
rank_sums next_ranks(Executor& executor, std::span<const double> handed_on, std::span<const double> degrees,
                     double everywhere, std::span<double> ranks) {
  const auto n = static_cast<upsweep::index_t>(ranks.size());
  const next_rank next{everywhere};
  const auto total = upsweep::scan(executor, n, upsweep::contiguous(handed_on, ranks, degrees), lift_vertex{next},
                                   sums{}, upsweep::dense(ranks, store_rank{next}));
  return {total.first, total.second};
}

// ---------------------------------------------------------------- the same in pagerank.cu
void share_out_ranks(device_stream there, std::span<const std::int32_t> columns, std::span<double> shares,
                     const double* degrees);
double kept_rank(device_stream there, std::span<const double> ranks, std::span<const double> degrees);
rank_sums next_ranks(device_stream there, std::span<const double> handed_on, std::span<const double> degrees,
                     double everywhere, std::span<double> ranks);

}  // namespace app
