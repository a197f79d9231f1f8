#!/usr/bin/env bash
# The page's table of calls is what the library's rows give, by the program that prints it (calls.cpp).
# page_test.sh PROGRAM PAGE [--fix]   --fix writes it
set -euo pipefail
block() { # block FILE: the page with the table of this file
  awk -v table="$1" '
    /^<!-- compiled:begin calls -->$/ {print; while ((getline line < table) > 0) print line; inside = 1; found = 1}
    /^<!-- compiled:end calls -->$/ {inside = 0}
    !inside {if (!/compiled:begin/) print}
    END {exit !found}' "$page"
}
page=$2
made=$(mktemp)
trap 'rm "$made" "$made.page"' EXIT
"$1" >"$made"
block "$made" >"$made.page"
if [[ ${3:-} == --fix ]]; then cat "$made.page" >"$page"; fi
diff "$page" "$made.page" || { echo "FAILED: this is not what the rows give; $0 $1 $2 --fix writes it" >&2 && exit 1; }
echo "right: $page has the calls that the rows give"
