#!/usr/bin/env bash
# Programs that are wrong must not compile, and the first error must say what to do: the text behind `// says:`.
# mistakes_test.sh FILE... -- COMPILER [OPTION...]
set -euo pipefail
files=()
while [[ $1 != -- ]]; do
  files+=("$1")
  shift
done
shift
failed=0

# What the C++ files without options of their own include, compiled once: to read it anew takes longer than all else of a file.
# A compiler that cannot use the result reads the text.
headers=$(mktemp -d)
trap 'rm -r "$headers"' EXIT
mapfile -t plain < <(grep -L '^// options: ' "${files[@]}" | grep '\.cpp$')
if ((${#plain[@]})); then
  grep -h '^#include' "${plain[@]}" | sort -u >"$headers/all.hpp"
  "$@" -x c++-header "$headers/all.hpp" -o "$headers/all.hpp.gch" || rm -f "$headers/all.hpp.gch"
fi

for file in "${files[@]}"; do
  expected=$(sed -n 's|^// says: ||p' "$file")
  read -ra options <<<"$(sed -n 's|^// options: ||p' "$file")"
  if [[ $file == *.cpp ]]; then
    options+=(-fsyntax-only)
    if [[ " ${plain[*]} " == *" $file "* ]]; then options+=(-include "$headers/all.hpp"); fi
  fi
  if said=$("$@" "${options[@]}" "$file" 2>&1); then
    echo "FAILED: $file compiles"
    failed=1
    continue
  fi
  first=$(grep -m 1 -w error <<<"$said" || true)
  if [[ -z $expected || $first != *"$expected"* ]]; then
    printf 'FAILED: %s must say first: %s\n  it says: %s\n' "$file" "$expected" "$first"
    failed=1
  else
    echo "right: $file"
  fi
done
exit "$failed"
