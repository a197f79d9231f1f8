# What the tests of a program share. Sourced by NAME_test.sh PROGRAM [BACKEND...], with its arguments.
# Work is done in a directory of its own; fail and refused count, finish tells. The backends are those that are given.
set -uo pipefail
program=$(realpath "$1")
name=$(basename "$program")
backends=("${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C
unset UPSWEEP_BACKEND

cases=0
checks=0
failures=0

# find_backends PEER STATUS ARGUMENT...: if none is given, host, and cuda where `PROGRAM --backend cuda ARGUMENT...` ends with STATUS
find_backends() {
  if ((${#backends[@]} == 0)); then
    backends=(host)
    "$program" --backend cuda "${@:3}" >/dev/null 2>&1
    (($? == $2)) && backends+=(cuda)
  fi
  echo "$name against $1 on: ${backends[*]}"
}
fail() {
  printf 'FAILED: %s\n' "$1" >&2
  failures=$((failures + 1))
}
# refused WHAT STATUS ARGUMENT...: one line that holds WHAT, nothing printed
refused() {
  "$program" "${@:3}" >actual 2>errors </dev/null
  local status=$?
  checks=$((checks + 1))
  ((status == $2)) || fail "$name ${*:3}: status $status, should be $2"
  [[ ! -s actual && $(wc -l <errors) == 1 ]] && grep -qF -- "$1" errors || fail "$name ${*:3}: says $(cat errors)"
}
random_text() { # random_text SEED BYTES LETTERS
  awk -v seed="$1" -v n="$2" -v letters="$3" 'BEGIN {
    srand(seed)
    while (n-- > 0) printf "%s", substr(letters, int(rand() * length(letters)) + 1, 1)
  }'
}
finish() {
  echo "$checks checks, $failures failed"
  ((failures == 0))
}
