#!/usr/bin/env bash
# The program `words` against tr, sort and uniq: counts, order, errors.   tests/words_test.sh WORDS [BACKEND...]
# Backends: host, and cuda where it runs.
itself=$(realpath "$0")
source "$(dirname "$0")/program.sh"
words=$program

: >empty
find_backends 'tr, sort and uniq' 0 empty

each_word() { # the words of texts, one a line, in lower case
  for text; do cat "$text" && echo; done | tr A-Z a-z | tr -cs "a-z0-9'\200-\377" '\n' | sed '/^$/d'
}
count() { # how often each occurs, the commonest first; of equally common ones, the one whose first line comes first
  join -j 2 -o 1.1,2.1,0 <(each_word "$@" | sort | uniq -c) <(each_word "$@" | awk '!seen[$0]++ {print NR, $0}' | sort -k 2) |
    sort -k 1,1nr -k 2,2n | awk '{printf "%7d %s\n", $1, $3}'
}

# same FILE...: prints all words of the texts in their order, and finds the serial count to agree
same() {
  count "$@" >expected
  cases=$((cases + 1))
  for backend in "${backends[@]}"; do
    # A program on a GPU takes a third of a second to start: there every 7th case will do.
    [[ $backend == cuda ]] && ((cases % 7)) && continue
    "$words" --check --top 1000000000 --backend "$backend" "$@" >actual 2>errors ||
      fail "$backend ${*@Q}: status $?"
    checks=$((checks + 1))
    cmp -s actual expected || fail "$backend ${*@Q}: $(cmp actual expected 2>&1)"
    [[ $(<errors) == 'words: '*' bytes, '*$'\nwords: verified against a serial count'* ]] ||
      fail "$backend ${*@Q}: says $(<errors)"
  done
}

# ---------------------------------------------------------------- texts made by hand
printf 'the cat, THE dog; The Cat.\n' >plain
printf "don't 'quote' o'clock ' '' a'\n" >apostrophes
printf 'caf\303\251 CAF\303\251 na\303\257ve \377\376 \200x\n' >beyond_ascii
printf 'x' >one_byte
printf ' ' >one_gap
printf '12345678' >eight
printf '1234567 12345678 123456789 1234567' >around_eight
printf 'a b c d e f g h i j a c e' >short
printf '\0a\0\0b\0a' >zeros
printf '@[`{/:&(AZaz09' >neighbours # of the letters and digits in ASCII
printf 'ab\n\n\nab' >blank_lines
for byte in {0..255}; do printf "a\\$(printf %o "$byte")b "; done >all_bytes
texts=(empty plain apostrophes beyond_ascii one_byte one_gap eight around_eight short zeros neighbours blank_lines
  all_bytes)
for text in "${texts[@]}"; do same "$text"; done
same "${texts[@]}"
same one_byte one_byte eight # words end where files do
cp plain '[plain,empty] with: spaces'
same '[plain,empty] with: spaces'

# ---------------------------------------------------------------- random texts: all lengths of words, all alignments
for ((seed = 0; seed < 60; seed++)); do
  random_text $seed $((seed * 37 % 211)) 'aAb  ' >random
  same random
done
for size in 8191 8192 8193 65536 1000003; do
  random_text $size $size 'aaabbc ' >random
  same random
  random_text $size $size 'etaoinshrd   .' >random
  same random
  { random_text $size $size abc && echo && random_text 1 999 'ab ' && random_text $size $size abc; } >long_words
  same long_words
done
cat "$itself" "$itself" "$itself" >itself
same itself
real_files texts
for text in "${files[@]}"; do same "$text"; done

# ---------------------------------------------------------------- options
top() { # top K LINES: --top K prints so many
  "$words" --top "$1" "${@:3}" itself >actual 2>errors || fail "--top $1: status $?"
  checks=$((checks + 1))
  cmp -s actual <(count itself | head -n "$2") || fail "--top $1 ${*:3}"
}
top 0 0
top 1 1
top 7 7 --check
"$words" <itself >actual 2>errors && cmp -s actual <(count itself | head -n 20) || fail "standard input"
seq 300000 | "$words" --check --top 3 plain - >actual 2>errors || fail "a pipe: status $?"
cmp -s actual <(printf '%7d %s\n' 3 the 2 cat 1 dog) || fail "a pipe: prints $(<actual)"
refused 'share their hash' 1 --check --hash-bits 4 itself # --check sees different words that are counted as one
"$words" --check --hash-bits 40 itself >actual 2>errors || fail "40 bits"

# ---------------------------------------------------------------- progress
tells 'counting words' verifying -- --check long_words long_words long_words
checks=$((checks + 1))
env -u UPSWEEP_PROGRESS "$words" --check long_words >actual 2>errors || fail "progress left to itself: status $?"
grep -q '\.\.\. [0-9]* s$' errors && fail "progress of what takes no time: $(<errors)"
if command -v script >/dev/null; then # on a terminal: one line, which is rewritten and goes away
  UPSWEEP_PROGRESS=0.01 script -qec "'$words' --check --top 0 long_words long_words" /dev/null </dev/null >terminal
  checks=$((checks + 1))
  grep -q $'\rwords: verifying \\.\\.\\. 0 s\e\\[K.*\r\e\\[Kwords: ' terminal && [[ $(wc -l <terminal) == 2 ]] || fail "a terminal: $(od -c terminal)"
else
  echo 'script is missing: no terminal is tried'
fi

# ---------------------------------------------------------------- wrong usage, other errors
refused '--wrong' 2 --wrong plain
refused '--top' 2 --top -1 plain
refused '--top' 2 --top '' plain
refused 'FILE: must not be empty' 2 plain ''
refused '--hash-bits' 2 --hash-bits 62 plain
refused 'must be auto, host or cuda' 2 --backend wrong plain
UPSWEEP_BACKEND=wrong refused 'must be auto, host or cuda' 1 plain
refused 'words: missing: No such file or directory' 1 plain missing
mkdir directory
refused 'words: directory: Is a directory' 1 directory
if [[ -e /dev/full ]]; then
  "$words" plain >/dev/full 2>errors
  (($? == 1)) && [[ $(<errors) == 'words: write error: No space left on device' ]] || fail "/dev/full: says $(<errors)"
fi

finish
