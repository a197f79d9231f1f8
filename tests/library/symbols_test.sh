#!/usr/bin/env bash
# The names that a library defines for others are those of the C interface, as a file lists them.
# symbols_test.sh NM LIBRARY FILE
set -euo pipefail
options=(--defined-only --format=posix)
if [[ $2 == *.so* ]]; then options+=(--dynamic); else options+=(--extern-only); fi
diff "$3" <("$1" "${options[@]}" "$2" | awk 'NF > 2 && $2 != "A" {sub("@.*", "", $1); print $1}' | LC_ALL=C sort)
echo "right: $2 defines what $3 lists"
