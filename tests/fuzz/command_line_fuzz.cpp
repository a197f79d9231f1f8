// Command lines, an argument a line: options of every sort that the programs have.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "apps/common/filter_options.hpp"
#include "apps/common/program.hpp"
#include "fuzz.hpp"

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines{"fuzz"};
  for (std::size_t at = 0; at < text.size(); at++) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, text.substr(at, end - at).find('\0')));  // no argument holds a zero
    at = end;
  }
  return lines;
}

void check_filters(const app::filter_options& filters) {
  (void)filters.text();
  try {
    for (const upsweep::section& one : filters.design(48000))
      for (const double x : {one.b0, one.b1, one.b2, one.a1, one.a2}) fuzz::check(std::isfinite(x), "a coefficient");
  } catch (const std::runtime_error&) {  // by about(), of a filter that cannot be
  }
}

int run(std::vector<std::string> lines) {
  std::vector<char*> arguments;
  for (std::string& line : lines) arguments.push_back(line.data());
  app::command_line cli("Does nothing.", "fuzz");
  app::filter_options filters;
  std::string backend, mode = "one", file, scene;
  std::vector<std::string> files;
  std::int64_t piece = 1;
  double seconds = 5, top = 0;
  int channels = 1;
  bool flag = false;
  filters.add_to(cli);
  app::add_backend(cli, backend);
  const app::option chosen = cli.add_option("--mode", mode, "A choice").shows_default().one_of({"one", "two", "3"});
  const app::option flagged = cli.add_flag("--flag", flag, "A flag").excludes(chosen);
  cli.add_option("--piece", piece, "Large").shows_default().range(std::int64_t{1}, std::int64_t{1} << 30);
  cli.add_option("--seconds", seconds, "Real").shows_default().range(0., 86400.).needs(flagged);
  cli.add_option("--channels", channels, "Small").range(1, 1024).group("Others");
  cli.add_option("--top", top, "Half open").not_negative();
  cli.add_option("--scene", scene, "Checked").check([](const std::string& x) { return x == "0x0" ? "wrong" : ""; });
  cli.add_file("--file", file, "A name");
  cli.add_file("FILE", files, "Names").required();
  const auto body = [&] {
    fuzz::check(1 <= piece && piece <= 1 << 30 && 1 <= channels && channels <= 1024, "integers are in their ranges");
    fuzz::check(0 <= seconds && seconds <= 86400, "so are floats");
    fuzz::check(top >= 0, "what must not be negative is not");
    fuzz::check(mode == "one" || mode == "two" || mode == "3", "a choice is one of those");
    fuzz::check(!flag || !chosen.given(), "what excludes something is alone");
    fuzz::check(!files.empty() && std::ranges::none_of(files, &std::string::empty), "files have names");
    check_filters(filters);
    app::check_files({{"FILE", files[0]}}, {{"--file", file, true}});
    return 0;
  };
  return cli.run(static_cast<int>(arguments.size()), arguments.data(), body, 1);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int status = run(lines_of(fuzz::text(data, size)));
  fuzz::check(status == 0 || status == 2, "nothing but the usage is wrong");
  return 0;
}
