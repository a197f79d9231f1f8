// pagerank: the importance of a graph's vertices (Page, Brin, Motwani and Winograd 1999), by products and sweeps.
//   1. edges i -> j -> the matrix that hands the rank of i on to j: coordinates sorted into compressed rows; a product
//      with ones counts the edges of a vertex, a transposition turns the matrix round, a sweep divides
//   2. until little changes: a product, and one sweep that adds what every vertex gets, takes the change, and sums the
//      rank of vertices without an edge, which is handed on to all
//   3. a sort of the vertices by rank
// All sums associate in an order that is fixed: the same bits for any number of threads.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/csr_build.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/spmv.hpp>

#include "common/account.hpp"
#include "common/eigen_reference.hpp"
#include "common/file.hpp"
#include "common/generated_matrix.hpp"
#include "common/matrix_market.hpp"
#include "common/output_files.hpp"
#include "common/own_device.hpp"
#include "common/program.hpp"
#include "common/rank_sweeps.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"
#include "common/vector_file.hpp"

namespace {

using upsweep::buffer;
using upsweep::index_t;

struct options {
  std::string file, ranks;
  double damping = 0.85, tolerance = 1e-6;
  int scale = 16, most_iterations = 1000;
  index_t top = 10;
  bool check = false;
};

// ---------------------------------------------------------------- the graph and its ranks
struct graph {
  upsweep::csr_matrix<double> incoming;  // row j, column i: what i hands on to j
  buffer<double> degrees;
};

buffer<double> equal_items(upsweep::any_executor& exec, index_t n, double value) {
  return {exec, std::vector<double>(static_cast<std::size_t>(n), value)};
}

graph graph_of(upsweep::any_executor& exec, const app::triplets& edges) {
  const app::stage building("building the matrix");
  const index_t n = edges.rows;
  buffer<std::int32_t> from, to;
  const buffer<double> once = equal_items(exec, std::ssize(edges.row_indices), 1), ones = equal_items(exec, n, 1);
  const auto outgoing = upsweep::coo_to_csr(exec, n, n, app::bring(exec, std::span(edges.row_indices), from),
                                            app::bring(exec, std::span(edges.column_indices), to), once);
  graph result{upsweep::csr_transpose(exec, outgoing), buffer<double>(exec, n)};
  upsweep::spmv(exec, outgoing, ones, result.degrees);
  app::with_own_code(exec, [&](auto&& chosen) {
    app::share_out_ranks(chosen, app::all_of(result.incoming.column_indices), app::all_of(result.incoming.values),
                         result.degrees.data());
  });
  exec.synchronize();
  return result;
}

//! Makes ranks of `ranks`, which add up to 1; the number of iterations that it took.
int iterate(upsweep::any_executor& exec, const graph& g, const options& asked, buffer<double>& ranks) {
  const app::stage iterating("iterating");
  const index_t n = ranks.size();
  const auto count = static_cast<double>(n);
  const upsweep::csr_view a = g.incoming.view();
  buffer<double> handed_on(exec, n);
  // A first sweep that changes nothing finds the rank of vertices without an edge.
  double kept = app::with_own_code(
      exec, [&](auto&& chosen) { return app::kept_rank(chosen, app::all_of(ranks), app::all_of(g.degrees)); });
  double change = 0;
  for (int iteration = 1; iteration <= asked.most_iterations; iteration++) {
    const double everywhere = (1 - asked.damping + asked.damping * kept) / count;
    upsweep::spmv(exec, a, ranks, handed_on, asked.damping);
    const app::rank_sums total = app::with_own_code(exec, [&](auto&& chosen) {
      return app::next_ranks(chosen, app::all_of(handed_on), app::all_of(g.degrees), everywhere, app::all_of(ranks));
    });
    change = total.change;
    kept = total.kept;
    const bool done = change < asked.tolerance;
    if (iteration <= 10 || iteration % 10 == 0 || done) {
      char text[64];
      std::snprintf(text, sizeof text, "pagerank: iteration %d: change %.2e", iteration, change);
      app::say(text);
    }
    if (done) return iteration;
  }
  char text[128];
  std::snprintf(text, sizeof text, "after %d iterations the change is %.3g, not below %.3g", asked.most_iterations,
                change, asked.tolerance);
  throw std::runtime_error(text);
}

//! The bytes of an iteration, each once: the matrix, and the items of the vectors that a product and a sweep touch.
std::int64_t bytes_of_iteration(const graph& g) {
  const index_t n = g.degrees.size(), edges = g.incoming.values.size();
  return edges * 12 + (n + 1) * 4 + n * 8 * 6;
}

// ---------------------------------------------------------------- the same by Eigen, in double
//! No item of a rank is negative. So an iteration's rounding adds to the relative error of each of them as much as the
//! longest sum in it can, and no more: (longest row + vertices + 8) units; of ranks near 0, of the smallest numbers.
void verify(const app::triplets& edges, int iterations, std::span<const double> ranks, double damping) {
  const app::stage verifying("verifying");
  std::vector<std::int64_t> lengths(ranks.size());
  for (const std::int32_t to : edges.column_indices) lengths[static_cast<std::size_t>(to)]++;
  const auto terms = static_cast<double>(*std::ranges::max_element(lengths) + std::ssize(ranks) + 8);
  const double error = 2 * iterations * terms * 0x1p-53;
  const double smallest = 2 * iterations * terms * std::numeric_limits<double>::denorm_min();
  const std::vector<double> expected = app::eigen_pagerank(edges, damping, iterations);
  for (std::size_t v = 0; v < ranks.size(); v++) {
    if (std::abs(ranks[v] - expected[v]) <= error * expected[v] + smallest) continue;
    char text[160];
    std::snprintf(text, sizeof text, "vertex %zu has rank %.17g, by Eigen %.17g, and may differ by %.2g", v + 1,
                  ranks[v], expected[v], error * expected[v]);
    throw std::runtime_error(text);
  }
}

// ---------------------------------------------------------------- in and out
app::triplets read(const options& asked) {
  if (asked.file.empty()) {
    std::fprintf(stderr, "pagerank: no file is given: a generated R-MAT graph, --scale %d\n", asked.scale);
    const app::stage generating("generating a graph");
    return app::generate_matrix("rmat", asked.scale);
  }
  return app::about(asked.file, [&] {
    app::file_bytes file(asked.file);
    app::triplets edges = app::parse_matrix_market({file.data(), static_cast<std::size_t>(file.size())});
    if (edges.rows != edges.columns || edges.rows == 0)
      throw std::runtime_error("a graph has as many rows as columns, and some, not " + app::grouped(edges.rows) +
                               " x " + app::grouped(edges.columns));
    return edges;
  });
}

//! The vertices by rank, the highest first; of equal ones the first.
void print_top(app::output_file& out, upsweep::any_executor& exec, const buffer<double>& ranks,
               std::span<const double> here, index_t top) {
  buffer<std::int32_t> order(exec, ranks.size()), copy;
  {
    const app::stage sorting("sorting the vertices");
    upsweep::radix_argsort(exec, ranks, order, {.order = upsweep::sort_order::descending});
    exec.synchronize();
  }
  const auto wanted = static_cast<std::size_t>(std::min(top, ranks.size()));
  for (const std::int32_t v : app::fetch(exec, std::span<const std::int32_t>(order.data(), wanted), copy)) {
    char line[64];
    std::snprintf(line, sizeof line, "%.10f %d\n", here[static_cast<std::size_t>(v)], v + 1);
    out.write(line);
  }
}

int rank_vertices(upsweep::any_executor& exec, const options& asked) {
  app::seconds spent;
  app::stopwatch watch;
  const app::triplets edges = read(asked);
  spent.read += watch.lap();
  const graph g = graph_of(exec, edges);
  const double building = watch.lap();
  buffer<double> ranks = equal_items(exec, edges.rows, 1 / static_cast<double>(edges.rows)), copy;
  const int iterations = iterate(exec, g, asked, ranks);
  spent.work += watch.lap();
  const auto size = static_cast<std::size_t>(edges.rows);
  const std::span here = app::fetch(exec, std::span<const double>(ranks.data(), size), copy);
  spent.from_device += watch.lap();
  if (asked.check) verify(edges, iterations, here, asked.damping);
  spent.verify += watch.lap();
  app::output_files files;
  if (!asked.ranks.empty()) app::write_vector(files.open(asked.ranks), here);
  print_top(files.open("-"), exec, ranks, here, asked.top);
  files.commit();
  const auto edge_count = std::ssize(edges.row_indices);
  std::fprintf(stderr, "pagerank: %s vertices, %s edges, %s to build the matrix; %d iterations, %s\n",
               app::grouped(edges.rows).c_str(), app::grouped(edge_count).c_str(), app::duration(building).c_str(),
               iterations,
               app::account(spent, iterations * bytes_of_iteration(g), exec, iterations * edge_count, "edges").c_str());
  if (asked.check)
    std::fprintf(stderr, "pagerank: verified against Eigen in double (%s)\n", app::duration(spent.verify).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("Ranks the vertices of a graph by PageRank, and prints the highest.", "pagerank");
  cli.footer(R"(FILE is a matrix in the Matrix Market format (real, integer or pattern; general, symmetric or
skew-symmetric): an entry in row i and column j is an edge from i to j, whatever its value. An edge that
stands there twice counts twice. Without a file an R-MAT graph with 16 edges a vertex is generated, the
same each time, and the program says so.

The rank of a vertex is the probability to be there of somebody who follows an edge at random again and
again, and goes anywhere instead with a probability of 1 - damping, or where no edge leads on. Ranks
start equal, and are right when the sum of their changes is below --tolerance; that they do not get
there within --max-iterations is an error. Lines are a rank and its vertex, counted from 1.

--ranks writes all ranks: a NumPy array when the name ends in .npy, else text, one a line. The file is
written whole or not at all. Iterations and times are on standard error.)");
  options asked;
  std::string backend;
  cli.add_option("--damping", asked.damping, "How often an edge is followed").shows_default().range(0.0, 1.0);
  cli.add_option("--tolerance", asked.tolerance, "What the changes add up to in the end")
      .shows_default()
      .range(1e-15, 2.0);
  cli.add_option("--max-iterations", asked.most_iterations, "Give up then").shows_default().range(1, 1000000000);
  cli.add_option("--top", asked.top, "How many vertices to print").shows_default().not_negative();
  cli.add_flag("--check", asked.check, "Compare all ranks with Eigen's; a difference is an error");
  cli.add_file("--ranks", asked.ranks, "A file: write the ranks of all vertices");
  app::option scale =
      cli.add_option("--scale", asked.scale, "The generated graph has 2^scale vertices").shows_default().range(0, 26);
  app::add_backend(cli, backend);
  cli.add_file("FILE", asked.file, "A graph; - is standard input").excludes(scale);
  const auto body = [&] {
    app::check_files({{"FILE", asked.file}}, {{"--ranks", asked.ranks}});
    auto exec = app::executor_of(backend);
    return rank_vertices(exec, asked);
  };
  return app::run(cli, argc, argv, body);
}
