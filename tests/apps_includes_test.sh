#!/usr/bin/env bash
# The programs are examples of use: of upsweep they include public headers alone, and of the other folders nothing.
# (classic/ is a folder of public headers, but for its cuda/.)   tests/apps_includes_test.sh [FOLDER]
set -uo pipefail
cd "${1:-$(dirname "$0")/../apps}" || exit 1
failures=0
# none WHAT PATTERN: no line of theirs is like that, as Perl has patterns
none() {
  local found
  found=$(grep -rnP --include='*.[ch]pp' --include='*.cu' -- "$2" .) || return 0
  printf 'FAILED: %s:\n%s\n' "$1" "$found" >&2
  failures=$((failures + 1))
}
none 'includes of bench/ or tests/' '#include.*(bench|tests)/'
none 'includes of what is inside the library' '#include.*upsweep/(?!classic/[a-z_]+\.hpp)[a-z_]+/'
none "the library's own names" 'upsweep::(detail|gpu)\b|using namespace upsweep'
echo "$failures failed"
((failures == 0))
