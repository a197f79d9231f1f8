#!/usr/bin/env bash
# The program `sort` against coreutils and NumPy: order, files, pictures, errors.   tests/sort_test.sh SORT [BACKEND...]
# Backends: host, and cuda where it runs. Without NumPy the .npy files are those made by hand.
looks=$(realpath "$(dirname "$0")/sort_picture.py")
source "$(dirname "$0")/program.sh"
ours=$program

echo 1 >one
find_backends coreutils 0 one

# sorts WHAT ARGUMENT...: sorts, both ways, to what is in the files `ascending` and `descending`, and says that it did
sorts() {
  local backend method order say
  cases=$((cases + 1))
  for backend in "${backends[@]}"; do
    # A program on a GPU takes a third of a second to start: there every 7th case will do.
    [[ $backend == cuda ]] && ((cases % 7)) && continue
    for method in radix quick; do
      for order in ascending descending; do
        say="$1, $backend, $method, $order"
        "$ours" --check --method $method --order $order --backend "$backend" "${@:2}" >actual 2>errors ||
          fail "$say: status $?"
        checks=$((checks + 1))
        cmp -s actual $order || fail "$say: $(cmp actual $order 2>&1)"
        [[ $(<errors) == 'sort: '*' numbers, '*$'\nsort: verified against std::sort'* ]] || fail "$say: says $(<errors)"
      done
    done
  done
}
# same FILE ARGUMENT...: sorts a text as `sort -n` does
same() {
  sort -n "$1" >ascending
  tac ascending >descending
  sorts "${*@Q}" "${@:2}" "$1"
}
# is FILE TEXT WHAT
is() {
  checks=$((checks + 1))
  cmp -s "$1" <(printf "$2") || fail "$3: $(od -c "$1" | head -n 12)"
}
random() { # random SEED NUMBERS LOW HIGH: integers
  awk -v seed="$1" -v n="$2" -v low="$3" -v high="$4" 'BEGIN {
    srand(seed)
    while (n-- > 0) printf "%d\n", low + int(rand() * (high - low + 1))
  }'
}

# ---------------------------------------------------------------- text
: >empty
printf '3\n1\n2' >no_newline
printf -- '-1\n1\n0\n-9223372036854775808\n9223372036854775807\n' >extremes
for text in empty one no_newline extremes; do same $text; done
sizes=(65536 300001)
step=1
if shorter 'files of up to 20,001 numbers, not 300,001; .npy files cut in one of four places, by one version of each type and size'; then
  sizes=(20001) step=4
fi
for size in 2 255 256 257 4095 4097 "${sizes[@]}"; do
  random $size $size -1000000000 1000000000 | sed "s/0\$/1/" >numbers # none that is shorter with an exponent
  same numbers
  same numbers --type int32
  same numbers --type float64
  random $size $size 0 9 >few
  same few
  same few --type uint8
done
seq -1000 50000 >in_order && same in_order --type int32
tac in_order >reversed && same reversed
random 1 20000 -128 127 >bytes && same bytes --type int8
random 2 20000 -32768 32767 >shorts && same shorts --type int16
random 3 20000 0 65535 >shorts && same shorts --type uint16
awk 'BEGIN {srand(4); while (n++ < 20000) printf "%.0f%06d\n", 1844674407370 * rand(), 1e6 * rand()}' | sed 's/^0*//' >wide
echo 18446744073709551615 >>wide
same wide --type uint64
awk 'BEGIN {srand(5); while (n++ < 20000) printf "%d.%d%d\n", 2000 * rand() - 1000, 1000 * rand(), 1 + 9 * rand()}' >floats
same floats
printf '1e-3\n-inf\nnan\n0\n-0\n-nan\ninf\n2.50\n-1e300\n' >special
printf -- '-nan\n-inf\n-1e+300\n-0\n0\n0.001\n2.5\ninf\nnan\n' >ascending
tac ascending >descending
sorts 'special values' special
printf '1e-400\n-1e-400\n1e-310\n-4e-320\n' >small
printf -- '-4e-320\n-0\n0\n1e-310\n' >ascending
tac ascending >descending
sorts 'small numbers' small
printf -- '-0\n-0\n0\n0\n' >ascending
tac ascending >descending
sorts 'numbers too small for their type' --type float32 small
printf ' 2\t\r\n\n  +7\r\n-1\n\n' >blanks
printf -- '-1\n2\n7\n' >ascending
tac ascending >descending
sorts 'blanks' blanks
"$ours" - <no_newline 2>errors | cmp -s - <(printf '1\n2\n3\n') || fail 'standard input'

# ---------------------------------------------------------------- .npy
npy() { # npy TYPE SHAPE BYTES: the file that NumPy writes
  printf '\223NUMPY\1\0\166\0%-117s\n'"$3" "{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
}
npy '<i2' '(3,)' '\3\0\1\0\377\377' >in.npy
npy '<i2' '(3,)' '\377\377\1\0\3\0' >sorted.npy
"$ours" in.npy 2>errors | cmp -s - <(printf -- '-1\n1\n3\n') || fail '.npy to text'
"$ours" in.npy out.npy 2>errors && cmp -s out.npy sorted.npy || fail '.npy to .npy'
cp in.npy same.npy && "$ours" same.npy same.npy 2>errors && cmp -s same.npy sorted.npy || fail 'a .npy file into itself'
printf '3\n1\n-1\n' | "$ours" --type int16 - out.npy 2>errors && cmp -s out.npy sorted.npy || fail 'text to .npy'
"$ours" - <in.npy 2>errors | cmp -s - <(printf -- '-1\n1\n3\n') || fail '.npy from standard input'
printf '\223NUMPY\1\0\075\0%-61s\3\0\1\0\377\377' "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }" >odd.npy
"$ours" odd.npy out.npy 2>errors && cmp -s out.npy sorted.npy || fail 'numbers at an odd address'
npy '|u1' '(0,)' '' >none.npy && "$ours" none.npy out.npy 2>errors && cmp -s out.npy none.npy || fail 'no numbers'
checks=$((checks + 7))

npy '>i4' '(1,)' '\0\0\0\1' >big.npy && refused 'its numbers are ">i4"' 1 big.npy
npy '<c8' '(1,)' '\0\0\0\0\0\0\0\1' >complex.npy && refused 'its numbers are "<c8"' 1 complex.npy
npy '<i4' '(1, 1)' '\0\0\0\1' >matrix.npy && refused 'its shape is "(1, 1)"' 1 matrix.npy
npy '<i4' '()' '\0\0\0\1' >scalar.npy && refused 'its shape is "()"' 1 scalar.npy
npy '<i4' '(2,)' '\0\0\0\1' >short.npy && refused 'ends before its 2 numbers' 1 short.npy
npy '<i4' '(99999999999999999999999,)' '' >huge.npy && refused 'its shape is' 1 huge.npy
npy '<i4' '(9999999999999999999,)' '' >huge.npy && refused 'ends before its' 1 huge.npy
sed 's/shape/sharp/' in.npy >no_shape.npy && refused "no 'shape'" 1 no_shape.npy
sed "s/'<i2'/[('a', '<i2')]/" in.npy >fields.npy && refused 'its numbers are "several fields"' 1 fields.npy
npy '<i4' '3' '' >bare.npy && refused 'its shape is' 1 bare.npy
for ((length = 0; length < 128; length += step)); do head -c $length in.npy >cut.npy && refused 'sort: cut.npy: ' 1 cut.npy; done
printf '1\n' >text.npy && refused 'no .npy file' 1 text.npy
refused 'holds int16, not int8' 1 --type int8 in.npy

if has_python numpy; then
  cat >arrays.py <<'END'
import subprocess, sys
import numpy as np
sort, backend = sys.argv[1:3]
fewer = int(sys.argv[3]) > 1
random = np.random.default_rng(1)
made = 0
for name in 'int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64'.split():
    for n in 0, 1, 1000, 100003:
        bits = random.integers(0, 256, n * np.dtype(name).itemsize, np.uint8).view(name)
        array = np.nan_to_num(bits, nan=0.0) if name.startswith('float') else bits
        versions = (1, 0), (2, 0), (3, 0)
        made += 1
        for version in versions[made % 3 :][:1] if fewer else versions:
            with open('in.npy', 'wb') as file:
                np.lib.format.write_array(file, array, version)
            subprocess.run([sort, '--backend', backend, 'in.npy', 'out.npy'], check=True, stderr=subprocess.DEVNULL)
            out = np.load('out.npy')
            assert out.dtype == array.dtype and np.array_equal(out, np.sort(array)), (name, n, version)
END
  for backend in "${backends[@]}"; do
    python3 arrays.py "$ours" "$backend" $step || fail "NumPy's arrays, $backend"
    checks=$((checks + (step == 1 ? 120 : 40)))
  done
fi

# ---------------------------------------------------------------- pictures
# draws WHAT NUMBERS ARGUMENT...
draws() {
  local backend order say levels
  for order in ascending descending; do
    for backend in "${backends[@]}"; do
      say="a picture of $1, $backend, $order"
      "$ours" --picture $backend.png --order $order --backend "$backend" "${@:3}" "$2" sorted 2>errors ||
        fail "$say: status $?: $(<errors)"
      checks=$((checks + 1))
      levels=$(sed -n "s/^sort: $backend.png shows a quicksort of them in \([0-9]*\) levels (.*)\$/\1/p" errors)
      [[ $levels ]] || fail "$say: says $(<errors)"
      python3 "$looks" "$2" $order "$levels" $backend.png || fail "$say"
      cmp -s $backend.png "${backends[0]}.png" || fail "$say: is another one than ${backends[0]}'s"
    done
  done
}
seq 1 2 >two
yes 7 | head -n 5000 >equal
(seq 1 2 999 && seq 1000 -2 0) >pipe
draws 'no numbers' empty
draws 'one number' one
draws 'two numbers' two
draws 'equal numbers' equal
draws 'numbers in order' in_order
draws 'numbers the wrong way round' reversed
draws 'a pipe' pipe
draws 'few different numbers' few --type uint8
draws 'random numbers' numbers --type int32
for size in 3 10 64 99 100 1023 1024 1025; do
  random $size $size 0 1000000000 >some && draws "$size numbers" some
  random $size $size -5 5 >some && draws "$size numbers, few different" some --type float32
done
grep -v nan special >finite && draws 'special values' finite
"$ours" --picture two.png two >sorted 2>errors
"$ours" --picture - two two.npy 2>errors | cmp -s - two.png || fail 'a picture to standard output'

# ---------------------------------------------------------------- the output stays whole
echo old >old
printf '1\nx\n' >letters
refused 'sort: letters: line 2: "x" is no float64' 1 letters old
is old 'old\n' 'an error in the input'
(trap '' XFSZ && ulimit -f 4 && "$ours" numbers old 2>errors)
(($? == 1)) && [[ $(<errors) == 'sort: old: write error: File too large' ]] || fail "no room: says $(<errors)"
is old 'old\n' 'no room'
cp old older
refused 'sort: missing/levels.png: No such file or directory' 1 --picture missing/levels.png one old
refused 'sort: .: Is a directory' 1 --picture . one
refused 'sort: missing/out: No such file or directory' 1 --picture older one missing/out
refused '--picture: must be another file than OUTPUT' 2 --picture old one old
refused '--picture: must be another file than OUTPUT' 2 --picture ./old one old
refused '--picture: must be another file than OUTPUT' 2 --picture ./absent one "$PWD/absent"
ln old same_as_old
refused '--picture: must be another file than OUTPUT' 2 --picture same_as_old one old
ln -s old leads_to_old
refused '--picture: must be another file than INPUT' 2 --picture leads_to_old old
refused '--picture: must be another file than INPUT' 2 --picture ./old old new
"$ours" --picture old - new <old >actual 2>errors
(($? == 2)) && [[ $(<errors) == *'--picture: must be another file than INPUT'* ]] || fail "standard input: says $(<errors)"
"$ours" --picture /dev/stdout one >actual 2>errors
(($? == 2)) && [[ ! -s actual && $(<errors) == *'--picture: must be another file than OUTPUT'* ]] || fail "standard output: says $(<errors)"
refused 'INPUT: must not be empty' 2 '' old
refused 'OUTPUT: must not be empty' 2 one ''
refused '--picture: must not be empty' 2 --picture '' one old
refused '--picture: must be another file than OUTPUT' 2 --picture - one
refused 'sort: letters: line 2: "x" is no float64' 1 --picture older letters old
(trap '' XFSZ && ulimit -f 4 && "$ours" --picture older numbers old 2>errors)
(($? == 1)) && [[ $(<errors) == 'sort: older: write error: File too large' ]] || fail "no room: says $(<errors)"
is old 'old\n' 'a picture that fails'
is older 'old\n' 'a picture that is not finished'
chmod 640 old && ln -s old link && "$ours" one link 2>errors
[[ -L link && $(stat -c %a old) == 640 ]] || fail 'a link, permissions'
is old '1\n' 'a link'
"$ours" no_newline new 2>errors
is new '1\n2\n3\n' 'a new file'
[[ $(stat -c %a new) == $(printf %o $((0666 & ~$(umask)))) ]] || fail "a new file's permissions"
"$ours" --picture old one /dev/full 2>errors
(($? == 1)) && [[ $(<errors) == 'sort: /dev/full: write error: No space left on device' ]] || fail "a full device: says $(<errors)"
is old '1\n' 'a picture beside what cannot be written'
nothing_left errors
ln -s absent dangling && ln -s "$PWD/dangling" to_dangling && "$ours" no_newline to_dangling 2>errors
[[ -L dangling && -L to_dangling ]] || fail 'a dangling link'
is absent '1\n2\n3\n' 'a dangling link'
ln -s loop loop && refused 'sort: loop: Too many levels of symbolic links' 1 one loop
long=$(printf 'x%.0s' {1..255})
for times in first second; do "$ours" one "$long" 2>errors && is "$long" '1\n' "a long name, the $times time" || fail "a long name: $(<errors)"; done
refused ': File name too long' 1 --picture old one "x$long"
refused ': File name too long' 1 --picture "x$long" one "y$long" # which are not the same
is old '1\n' 'a picture beside a name that is too long'

# A signal while there is an unfinished file: standard output is full, and nobody reads it.
seq 100000 >many
mkfifo unread
for signal in TERM INT HUP PIPE; do
  exec {reader}<>unread
  env --default-signal=$signal "$ours" --picture picture.png many >unread 2>errors {reader}>&- &
  process=$!
  for ((k = 0; k < 1000; k++)); do compgen -G 'upsweep.??????' >/dev/null && break || sleep 0.01; done
  ((k < 1000)) || fail "SIG$signal: there is no unfinished file"
  [[ $signal == PIPE ]] || kill -$signal $process
  [[ $signal != PIPE ]] || exec {reader}>&-
  for ((k = 0; k < 1000; k++)); do { kill -0 $process && sleep 0.01 || break; } 2>/dev/null; done
  ((k < 1000)) || kill -KILL $process # it must end by itself
  { wait $process; } 2>/dev/null
  status=$?
  [[ $signal == PIPE ]] || exec {reader}>&-
  checks=$((checks + 1))
  ((status == 128 + $(kill -l $signal))) && [[ ! -e picture.png ]] || fail "SIG$signal: status $status, $(ls picture.png 2>&1)"
  nothing_left "SIG$signal"
done

# A standard stream that is closed is nobody else's.
"$ours" --picture picture.png one >&- 2>errors
(($? == 1)) && [[ $(<errors) == 'sort: -: write error: Bad file descriptor' && ! -e picture.png ]] || fail "closed: says $(<errors)"
"$ours" --picture picture.png no_newline sorted <&- >&- 2>&- || fail 'all closed'
is sorted '1\n2\n3\n' 'all closed'
"$ours" - <&- >actual 2>errors
[[ $(<errors) == 'sort: -: Bad file descriptor' ]] || fail "standard input closed: says $(<errors)"
checks=$((checks + 3))

# ---------------------------------------------------------------- progress
random 9 400000 0 1000000000 >many
tells 'parsing the numbers' sorting verifying 'drawing p.png' 'writing sorted' -- --check --method quick --picture p.png many sorted

# ---------------------------------------------------------------- wrong usage, other errors
refused 'INPUT is required' 2
refused '--wrong' 2 --wrong one
refused '--order' 2 --order sideways one
refused '--type' 2 --type int128 one
refused '--method' 2 --method bogo one
refused 'must be auto, host or cuda' 2 --backend wrong one
UPSWEEP_BACKEND=wrong refused 'must be auto, host or cuda' 1 one
refused 'sort: missing: No such file or directory' 1 missing
refused 'sort: missing/out: No such file or directory' 1 one missing/out
mkdir directory
refused 'sort: directory: Is a directory' 1 directory
refused 'sort: directory: Is a directory' 1 one directory
printf '1\n300\n' >wide && refused 'line 2: "300" is out of the range of uint8' 1 --type uint8 wide
for number in 1e400 -1e400; do echo $number >wide && refused "line 1: \"$number\" is out of the range of float64" 1 wide; done
echo 1e39 >wide && refused 'line 1: "1e39" is out of the range of float32' 1 --type float32 wide
printf '1.5\n' >point && refused 'line 1: "1.5" is no int32' 1 --type int32 point
printf '\0\033[2J\377\n' >binary && refused 'line 1: "??[2J?" is no float64' 1 binary
printf '1 2\n' >pair && refused 'line 1: "1 2" is no int64' 1 pair
if [[ -e /dev/full ]]; then
  "$ours" one >/dev/full 2>errors
  (($? == 1)) && [[ $(<errors) == 'sort: -: write error: No space left on device' ]] || fail "/dev/full: says $(<errors)"
fi

finish
