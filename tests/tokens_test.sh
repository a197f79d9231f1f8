#!/usr/bin/env bash
# The program `tokens` against Python: lists, counts, errors.   tests/tokens_test.sh TOKENS [BACKEND...]
# Backends: host, and cuda where it runs.
reference=$(realpath "$(dirname "$0")")/tokens_reference.py
sources=$(realpath "$(dirname "$0")/..")
source "$(dirname "$0")/program.sh"
tokens=$program

: >empty
find_backends 'Python' 0 empty

# same LANGUAGE FILE: lists the tokens that Python finds, counts as many, and finds the serial pass to agree
same() {
  plain_python3 "$reference" list "$1" "$2" >expected || fail "the reference cannot read $2"
  cases=$((cases + 1))
  for backend in "${backends[@]}"; do
    # A program on a GPU takes a third of a second to start: there every 7th case will do.
    [[ $backend == cuda ]] && ((cases % 7)) && continue
    checks=$((checks + 1))
    "$tokens" --check --list --language "$1" --backend "$backend" "$2" >actual 2>errors || fail "$backend $2: status $?"
    cmp -s actual expected || fail "$backend $1 $2: $(diff actual expected | head -n 3)"
    [[ $(<errors) == 'tokens: '*' bytes, '*$'\ntokens: verified against a serial pass'* ]] ||
      fail "$backend $2: says $(<errors)"
    "$tokens" --language "$1" --backend "$backend" "$2" >counts 2>errors || fail "$backend $2: status $?"
    cmp -s <(awk '$1 > 0 {print $2, $1}' counts | sort) <(awk '{n[$2]++} END {for (k in n) print k, n[k]}' expected | sort) ||
      fail "$backend $1 $2: counts $(<counts)"
  done
}

# ---------------------------------------------------------------- texts made by hand
printf '{"a": [1, -2.5e+3, true, null], "b\\"\\\\": {"": "\\u00e9"}}\n' >plain
printf '"not closed\n"closed" "broken off\\' >quotes
printf '"a\\\nb" x@@ ? 1-+e' >odd
printf ' ' >blank
printf '"' >quote
printf '\0\1"\0"\377' >bytes
printf 'int main(void) { return 0x1f + .5e-3f; } // end\\\n of it\n/* a **/ char c = '"'\\\\'"', *s = "a\\"b";\n' >source
printf '/* not closed **' >open_comment
printf '/ /* x */ // \\' >slashes
printf 'a.b ... 1..2 0x1p-3L @@ $x `\n"not closed\n'"'x\n'y'"'#define A \\\n b' >pieces
printf 'caf\303\251 = 1;' >beyond_ascii
for text in empty plain quotes odd blank quote bytes source open_comment slashes pieces beyond_ascii; do
  same json $text
  same c $text
done

# ---------------------------------------------------------------- random texts, around the sizes of parts
seeds=20
if shorter 'five random texts, not twenty'; then seeds=5; fi
for ((seed = 0; seed < seeds; seed++)); do
  random_text $seed $((seed * 37 % 211)) '"\\aN1-{ @' | tr N '\n' >random
  same json random
  random_text $seed $((seed * 41 % 199)) '"/*\\aN1.'"' e-" | tr N '\n' >random
  same c random
done
for size in 2047 2049 32768 70001; do
  random_text $size $size '"\\aaaaa1, N{' | tr N '\n' >random
  same json random
  tr -d '\n' <random >one_line # quotes are never forgotten
  same json one_line
  random_text $size $size 'a b1/*"N;' | tr N '\n' >random
  same c random
done

# ---------------------------------------------------------------- real ones
python3 -c '
import json, sys
items = [{"id": i, "name": "item \"%d\"\n" % i, "on": i % 3 == 0, "of": None, "sizes": [i / 7, -i, 1e300]} for i in range(8000)]
json.dump(items, open("lines.json", "w"), indent=1)
json.dump(items, open("line.json", "w"))'
for text in lines.json line.json "$sources"/bench/targets.json "$sources"/CMakePresets.json; do
  same json "$text"
  plain_python3 "$reference" count "$text" >expected || fail "json cannot read $text"
  checks=$((checks + 1))
  "$tokens" "$text" 2>/dev/null | cmp -s - expected || fail "$text: json counts otherwise"
done
for text in /usr/include/{stdio,stdlib,string,math,unistd,pthread}.h; do [[ ! -e $text ]] || same c "$text"; done
cat plain source >both
"$tokens" plain source 2>/dev/null >actual
"$tokens" both 2>/dev/null | cmp -s - actual || fail "two files count otherwise than both in one"
"$tokens" - <plain 2>/dev/null | cmp -s - <("$tokens" plain 2>/dev/null) || fail "standard input"
tells 'finding tokens' verifying -- --check lines.json

# ---------------------------------------------------------------- wrong usage, other errors
refused 'missing: No such file or directory' 1 plain missing
refused '.: Is a directory' 1 .
refused '--language' 2 --language python plain
refused '--wrong' 2 --wrong plain
refused 'must be auto, host or cuda' 2 --backend wrong plain
finish
