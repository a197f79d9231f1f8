#!/usr/bin/env bash
# The program `bigsum` against Python's numbers: sums, Fibonacci numbers, errors.   tests/bigsum_test.sh BIGSUM [BACKEND...]
# Backends: host, and cuda where it runs.
source "$(dirname "$0")/program.sh"
bigsum=$program
echo 1 >one
find_backends "Python's numbers" 0 one

# same ARGUMENT...: prints what `expected` holds, in decimal and, with 0x, in hexadecimal; and finds GMP to agree
same() {
  local hex
  cases=$((cases + 1))
  for backend in "${backends[@]}"; do
    for hex in '' --hex; do
      "$bigsum" --check ${hex:+"$hex"} --backend "$backend" "$@" >actual 2>errors || fail "$backend $hex ${*@Q}: status $?: $(<errors)"
      checks=$((checks + 1))
      cmp -s actual "expected$hex" || fail "$backend $hex ${*@Q}: $(cmp actual "expected$hex" 2>&1)"
      [[ $(<errors) == 'bigsum: '*' digits; '*$'\nbigsum: verified by GMP'* ]] || fail "$backend ${*@Q}: says $(<errors)"
    done
  done
}
python() { # the numbers' sum, or what the code prints, into `expected` and `expected--hex`
  python3 - "$@" <<'EOF'
import sys
if hasattr(sys, "set_int_max_str_digits"): sys.set_int_max_str_digits(0)
if sys.argv[1] == "fibonacci":
    value, following = 0, 1
    for _ in range(int(sys.argv[2])): value, following = following, value + following
else:
    value = sum(int(line, 0) for name in sys.argv[2:] for line in open(name) if line.strip())
open("expected", "w").write(f"{value}\n")
open("expected--hex", "w").write(f"{value:#x}\n")
EOF
}
sums() { # sums FILE...
  python sum "$@" && same "$@"
}

# ---------------------------------------------------------------- numbers written by hand
printf '0\n' >zero
printf -- '-0\n-5\n+3\n' >signs
printf '1\n0xffffffffffffffff\n' >carry
printf '0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF\n1\n-0x100000000000000000000000000000000\n' >nothing_left_over
printf '  12 \r\n\n\t30\n' >blanks
printf '18446744073709551615\n18446744073709551615\n18446744073709551615' >no_newline
for file in one zero signs carry nothing_left_over blanks no_newline; do sums "$file"; done
sums signs carry blanks
# ---------------------------------------------------------------- many, long, of all lengths, with carries that run far
python3 - <<'EOF'
import random
random.seed(20)
def write(name, numbers):
    open(name, "w").write("".join(f"{x:#x}\n" if random.random() < 0.3 else f"{x}\n" for x in numbers))
write("many", [random.randrange(-2**64, 2**64) for _ in range(3001)])
write("long", [random.getrandbits(random.randrange(1, 13000)) * random.choice((1, -1)) for _ in range(37)])
write("ripple", [2**12345 - 1, 1] * 5)
write("borrow", [2**12345, -1, -2**700])
EOF
for file in many long ripple borrow; do sums "$file"; done
sums many long ripple borrow
seq 100000 >hundred_thousand
sums hundred_thousand
for n in 0 1 2 3 92 93 94 95 1000 12345; do python fibonacci "$n" && same --fibonacci "$n"; done

# ---------------------------------------------------------------- standard input
checks=$((checks + 1))
[[ $(printf '40\n2\n' | "$bigsum" --backend host 2>/dev/null) == 42 ]] || fail 'standard input'

# ---------------------------------------------------------------- what is wrong
for text in 12a 0x 0xg - 1.5 1e9 '1 2' 'a' --5; do
  printf '7\n\n%s\n' "$text" >wrong_number
  refused "wrong_number: line 3: \"$text\" is no whole number" 1 wrong_number
done
: >empty
refused 'there is no number' 1 empty
refused 'absent: No such file or directory' 1 absent
refused '--fibonacci' 2 --fibonacci -1
refused '--fibonacci: takes no files' 2 --fibonacci 5 one
refused '--backend' 2 --backend tpu one
finish
