// Prefix networks applied to many rows, on either backend, against a serial scan of each row.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <upsweep/classic/apply_network.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

namespace {
using upsweep::index_t;

std::vector<upsweep::prefix_network> all_networks(int n) {
  return {upsweep::serial_network(n), upsweep::kogge_stone(n),       upsweep::sklansky(n),
          upsweep::brent_kung(n),     upsweep::ladner_fischer(n, 1), upsweep::han_carlson(n)};
}
}  // namespace

TEST_CASE("rows are scanned by every network, in the order of their operands") {
  for (const int width : {1, 2, 3, 7, 31, 32, 33, 64, 100, 1024}) {
    for (const auto& network : all_networks(width)) {
      for (const index_t rows : {0, 1, 2, 33, 257}) {
        const index_t n = rows * width;
        INFO(rows << " rows of " << width << ", depth " << network.rows().size());
        const auto in = test::random_maps(n);
        const auto expected = oracle::inclusive_scan(in, test::compose32{}, oracle::segments_of_rows(n, width));
        const auto check = [&](auto& executor) {
          test::guarded<test::map32> values(executor, in);
          upsweep::classic::apply(executor, network, values.range(), test::compose32{});
          test::check_equal(values.items(executor), expected);
        };
        test::on_host(1, check);
        if (rows == 257) test::on_host(3, check);
        test::on_device(check);
      }
    }
  }
}

TEST_CASE("a network that is too wide, and rows that are not whole, are refused") {
  test::on_executors([](auto& executor) {
    test::guarded<int> values(executor, 2050);
    test::check_refused([&] { upsweep::classic::apply(executor, upsweep::sklansky(1025), values.range()); }, "network ",
                        "is 1025 values wide, must be 1024 at most");
    test::check_refused([&] { upsweep::classic::apply(executor, upsweep::sklansky(32), values.range()); }, "values ",
                        "has 2050 items, which is no multiple of the width 32");
  });
}
