#!/usr/bin/env bash
# The program `ladder`: every rung verified and counted, the traces of the literature, the plot, errors.
#   tests/ladder_test.sh LADDER [BACKEND...]
source "$(dirname "$0")/program.sh"
find_backends "serial loops" 0 --n 32 --rounds 1

# ---------------------------------------------------------------- all rungs, verified by the program
for backend in "${backends[@]}"; do
  for n in 0 1 2 1000 1025 70000; do
    checks=$((checks + 1))
    "$program" --backend "$backend" --n $n --rounds 1 --check >actual 2>errors || fail "$n on $backend: $(<errors)"
    [[ $(grep -c '^' actual) == 17 && $(<errors) == *'all verified against a serial loop, bit for bit'* ]] ||
      fail "$n on $backend: $(<actual) $(<errors)"
  done
  for problem in 'int32 max' 'int32 affine' 'float32 plus' 'float32 affine'; do
    checks=$((checks + 1))
    # shellcheck disable=SC2086 # a type and an operator
    set -- $problem
    "$program" --backend "$backend" --n 5000 --rounds 1 --check --type "$1" --op "$2" >actual 2>errors ||
      fail "$problem on $backend: $(<errors)"
  done
  # What is counted of 2^16 items: launches, operations, words of memory
  "$program" --backend "$backend" --n 2^16 --rounds 1 >actual 2>errors || fail "counts on $backend: $(<errors)"
  counts=$(awk '$1 ~ /^(sequential|hillis-steele|blelloch|padded-trees|reduce-then-scan|look-back|look-ahead|sweep)$/ {print $1, $6, $7, $8}' actual)
  checks=$((checks + 1))
  [[ $counts == 'sequential 1 1.00 2.00
hillis-steele 1 15.00 '* && $counts == *'
blelloch 1 2.00 '* && $counts == *'
look-back 2 '*' 2.00
look-ahead 1 '*' 2.00
sweep 1 '*' 1.00' ]] || fail "counts on $backend: $counts"
done

# ---------------------------------------------------------------- traces
# trace RUNG NUMBERS LINES: what stands behind the names of the steps
trace() {
  "$program" --trace "$2" --rung "$1" "${@:4}" >actual 2>errors || fail "trace of $1: $(<errors)"
  holds <(sed -E '1d; s/^  .{24} //' actual) "$3" "trace of $1"
}
trace hillis-steele 3,1,7,0,4,1,6,3 '3 1 7 0 4 1 6 3
3 4 8 7 4 5 7 9
3 4 11 11 12 12 11 14
3 4 11 11 15 16 22 25
3 4 11 11 15 16 22 25'
trace blelloch 3,1,7,0,4,1,6,3 '3 1 7 0 4 1 6 3
3 4 7 7 4 5 6 9
3 4 7 11 4 5 6 14
3 4 7 11 4 5 6 25
3 4 7 11 4 16 6 25
3 4 11 11 15 16 22 25
3 4 11 11 15 16 22 25'
trace blelloch-exclusive 1,2,3,4 '1 2 3 4
1 3 3 7
1 3 3 10
1 3 3 0
1 0 3 3
0 1 3 6
0 1 3 6'
trace trees 3,5,2,7,28,4,3,0,8,1 '3 5 2 7 28 4 3 0 8 1
'"$(sed -nE '3,$s/^  .{24} //p' <("$program" --trace 3,5,2,7,28,4,3,0,8,1 --rung trees))"
[[ $(tail -n 1 actual) == *' 3 8 10 17 45 49 52 52 60 61' ]] || fail "cuts of a sandwich: $(tail -n 1 actual)"
left=$((100 - $(tail -n 1 actual | grep -oE '[0-9]+$')))
[[ $left == 39 ]] || fail "of a sandwich of 100 inches $left are left, not 39"
trace naive 3,-1,2 '3 -1 2
3 3 3
3 3 3' --op max

# ---------------------------------------------------------------- the plot
checks=$((checks + 1))
"$program" --backend host --n 2^10 --rounds 1 --plot plot.svg >actual 2>errors || fail "the plot: $(<errors)"
python3 -c 'import sys, xml.dom.minidom as m
lines = [p.getAttribute("points").split() for p in m.parse("plot.svg").getElementsByTagName("polyline")]
sys.exit(len(lines) != 12 or any(len(points) != 6 for points in lines))' || fail "the plot has not 12 curves of 6 points"

# ---------------------------------------------------------------- errors
refused '--n' 2 --n -1
refused '--n' 2 --n 2^34
refused '--n' 2 --n 1e3
refused '--n: a plot needs 64 at least' 2 --n 63 --plot x.svg --backend host
refused '--op: max is for int32, not for float32' 2 --op max --type float32
refused '--rung' 2 --rung quick
refused '--trace' 2 --trace 1,x
refused '--trace' 2 --trace ''
refused 'naive: takes up to 4,096 items, not 4,097' 1 --n 4097 --rung naive --backend host
refused 'absent/x.svg: No such file or directory' 1 --n 64 --plot absent/x.svg --backend host
nothing_left errors
finish
