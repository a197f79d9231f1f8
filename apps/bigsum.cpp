// bigsum: sums of whole numbers of any length, and Fibonacci numbers.
// The numbers stand side by side as rows of 64-bit limbs, all of one length, negative ones in two's complement. One
// sweep adds the last half of the rows to the first half, until one row is left: however long a carry's way is, it is
// one scan. A Fibonacci number is so many additions, one behind the other, each of which is a scan.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <upsweep/big_numbers.hpp>
#include <upsweep/buffer.hpp>

#include "common/account.hpp"
#include "common/file.hpp"
#include "common/gmp_number.hpp"
#include "common/numbers.hpp"
#include "common/program.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"

namespace {

using app::gmp_number;
using limb = std::uint64_t;
using upsweep::buffer;
using upsweep::index_t;

struct options {
  bool hexadecimal = false, check = false;
  std::int64_t fibonacci = -1;
};

//! The numbers of a text, one a line; blank lines do not count.
void read_numbers(const std::string& name, std::vector<gmp_number>& numbers) {
  const app::file_bytes file(name);
  std::string_view text = file.view();
  app::stage parsing("parsing " + name, file.size());
  for (index_t line_number = 1; !text.empty(); line_number++) {
    parsing.at(file.size() - static_cast<std::int64_t>(text.size()));
    const std::string_view line = app::take_line(text);
    if (line.empty()) continue;
    app::about("line " + std::to_string(line_number), [&] { numbers.push_back(gmp_number::parsed(line)); });
  }
}

//! The number that limbs stand for in two's complement.
gmp_number number_of(std::vector<limb> limbs) {
  upsweep::host host;
  const bool negative = limbs.back() >> 63 != 0;
  if (negative) upsweep::big_negate(host, limbs, limbs);
  return gmp_number::of_limbs(limbs, negative);
}

gmp_number sum_of(upsweep::any_executor& exec, const std::vector<gmp_number>& numbers, app::seconds& spent,
                  std::int64_t& bytes) {
  app::stopwatch watch;
  std::size_t longest = 0;
  for (const gmp_number& number : numbers) longest = std::max(longest, number.limb_count());
  const auto length = static_cast<index_t>(longest) + 1;  // room for the sum of 2^63 of them, and its sign
  auto count = static_cast<index_t>(numbers.size());
  std::vector<limb> table(static_cast<std::size_t>(count * length));
  upsweep::host host;
  for (index_t k = 0; k < count; k++) {
    const gmp_number& number = numbers[static_cast<std::size_t>(k)];
    const std::span<limb> row(table.data() + k * length, static_cast<std::size_t>(length));
    number.put_limbs(row.data());
    if (number.negative()) upsweep::big_negate(host, row, row);
  }
  spent.read += watch.lap();

  buffer<limb> rows(exec, std::span<const limb>(table));
  buffer<std::uint8_t> carried(exec, count / 2 + 1);
  exec.synchronize();
  spent.to_device += watch.lap();
  while (count > 1) {
    const index_t half = count / 2, behind = count - half;
    const std::span<limb> first(rows.data(), static_cast<std::size_t>(half * length));
    const std::span<limb> last(rows.data() + behind * length, first.size());
    upsweep::big_add(exec, first, last, first, carried, upsweep::rows(length));
    bytes += 3 * half * length * static_cast<std::int64_t>(sizeof(limb));
    count = behind;
  }
  exec.synchronize();
  spent.work += watch.lap();
  table.resize(static_cast<std::size_t>(length));
  exec.copy(table.data(), rows.data(), table.size() * sizeof(limb));
  spent.from_device += watch.lap();
  return number_of(std::move(table));
}

//! F(n) by n additions; F(0) = 0, F(1) = 1.
gmp_number fibonacci(upsweep::any_executor& exec, index_t n, app::seconds& spent, std::int64_t& bytes) {
  const double bits_each = 0.6942419136306174;  // log2 of the golden ratio: a number's length is known before
  const auto limbs_of = [=](index_t k) { return static_cast<index_t>(static_cast<double>(k) * bits_each / 64) + 2; };
  std::vector<limb> start(static_cast<std::size_t>(limbs_of(n)));
  buffer<limb> current(exec, std::span<const limb>(start));
  start[0] = 1;
  buffer<limb> next(exec, std::span<const limb>(start));
  buffer<std::uint8_t> carried(exec, 1);
  exec.synchronize();
  app::stopwatch watch;
  const app::stage adding("adding");
  for (index_t k = 0; k < n; k++) {
    const auto used = static_cast<std::size_t>(limbs_of(k));
    const std::span<limb> a(current.data(), used), b(next.data(), used);
    upsweep::big_add(exec, a, b, a, carried.data());
    std::swap(current, next);
    bytes += 3 * static_cast<std::int64_t>(used * sizeof(limb));
  }
  exec.copy(start.data(), current.data(), start.size() * sizeof(limb));
  spent.work += watch.lap();
  return gmp_number::of_limbs(start, false);
}

int add_up(upsweep::any_executor& exec, const std::vector<std::string>& names, const options& asked) {
  app::seconds spent;
  app::stopwatch watch;
  std::int64_t bytes = 0;
  const auto found = [&](const gmp_number& sum, const gmp_number& expected, const std::string& what) {
    if (asked.check && !(sum == expected)) throw std::runtime_error("GMP finds another number");
    spent.verify += watch.lap();
    const std::string digits = sum.text(asked.hexadecimal);
    app::write_out(digits + '\n');
    app::flush_out();
    spent.write += watch.lap();
    const std::string size = app::grouped(static_cast<std::int64_t>(digits.size())) + " digits; ";
    std::fprintf(stderr, "bigsum: %s\n", (what + size + app::account(spent, bytes, exec)).c_str());
    if (asked.check) std::fprintf(stderr, "bigsum: verified by GMP (%s)\n", app::duration(spent.verify).c_str());
  };
  if (asked.fibonacci >= 0) {
    const gmp_number number = fibonacci(exec, asked.fibonacci, spent, bytes);
    watch.lap();
    found(number, asked.check ? gmp_number::fibonacci(static_cast<std::uint64_t>(asked.fibonacci)) : gmp_number(),
          "F(" + app::grouped(asked.fibonacci) + "), ");
    return 0;
  }
  std::vector<gmp_number> numbers;
  for (const std::string& name : names) app::about(name, [&] { read_numbers(name, numbers); });
  if (numbers.empty()) throw std::runtime_error("there is no number");
  spent.read += watch.lap();
  const gmp_number sum = sum_of(exec, numbers, spent, bytes);
  watch.lap();
  gmp_number expected;
  if (asked.check)
    for (const gmp_number& number : numbers) expected += number;
  found(sum, expected, app::grouped(static_cast<std::int64_t>(numbers.size())) + " numbers, a sum of ");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("Adds up whole numbers of any length, one a line, and prints their sum.", "bigsum");
  cli.footer(R"(A number is a sign or none, and decimal digits, or 0x and hexadecimal ones. Blank lines do not count.
GMP turns digits into numbers and back; the additions are scans: what a stretch of a number does with
a carry, it stops it, hands it on or makes one, is a monoid.

  seq 1000000 | bigsum --check
  bigsum --fibonacci 1000000 --check | wc -c
Times are on standard error.)");
  options asked;
  std::string backend;
  std::vector<std::string> names;
  cli.add_flag("--hex", asked.hexadecimal, "Print the number in hexadecimal");
  auto fibonacci = cli.add_option("--fibonacci", asked.fibonacci, "Print this Fibonacci number, of so many additions");
  fibonacci.range(std::int64_t{0}, std::int64_t{100'000'000});
  cli.add_flag("--check", asked.check, "Compare with GMP's own number; a difference is an error");
  app::add_backend(cli, backend);
  cli.add_file("FILE", names, "Files; -, or none, is standard input");
  const auto body = [&] {
    if (fibonacci.given() && !names.empty()) throw app::usage_error("--fibonacci", "takes no files");
    if (names.empty()) names = {"-"};
    auto exec = app::executor_of(backend);
    return add_up(exec, names, asked);
  };
  return app::run(cli, argc, argv, body);
}
