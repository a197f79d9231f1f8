#!/usr/bin/env bash
# The program `pagerank` against Eigen and awk: ranks, their order, errors.   tests/pagerank_test.sh PAGERANK [BACKEND...]
# Backends: host, and cuda where it runs.
source "$(dirname "$0")/program.sh"
ours=$program

graph() { # graph FILE N EDGE...: edges are "i j"
  local file=$1 n=$2
  shift 2
  { printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' "$n $n $#" && (($# == 0)) || printf '%s\n' "$@"; } >"$file"
}
graph two 2 '1 2' '2 1'
find_backends Eigen 0 two

# right WHAT ARGUMENT...: is verified, and says what it did; the last backend's lines are in `actual`, its ranks in `ranks`
right() {
  local backend
  cases=$((cases + 1))
  for backend in "${backends[@]}"; do
    # A program on a GPU takes a third of a second to start: there every 7th case will do.
    [[ $backend == cuda ]] && ((cases % 7)) && continue
    "$ours" --check --ranks ranks --backend "$backend" "${@:2}" >actual 2>errors || fail "$1, $backend: status $?: $(tail -n 1 errors)"
    checks=$((checks + 1))
    [[ $(<errors) == *'pagerank: iteration 1: change '*'pagerank: '*' vertices, '*'pagerank: verified against Eigen'* ]] ||
      fail "$1, $backend: says $(tail -n 3 errors)"
    awk '{sum += $1} END {exit !(sum > 1 - 1e-12 && sum < 1 + 1e-12)}' ranks || fail "$1, $backend: the ranks' sum is not 1"
  done
}
prints() { # prints WHAT LINE...: that is what was printed
  checks=$((checks + 1))
  printf '%s\n' "${@:2}" | cmp -s actual || fail "$1: prints $(<actual)"
}

# ---------------------------------------------------------------- ranks that are known
right 'two vertices' two
prints 'two vertices' '0.5000000000 1' '0.5000000000 2'
graph one 1
right 'one vertex' one
prints 'one vertex' '1.0000000000 1'
graph none 3
right 'no edge' none
prints 'no edge' '0.3333333333 1' '0.3333333333 2' '0.3333333333 3'
# To vertex 2 from both others, which have 0.05 + 0.85 / 3 of what it has, as nobody hands it on: x and (1 + 2 · 0.85) x
graph star 3 '1 2' '3 2'
right 'a star' --tolerance 1e-12 star
prints 'a star' '0.5744680851 2' '0.2127659574 1' '0.2127659574 3'
graph chain 2 '1 2' # x and (1 + 0.85) x
right 'a chain' --tolerance 1e-12 chain
prints 'a chain' '0.6491228070 2' '0.3508771930 1'
right 'a chain, half the time' --tolerance 1e-12 --damping 0.5 chain
prints 'a chain, half the time' '0.6000000000 2' '0.4000000000 1'
right 'a chain, nobody follows' --damping 0 chain
prints 'a chain, nobody follows' '0.5000000000 1' '0.5000000000 2'
graph often 3 '1 2' '1 2' '1 2' '1 3' '2 1' '3 1' # an edge that is there three times counts as often
right 'an edge three times' --tolerance 1e-13 often
prints 'an edge three times' '0.4864864865 1' '0.3601351351 2' '0.1533783784 3'
sed '1s/pattern/real/; 3,$s/$/ -7.5/' often >values # values do not count
right 'values' --tolerance 1e-13 values
prints 'values' '0.4864864865 1' '0.3601351351 2' '0.1533783784 3'
printf '%s\n' '%%MatrixMarket matrix coordinate pattern symmetric' '3 3 2' '2 1' '3 2' >symmetric
graph general 3 '1 2' '2 1' '2 3' '3 2'
right 'both ways' general
cp actual expected
right 'a symmetric matrix' symmetric
cmp -s actual expected || fail "a symmetric matrix: prints $(<actual)"

# ---------------------------------------------------------------- graphs of all kinds
for size in 3 64 1000 20000; do
  awk -v n=$size 'BEGIN {
    srand(n)
    print "%%MatrixMarket matrix coordinate pattern general\n" n, n, 3 * n
    for (e = 0; e < 3 * n; e++) print int(n * rand() * rand()) + 1, int(n * rand() ^ 3) + 1
  }' >random
  right "random, $size" random
  # The order of --top, and the numbers of the vertices, from all ranks.
  "$ours" --top $size --ranks ranks random >actual 2>errors
  checks=$((checks + 1))
  awk '{printf "%.17g %.10f %d\n", $1, $1, NR}' ranks | sort -s -k 1,1gr | cut -d ' ' -f 2- | cmp -s - actual || fail "the order of $size"
done
for top in 0 1 7 64000; do
  [[ $("$ours" --top $top random 2>errors | wc -l) == $((top < 20000 ? top : 20000)) ]] || fail "--top $top"
done
for scale in 0 1 5 13; do
  right "R-MAT $scale" --scale $scale --tolerance 1e-10
  grep -qx "pagerank: no file is given: a generated R-MAT graph, --scale $scale" errors || fail "R-MAT: $(<errors)"
done
real_files matrices
for graph in "${files[@]}"; do
  read -r rows columns _ < <(grep -v '^%' "$graph")
  ((rows != columns)) || right "${graph##*/}" --tolerance 1e-10 "$graph"
done

# The same bits for any number of threads.
for threads in 1 2 3 7; do
  OMP_NUM_THREADS=$threads "$ours" --backend host --scale 13 --ranks "ranks$threads.npy" >"top$threads" 2>errors
  checks=$((checks + 1))
  cmp -s ranks1.npy "ranks$threads.npy" && cmp -s top1 "top$threads" || fail "$threads threads: other ranks"
done

# ---------------------------------------------------------------- progress
tells 'generating a graph' 'building the matrix' iterating verifying -- --check --scale 15

# ---------------------------------------------------------------- errors, wrong usage
failed() { # failed PATTERN ARGUMENT...: the last line says so, nothing is printed
  "$ours" "${@:2}" >actual 2>errors
  (($? == 1)) && [[ ! -s actual && $(tail -n 1 errors) == "pagerank: "$1 ]] || fail "${*:2}: says $(<actual) $(<errors)"
  checks=$((checks + 1))
}
echo old >old
failed 'after 3 iterations the change is 0.*, not below 1e-06' --max-iterations 3 --ranks old random
sed 's/^2 2 2/2 2 3/' two >bad
refused 'pagerank: bad: line 4: the file ends after 2 of 3 entries' 1 --ranks old bad
sed 's/^1 2/1 3/' two >bad
refused 'pagerank: bad: line 3: Column index out of bounds' 1 --ranks old bad
sed 's/^2 2 2/2 3 2/' two >bad
refused 'pagerank: bad: a graph has as many rows as columns, and some, not 2 x 3' 1 --ranks old bad
graph bad 0
refused 'pagerank: bad: a graph has as many rows as columns, and some, not 0 x 0' 1 --ranks old bad
failed 'missing/ranks: No such file or directory' --ranks missing/ranks two
failed '.: Is a directory' --ranks . two
(trap '' XFSZ && ulimit -f 4 && "$ours" --ranks old random >actual 2>errors)
(($? == 1)) && [[ $(tail -n 1 errors) == 'pagerank: old: write error: File too large' ]] || fail "no room: says $(<errors)"
if [[ -e /dev/full ]]; then
  "$ours" --ranks old two >/dev/full 2>errors
  (($? == 1)) && [[ $(tail -n 1 errors) == 'pagerank: -: write error: No space left on device' ]] || fail "/dev/full: says $(<errors)"
fi
holds old old 'errors'
nothing_left errors

refused '--wrong' 2 --wrong two
refused '--damping' 2 --damping 1.5 two
refused '--damping: must be a number' 2 --damping nan two
refused '--tolerance: must be a number' 2 --tolerance -NaN two
refused '--tolerance' 2 --tolerance 0 two
refused '--max-iterations' 2 --max-iterations 0 two
refused '--top' 2 --top -1 two
refused '--scale' 2 --scale 27
refused '--scale excludes FILE' 2 --scale 3 two
refused '--ranks: must be a file' 2 --ranks - two
refused '--ranks: must be another file than FILE' 2 --ranks ./two two
refused '--ranks: must not be empty' 2 --ranks '' two
refused 'FILE: must not be empty' 2 ''
refused 'must be auto, host or cuda' 2 --backend wrong two
UPSWEEP_BACKEND=wrong refused 'must be auto, host or cuda' 1 two
refused 'pagerank: missing: No such file or directory' 1 missing
mkdir directory
refused 'pagerank: directory: Is a directory' 1 directory

finish
