#!/usr/bin/env bash
# The program `banks`: the figures of the literature, formulas that equal what is counted, values, drawings that are
# XML, errors.
#   tests/banks_test.sh BANKS [BACKEND...]
source "$(dirname "$0")/program.sh"
banks=$program
find_backends 'the formulas of the K-model' 0

# ---------------------------------------------------------------- the tables
"$banks" --backend host >actual 2>errors || fail "status $?"
holds <(sed -n 2,8p actual | tr -s ' ') ' T W G
 formula counted formula counted formula counted
CM 641 641 20481 20481 64 64
NoPadding 383 383 2047 2047 64 64
Padding 73 73 2047 2047 64 64
LeftRight 68 68 2047 2047 64 64
LeftRight, published 68 68 2047 2047 64 64 wrong: 16 sums overwrite other values' 'the table of 2,048'
"$banks" --backend host --k 16 >actual 2>errors || fail "status $?"
holds <(sed -nE 's/^(CM|NoPadding|Padding|LeftRight) /\1 /p' actual | head -n 4 | tr -s ' ' | cut -d' ' -f1-3) \
  'CM 1281 1281
NoPadding 639 639
Padding 159 159
LeftRight 131 131' 'the table of 2,048 for k = 16'
for arguments in '--n 1' '--n 2 --k 8 --bytes 16' '--n 65536 --k 8' '--n 4096 --bytes 8' '--n 32 --k 1024 --bytes 16'; do
  checks=$((checks + 1))
  # shellcheck disable=SC2086 # they are words
  "$banks" --backend host $arguments >actual 2>errors || fail "$arguments: $(<errors)"
  sed -n 4,8p actual | sed -E 's/^LeftRight, published|^[A-Za-z]+//' |
    awk '{rows++; if ($1 != $2 || $3 != $4 || $5 != $6) exit 1} END {exit rows != 5}' ||
    fail "$arguments: a formula is not what is counted: $(<actual)"
done

# ---------------------------------------------------------------- values
for backend in "${backends[@]}"; do
  for arguments in '--n 1' '--n 2' '--n 1024' '--n 4096 --k 16' '--n 65536 --k 64 --bytes 16'; do
    checks=$((checks + 1))
    # shellcheck disable=SC2086 # they are words
    "$banks" --backend "$backend" $arguments --check >actual 2>errors || fail "$backend $arguments: $(<errors)"
    grep -q "verified against a serial loop, on $backend" errors || fail "$backend $arguments: $(<errors)"
    # As published it is wrong where values are lost, and nowhere else.
    [[ $(grep -c 'sums overwrite' actual) == $(grep -c 'is wrong from prefix' errors) ]] ||
      fail "$backend $arguments: $(<errors)"
  done
done

# ---------------------------------------------------------------- the drawing
for backend in "${backends[@]}"; do
  checks=$((checks + 1))
  "$banks" --backend "$backend" --plot plot.svg >actual 2>errors || fail "the plot on $backend: $(<errors)"
  python3 -c 'import sys, xml.dom.minidom as m
lines = m.parse("plot.svg").getElementsByTagName("polyline")
sys.exit(len(lines) != (8 if sys.argv[1] == "host" else 8 + 2 * 6))' "$backend" || fail "the plot on $backend: lines"
  [[ $backend != host || $(<errors) == 'banks: plot.svg shows the expected T alone: times are measured on a GPU' ]] ||
    fail "without a GPU: $(<errors)"
done

# ---------------------------------------------------------------- errors
refused '--n: must be a power of two' 2 --n 100
refused '--n' 2 --n 0
refused '--n' 2 --n 8388608
refused '--n' 2 --n many
refused '--k: must be a power of two' 2 --k 24
refused '--k' 2 --k 4
refused '--bytes: must be 4, 8 or 16' 2 --bytes 12
refused 'absent/x.svg: No such file or directory' 1 --backend host --plot absent/x.svg
refused '--plot: must be a file' 2 --plot -
nothing_left errors
finish
