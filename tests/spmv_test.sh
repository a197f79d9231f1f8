#!/usr/bin/env bash
# The program `spmv` against Eigen and awk: products, Matrix Market files, pictures, errors.   tests/spmv_test.sh SPMV [BACKEND...]
# Backends: host, and cuda where it runs.
looks=$(realpath "$(dirname "$0")/spmv_picture.py")
source "$(dirname "$0")/program.sh"
ours=$program

matrix() { # matrix FILE BANNER LINE...: a Matrix Market file
  printf '%s\n' "%%MatrixMarket matrix coordinate $2" "${@:3}" >"$1"
}
matrix one 'real general' '1 1 1' '1 1 2.5'
find_backends Eigen 0 --repeat 1 one

# right WHAT ARGUMENT...: prints a table, and is verified
right() {
  local backend type
  cases=$((cases + 1))
  for backend in "${backends[@]}"; do
    # A program on a GPU takes a third of a second to start: there every 7th case will do.
    [[ $backend == cuda ]] && ((cases % 7)) && continue
    for type in float double; do
      "$ours" --check --plan --repeat 2 --type $type --backend "$backend" "${@:2}" >actual 2>errors ||
        fail "$1, $backend, $type: status $?: $(<errors)"
      checks=$((checks + 1))
      [[ $(grep -c '^upsweep .* us ' actual) == 2 && $(grep -c '^Eigen.* us ' actual) == 1 && $(<errors) == *'spmv: verified against Eigen in double'* ]] ||
        fail "$1, $backend, $type: says $(<actual) $(<errors)"
      ! grep -q '^cuSPARSE' actual || grep -q 'Eigen in double, and so is cuSPARSE$' errors ||
        fail "$1, $backend, $type: cuSPARSE is not verified: $(<errors)"
    done
  done
}
# product FILE Y [X]: the product with X (1, 10, 100, …) is Y, spaces between the numbers
product() {
  tr ' ' '\n' <<<"${3:-1 10 100 1000}" | head -n "$(grep -v '^ *%' "$1" | tr -d '\r' | awk 'NF {print $2; exit}')" >x
  right "$1" --x x --y y "$1"
  checks=$((checks + 1))
  [[ $(paste -sd ' ' y) == "$2" ]] || fail "$1: the product is $(paste -sd ' ' y), should be $2"
}

# ---------------------------------------------------------------- files as they should be, and as they may be
product one 2.5
matrix real 'real general' '3 4 5' '1 1 1.5' '3 4 -2e-1' '1 4 4' '2 2 1' '3 1 7'
product real '4001.5 10 -193'
matrix integer 'integer general' '2 2 3' '1 1 3' '2 1 -4' '2 2 1'
product integer '3 6'
matrix pattern 'pattern general' '2 3 3' '1 3' '2 1' '2 2'
product pattern '100 11'
matrix symmetric 'real symmetric' '3 3 4' '1 1 1' '3 1 2' '3 2 5' '3 3 1'
product symmetric '201 500 152'
matrix skew 'real skew-symmetric' '3 3 2' '2 1 3' '3 2 -1'
product skew '-30 103 -10'
matrix pattern_symmetric 'pattern symmetric' '3 3 2' '2 1' '3 3'
product pattern_symmetric '10 1 100'
matrix repeated 'integer general' '2 2 4' '2 2 1' '1 2 1' '2 2 2' '2 2 -7'
product repeated '10 -40'
matrix case 'REAL General' '1 1 1' '1 1 3'
product case 3
matrix comments 'real general' '% one' '%' '' ' % two' '2 2 2' '% between' '1 1 3' '' '   % between, 2 2 2' $'\t' ' 2 2 4' '% end' ''
product comments '3 40'
sed 's/$/\r/' comments >windows
product windows '3 40'
printf '%s' "$(<real)" >no_newline
product no_newline '4001.5 10 -193'
printf '%s \r' "$(<real)" >blanks_at_the_end
product blanks_at_the_end '4001.5 10 -193'
matrix signs 'real general' '1 3 3' '1 1 +2.5' '01 2  -.5' $'1\t3 \t+1E+2 '
product signs 9997.5
matrix tiny 'real general' '1 2 2' '1 1 1e-400' '1 2 4'
product tiny 40
matrix whole 'integer general' '1 3 3' '1 1 +2' '1 2 -0' '1 3 12345678901234567890123'
right 'integers' whole
matrix none 'real general' '3 2 0'
product none '0 0 0'
matrix no_row 'real general' '0 2 0'
product no_row ''
matrix no_column 'pattern general' '2 0 0'
right no_column no_column
cp real '[real,one] with: spaces'
right 'a name with brackets' '[real,one] with: spaces'
"$ours" --check - <real >actual 2>errors && [[ $(<actual) == '-: real, general, 3 x 4, 5 non-zeros as float'* ]] ||
  fail "standard input: says $(<actual) $(<errors)"
printf '\223NUMPY\1\0\166\0%-117s\n\1\0\0\0\2\0\0\0' "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }" >x.npy
"$ours" --x x.npy --y y.npy --type double integer >actual 2>errors &&
  cmp -s y.npy <(printf '\223NUMPY\1\0\166\0%-117s\n\0\0\0\0\0\0\10\100\0\0\0\0\0\0\0\300' \
    "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }") || fail ".npy: $(<errors) $(od -c y.npy)"

# ---------------------------------------------------------------- what is said of the rows
{ matrix long 'pattern general' '7 300 276' && seq -f '3 %g' 270 && printf '%s\n' '1 1' '5 1' '5 9' '5 8' '7 1' '7 2'; } >tail
cat tail >>long
"$ours" --repeat 1 long >actual 2>errors
checks=$((checks + 1))
sed '/a product/,$d' actual | tr -s ' ' | cmp -s - <(printf '%s\n' 'long: pattern, general, 7 x 300, 276 non-zeros as float' \
  'rows of 39.43 non-zeros on average, 270 at most (row 3); 3 are empty' ' 0 3 rows ##############################' \
  ' 1 1 rows ##########' ' 2 to 3 2 rows ####################' ' 256 to 511 1 rows ##########') ||
  fail "statistics: says $(<actual)"

# ---------------------------------------------------------------- wrong files: one line, with the line's number
wrong() { # wrong LINE WHAT FILE
  refused "spmv: $3: line ${1:+$1: }$2" 1 "$3"
}
lines() { # lines LINE WHAT BANNER LINE...
  matrix bad "${@:3}"
  wrong "$1" "$2" bad
}
lines 4 'the file ends after 1 of 2 entries' 'real general' '2 2 2' '1 1 1' ''
lines 2 'the file ends after 0 of 9,000,000,000,000,000,000 entries' 'real general' '2 2 9000000000000000000'
lines 5 'an entry more than the 1 of the header' 'real general' '2 2 1' '1 1 1' '' '2 2 1'
lines 4 'Invalid floating-point value' 'real general' '2 2 2' '1 1 1' '2 2'
lines 3 'Invalid integer value' 'real general' '2 2 1' '1'
lines 6 'Row index out of bounds' 'real general' '2 2 2' '% x' '1 1 1' '' '0 1 1'
lines 3 'Column index out of bounds' 'real general' '2 2 1' '1 0 1'
lines 3 'Row index out of bounds' 'real general' '2 3 1' '3 1 1'
lines 3 'Column index out of bounds' 'real general' '3 2 1' '1 3 1'
lines 3 'Row index out of bounds' 'real general' '3 2 1' '-1 1 1'
lines 3 'Row index out of bounds' 'real general' '3 2 1' '9999999999 1 1'
lines 3 'Integer out of range' 'real general' '3 2 1' '99999999999999999999 1 1'
for value in nan NaN -nan inf Infinity -inf 1e999; do
  lines 4 'the value is not finite' 'real general' '2 2 2' '1 1 1' "2 2 $value"
done
lines 3 'Invalid integer value' 'real general' '2 2 1' '1.5 1 1'
lines 3 'what is "D+05" behind the entry?' 'real general' '2 2 1' '1 1 1.0D+05'
lines 3 'what is "7" behind the entry?' 'real general' '2 2 1' '1 1 1 7'
lines 3 'what is "% x" behind the entry?' 'integer general' '2 2 1' '1 1 1 % x'
lines 3 'what is "5" behind the entry?' 'pattern general' '2 2 1' '1 1 5'
lines 3 'what is "x" behind the entry?' 'pattern general' '2 2 1' '1 1x'
for entry in '2 1.5' '1 1-3' '1 1+3' '1 2.' '2 2inf' '1 1.5 2'; do # two numbers, or three that touch
  lines 4 'there is no blank between the column and the value' 'real general' '2 2 2' '1 1 1' "$entry"
  lines 4 'there is no blank between the column and the value' 'integer general' '2 2 2' '1 1 1' "$entry"
done
for entry in '1-1 5' '1.5 1' '1,1 5' '1+1 5' '0x1 1 5' '1e0 1 5'; do lines 3 '' 'real general' '2 2 1' "$entry"; done
for value in 7.5 7. .5 1e2 1E2 -0.0; do lines 3 "the value \"$value\" is no integer" 'integer general' '2 2 1' "1 1 $value"; done
lines 3 'Invalid floating-point value' 'integer general' '2 2 1' '1 1 x'
lines 3 'what is "x10" behind the entry?' 'integer general' '2 2 1' '1 1 0x10'
lines 3 'an entry above the diagonal' 'real symmetric' '2 2 1' '1 2 5'
lines 4 'an entry above the diagonal' 'pattern skew-symmetric' '2 2 2' '2 1' '1 2'
lines 4 'an entry on the diagonal of a skew-symmetric matrix' 'real skew-symmetric' '2 2 2' '2 1 5' '1 1 5'
lines 2 '3 rows and 2 columns cannot be symmetric' 'real symmetric' '3 2 0'
lines 2 '3,000,000,000 rows and 2 columns, at most' 'real general' '3000000000 2 0'
lines 2 '50,000,000 rows and 1 columns are too many for 0 entries' 'real general' '50000000 1 0'
takes_less 500 bad
lines 2 '1 rows and 50,000,000 columns are too many for 1 entries' 'pattern general' '1 50000000 1' '1 1'
lines 2 'the file ends after 0 of 9,000,000,000,000,000,000' 'pattern general' '5000000 1 9000000000000000000'
lines 2 'Header dimension line not of length 3' 'real general' '2 2 1 1' '1 1 1'
lines 3 'Invalid integer value' 'real general' '% x' '2 2' '1 1 1'
lines 2 'Invalid integer value' 'real general' 'two two 1' '1 1 1'
lines 2 "Matrix dimensions can't be negative" 'real general' '-2 2 0'
lines 2 "Matrix NNZ can't be negative" 'real general' '2 2 -1'
lines 3 'Invalid MatrixMarket header: Premature EOF' 'real general' '% x'
lines 1 'the matrix is complex, general' 'complex general' '1 1 1' '1 1 1 0'
lines 1 'the matrix is complex, hermitian' 'complex hermitian' '1 1 1' '1 1 1 0'
lines 1 'the matrix is real, hermitian' 'real hermitian' '1 1 1' '1 1 1'
lines 1 'Invalid MatrixMarket header element: quaternion' 'quaternion general' '1 1 1' '1 1 1'
lines 1 'Invalid MatrixMarket header element: lopsided' 'real lopsided' '1 1 1' '1 1 1'
lines 1 'Invalid MatrixMarket header element' 'real' '1 1 1' '1 1 1'
printf '%%%%MatrixMarket matrix array real general\n1 1\n1\n' >array
wrong 1 'an array of all items, must be coordinates' array
printf '%%%%MatrixMarket vector coordinate real general\n1 1\n1 1\n' >vector
wrong 1 'a vector, must be a matrix' vector
: >empty
for file in empty "$0" tail; do
  cp "$file" bad 2>/dev/null
  wrong 1 'Not a Matrix Market file. Missing banner.' bad
done
printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 2 2' '1 1 1' | cat - <(printf '2 2 1\0\n') >zero
wrong 4 'what is "?" behind the entry?' zero
step=1
if shorter 'files are cut in one of four places'; then step=4; fi
for ((length = $(stat -c %s real) - 2; length >= 0; length -= step)); do # cut anywhere
  head -c $length real >cut
  wrong '' '' cut
done

# Many entries are parsed by several threads; the line is right wherever it is.
awk 'BEGIN {print "%%MatrixMarket matrix coordinate real general"; print "1000 1000 600000"
            for (i = 0; i < 600000; i++) print i % 1000 + 1, i % 991 + 1, (i % 17) / 4}' >many
right 'many entries' many
for line in 3 170001 400000 600002; do
  sed "${line}s/\$/ x/" many >bad
  wrong $line 'what is "x" behind the entry?' bad
done
sed '5p' many >bad
wrong 600003 'an entry more than the 600,000 of the header' bad

# ---------------------------------------------------------------- matrices of all kinds
random_matrix() { # random_matrix SEED ROWS COLUMNS ENTRIES
  awk -v seed="$1" -v rows="$2" -v columns="$3" -v n="$4" 'BEGIN {
    srand(seed)
    print "%%MatrixMarket matrix coordinate real general\n" rows, columns, n
    while (n-- > 0) print int(rows * rand()) + 1, int(columns * rand() * rand()) + 1, 2 * rand() - 1
  }' >random
}
for size in 1 2 17 255 4097; do
  random_matrix $size $size $((3 * size)) $((7 * size)) && right "a wide matrix of $size rows" random
  random_matrix $size $((3 * size)) $size $((7 * size)) && right "a high matrix of $size columns" random
  random_matrix $size 1 $size $((2 * size)) && right "a row of $size" random
  random_matrix $size $size 1 $((2 * size)) && right "a column of $size" random
done
for scale in 0 1 2 5 12; do
  for shape in rmat lattice; do
    right "$shape $scale" --generate $shape --scale $scale
    grep -qx "spmv: no file is given: a generated matrix, --generate $shape --scale $scale" errors || fail "$shape: $(<errors)"
  done
done
[[ $(head -n 1 actual) == 'generated: 2-D lattice, 4,096 x 4,096, 20,224 non-zeros as double' ]] || fail "a lattice: $(<actual)"
real_files matrices
for file in "${files[@]}"; do right "${file##*/}" "$file"; done

# The same bits for any number of threads.
for threads in 1 2 3 7; do
  OMP_NUM_THREADS=$threads "$ours" --backend host --repeat 1 --scale 12 --y "y$threads.npy" >actual 2>errors
  checks=$((checks + 1))
  cmp -s y1.npy "y$threads.npy" || fail "$threads threads: $(cmp y1.npy "y$threads.npy" 2>&1)"
done

# ---------------------------------------------------------------- pictures
draws() { # draws WHAT FILE
  local backend
  for backend in "${backends[@]}"; do
    "$ours" --repeat 1 --backend "$backend" --picture $backend.png "$2" >actual 2>errors || fail "a picture of $1: $(<errors)"
    checks=$((checks + 1))
    python3 "$looks" "$2" $backend.png || fail "a picture of $1, $backend"
  done
}
for file in one real pattern repeated none no_row no_column; do draws "$file" $file; done
random_matrix 1 30 70 200 && draws 'a wide matrix' random
random_matrix 2 800 11 500 && draws 'a narrow matrix' random
random_matrix 3 900 2500 20000 && draws 'a matrix of more columns than pixels' random
random_matrix 4 5000 2 5000 && draws 'a column' random

# ---------------------------------------------------------------- files stay whole
old() { # old WHAT: the old files are still there
  checks=$((checks + 1))
  cmp -s old.png <(echo old) && cmp -s old.y <(echo old) || fail "$1: an old file has changed"
}
echo old >old.png
echo old >old.y
matrix bad 'real general' '1 1 1' '2 1 1'
refused 'spmv: bad: line 3: ' 1 --picture old.png --y old.y bad
old 'a wrong matrix'
refused 'spmv: missing/y: No such file or directory' 1 --picture old.png --y missing/y one
refused 'spmv: missing/p: No such file or directory' 1 --picture missing/p --y old.y one
refused 'spmv: .: Is a directory' 1 --picture . --y old.y one
old 'no place to write'
(trap '' XFSZ && ulimit -f 4 && "$ours" --picture old.png --y old.y many >actual 2>errors)
(($? == 1)) && [[ $(<errors) == 'spmv: old.'*': write error: File too large' ]] || fail "no room: says $(<errors)"
old 'no room'
if [[ -e /dev/full ]]; then
  "$ours" --picture old.png --y old.y one >/dev/full 2>errors
  (($? == 1)) && [[ $(<errors) == 'spmv: -: write error: No space left on device' ]] || fail "/dev/full: says $(<errors)"
  old 'no room for what is printed'
fi
nothing_left errors

# ---------------------------------------------------------------- progress
tells 'parsing the matrix' 'compressing the rows' multiplying verifying 'writing files' -- --check --y y --picture p.png many
tells 'generating a matrix' -- --scale 14

# ---------------------------------------------------------------- wrong usage, other errors
refused '--wrong' 2 --wrong one
refused '--type' 2 --type int one
refused '--repeat' 2 --repeat 0 one
refused '--generate' 2 --generate tree
refused '--scale' 2 --scale 27
refused '--scale excludes FILE' 2 --scale 3 one
refused 'excludes' 2 --generate lattice one
refused '--picture: must be a file' 2 --picture - one
refused '--y: must be a file' 2 --y - one
refused '--picture: must be another file than --y' 2 --y same --picture same one
refused '--picture: must be another file than --y' 2 --y same --picture ./same one
refused '--y: must be another file than FILE' 2 --y one one
refused '--y: must be another file than --x' 2 --x x --y ./x one
refused '--picture: must be another file than FILE' 2 --picture "$PWD/one" one
refused 'FILE: must not be empty' 2 ''
refused '--x: must not be empty' 2 --x '' one
refused '--y: must not be empty' 2 --y '' one
refused 'must be auto, host or cuda' 2 --backend wrong one
UPSWEEP_BACKEND=wrong refused 'must be auto, host or cuda' 1 one
refused 'spmv: missing: No such file or directory' 1 missing
mkdir directory
refused 'spmv: directory: Is a directory' 1 directory
printf '1\n2\n' >x
refused 'spmv: x: has 2 numbers, the matrix 1 columns' 1 --x x one
printf '1\nx\n' >x
refused 'spmv: x: line 2: "x" is no float64' 1 --x x integer
matrix large 'real general' '1 1 1' '1 1 1e39'
refused 'a value is out of the range of its type' 1 large
matrix row 'real general' '1 3 3' '1 1 1' '1 2 2' '1 3 0'
printf '1\n2e39\n3\n' >x
refused 'spmv: x: number 2 is out of the range of its type (--type)' 1 --x x row
checks=$((checks + 1))
"$ours" --type double --check --x x row >actual 2>errors || fail "2e39 in double: $(<errors)"
# What is not finite on both sides agrees; so does what is too small to be exact.
matrix unusual 'real general' '4 4 9' '1 1 1' '1 2 1' '2 2 1' '2 3 2' '3 1 2' '3 3 3' '4 1 1e-30' '4 4 1e-15' '4 3 1e-40'
for numbers in 'inf 1 1 1' '-inf 1 inf 1' 'nan 1 1 1' '3e38 3e38 3e38 1' '3e38 1 -3e38 1' '1e-38 1e-38 1e-38 1e-30' '1e-45 1e-45 -1e-45 1e-45' \
  '1e-400 1e-300 -1e-400 1'; do
  tr ' ' '\n' <<<"$numbers" >x
  right "x of $numbers" --x x unusual
done
printf '1e308\n1e308\n1e308\n1e-300\n' >x
checks=$((checks + 1))
"$ours" --type double --check --x x unusual >actual 2>errors || fail "beyond double: $(<errors)"
right_sum=$("$ours" --type double --check large 2>&1) || fail "1e39 in double: $right_sum"

finish
