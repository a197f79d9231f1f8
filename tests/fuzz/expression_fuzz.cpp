// Bytes as a regular expression: a table whose states are all in range, which an automaton of the library takes, or an
// error that says why not.
#include <stdexcept>
#include <string>

#include "apps/common/automaton_of.hpp"
#include "apps/common/regular_expression.hpp"
#include "fuzz.hpp"

namespace {

template <class Make>
void check_table(const Make& make) {
  app::byte_table table;
  try {
    table = make();
  } catch (const std::invalid_argument& error) {
    fuzz::check(error.what()[0] != '\0', "an error says something");
    return;
  }
  fuzz::check(1 <= table.states() && table.states() <= 64, "there are 1 to 64 states");
  upsweep::host host(1);
  const std::string text = "ab (c) 12\n\n";
  app::with_automaton(table, [&](const auto& a) { (void)upsweep::match(host, a, text); });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 200) return 0;
  const std::string expression(fuzz::text(data, size));
  check_table([&] { return app::whole_matcher(expression); });
  check_table([&] { return app::line_selector(expression, false, app::expression_syntax::posix); });
  const app::token_rule rules[] = {{1, expression}, {0, " +"}};
  check_table([&] { return app::lexer(rules, 2); });
  return 0;
}
