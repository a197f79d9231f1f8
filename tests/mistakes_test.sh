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
for file in "${files[@]}"; do
  expected=$(sed -n 's|^// says: ||p' "$file")
  read -ra options <<<"$(sed -n 's|^// options: ||p' "$file")"
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
