#!/usr/bin/env bash
# The program `lines` against grep: output, exit status, errors.   tests/lines_test.sh LINES [BACKEND...]
# Backends: host, and cuda where it runs. LINES_LARGE=1 adds texts of more than 2^31 bytes (10 GB of memory, 7 of disk, minutes).
source "$(dirname "$0")/program.sh"
lines=$program

: >empty
find_backends grep 1 x empty

# same ARGUMENT...: prints what `grep -aF ARGUMENT...` prints, ends as it ends, and complains as it complains.
# `searched=-E same ...`: as grep -aE
same() {
  local backend say argument expected_status status
  local -a ours=()
  [[ ${searched:-} != -E ]] || ours=(--extended)
  for argument in "$@"; do
    case $argument in
    -v) ours+=(--invert) ;;
    -c) ours+=(--count) ;;
    *) ours+=("$argument") ;;
    esac
  done
  grep -a "${searched:--F}" "$@" >expected 2>expected_errors <"${stdin:-/dev/null}"
  expected_status=$?
  cases=$((cases + 1))
  for backend in "${backends[@]}"; do
    # A program on a GPU takes a third of a second to start: there every 17th case will do.
    [[ $backend == cuda ]] && ((cases % 17 && ${often:-0} == 0)) && continue
    "$lines" --check --backend "$backend" "${ours[@]}" >actual 2>errors <"${stdin:-/dev/null}"
    status=$?
    checks=$((checks + 1))
    say="--backend $backend ${ours[*]@Q}"
    ((status == expected_status)) || fail "$say: status $status, grep's $expected_status"
    cmp -s actual expected || fail "$say: $(cmp actual expected 2>&1)"
    if [[ ! -s expected_errors ]]; then
      [[ $(<errors) == 'lines: '*' bytes, '*$'\nlines: verified against a serial pass'* ]] || fail "$say: says $(<errors)"
    else # grep's errors and ours differ in the program's name only
      cmp -s <(sed 's/^grep: /lines: /' expected_errors) <(grep -v -e '^lines: [0-9,]* bytes, ' errors) ||
        fail "$say: says $(<errors), grep $(<expected_errors)"
    fi
  done
}
all_ways() { # all_ways PATTERN FILE...
  same -- "$@"
  same -v -- "$@"
  same -c -- "$@"
  same -c -v -- "$@"
}
together=
if shorter 'many files in one call, not each by itself'; then together=yes; fi
each() { # each PATTERN FILE...: of every file, by itself or together
  local file
  if [[ $together ]]; then
    (($# == 1)) || all_ways "$@"
  else
    for file in "${@:2}"; do all_ways "$1" "$file"; done
  fi
}

# ---------------------------------------------------------------- texts made by hand
printf 'one\ntwo\nthree\n' >plain
printf 'one\ntwo\nthree' >no_newline
printf '\n' >newline
printf '\n\n\nx\n\n' >newlines
printf 'a\0b\n\377\376 binary \200\nnothing\n\0\0\0\n' >binary
printf 'x' >one_byte
printf '12345678' >word_no_newline
printf '1234567\n12345678\n123456789\nx\n' >words
printf 'aaaaaaaaaaaaaaaaaaaaab\naaaa\naab\n' >repeats
printf 'end\r\nof\r\nlines\r\n' >crlf
cp plain 'a name, with: [brackets] and spaces'
cp plain '[plain,empty]'
mkdir directory
texts=(empty plain no_newline newline newlines binary one_byte word_no_newline words repeats crlf)
for pattern in '' o one two three e hre x a aab aaaaaaaaa ab b 8 78 12345678 89 '[a,b]' $'\r' $'\377' \
  -v -- 'a pattern that is longer than any of the texts here'; do
  each "$pattern" "${texts[@]}"
done

# ---------------------------------------------------------------- the same by expressions
searched=-E
for pattern in '' o 'o|e' '^t' 'e$' '^$' '^' '$' '^one$' 'a+b' '^(a|b)+$' '[0-9]{8}' '^[0-9]{8,}$' 'x?y?1' '[^a-z]' '(^|[^a])a{2}b' \
  '[[:digit:]].*9' '\.' '\w\W' '[[:space:]]' 'n.t' $'\377' $'\r$' '(o|e|)n' 'th(is|ere|ing)?' '[]a]' '[^]a]$' '[a\]' 'a|^b$|'; do
  each "$pattern" "${texts[@]}"
done
all_ways 'o|x' plain no_newline
all_ways 'o|x' plain missing directory binary
stdin=plain all_ways 't.*o|^one' -
searched=-F

# ---------------------------------------------------------------- several files, bad ones among them
all_ways o plain no_newline
all_ways o plain empty missing newlines directory binary
all_ways o missing
all_ways o directory
all_ways o 'a name, with: [brackets] and spaces' '[plain,empty]'
all_ways o '[plain,empty]'
touch unreadable && chmod 0 unreadable
[[ -r unreadable ]] || all_ways o unreadable plain
stdin=plain all_ways o -
stdin=no_newline all_ways e plain - crlf
# A pipe has no size; a short text, and one that is longer than the first guess.
seq 1000000 >numbers
for text in plain numbers; do
  cat $text | "$lines" '' - 2>errors | cmp -s - $text || fail "a pipe that holds $text"
  checks=$((checks + 1))
done

# ---------------------------------------------------------------- random texts: few letters, many coincidences
random() { # random SEED BYTES LETTERS: N is a newline, Z a zero
  random_text "$@" | tr 'NZ' '\n\0'
}
for ((seed = 0; seed < 24; seed++)); do
  random $seed $((seed * 13 % 97)) abN >two_letters_$seed
  random $seed $((seed * 7 % 31)) aabNZ >with_zeros_$seed
done
each ab two_letters_*
for pattern in a aa aab; do each "$pattern" with_zeros_*; done
for size in 8191 8192 8193 65536 1000003; do
  random $size $size aaaaaaaabbbcccN >random
  all_ways c random
  all_ways abcabc random
  all_ways aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa random
  tr -d '\n' <random >long_line
  all_ways abcabc long_line
  { cat long_line && printf '\nabc\n' && cat long_line; } >long_lines
  all_ways abcab long_lines
done
for size in 4095 4097 65537 300001; do
  random $size $size aaaaaaaabbbcccNN >random
  for pattern in 'a(b|c)+a' '^a*$' '^(a|b)*$' 'c.{3}c' 'b$' '^c|bb' 'a{7}b?c'; do searched=-E all_ways "$pattern" random; done
  tr -d '\n' <random >long_line
  searched=-E all_ways 'abc.*cba|x' long_line
done
real_files texts
each the "${files[@]}"
searched=-E each '^[A-Z][a-z]+ |[0-9]{3}|(warrant|licen[cs])[a-z]*\.$' "${files[@]}"

# ---------------------------------------------------------------- progress
tells searching verifying -- --check --count 9 numbers

# ---------------------------------------------------------------- wrong usage, other errors
refused 'PATTERN is required' 2
refused 'FILE is required' 2 pattern
refused '--wrong' 2 --wrong pattern plain
refused 'newline' 2 $'one\ntwo' plain
refused 'PATTERN: character 2: the parenthesis is not closed' 2 --extended 'a(b' plain
refused 'PATTERN: character 1: there is nothing to repeat' 2 --extended '*' plain
refused 'PATTERN: needs an automaton of' 2 --extended '(a|b).{12}c' plain
refused 'must be auto, host or cuda' 2 --backend wrong one plain
UPSWEEP_BACKEND=wrong refused 'must be auto, host or cuda' 2 one plain
UPSWEEP_BACKEND=host same one plain
if [[ -e /dev/full ]]; then
  "$lines" one plain >/dev/full 2>errors
  (($? == 2)) && [[ $(<errors) == 'lines: write error: No space left on device' ]] || fail "/dev/full: says $(cat errors)"
fi

# ---------------------------------------------------------------- beyond 2^31 bytes
if [[ -n ${LINES_LARGE:-} ]]; then
  { yes 'a line of forty bytes, to be left out it' | head -c 2200000000 && printf '\nneedle\nlast' && head -c 60000000 /dev/zero; } >large
  often=1
  same needle large
  same -c line large
  same -v 'left' large
  { head -c 2200000000 /dev/zero && printf 'needle\n\nneedl\n'; } >large # one line of more than 2^31 bytes
  same -c needle large
  same needle large
  same -v needle large
fi

finish
