# Numbers of a million digits. Python's own say what is right.
headline "bigsum: whole numbers of any length, whose carries are a scan"
if [[ ! -x $bin/bigsum ]]; then
  echo "  not built: it needs GMP"
  return
fi
numbers=$work/big_numbers
if [[ ! -e $numbers ]]; then # forty numbers of a million hexadecimal digits, every third negative
  for ((k = 1; k <= 40; k++)); do
    printf '%s0x%s\n' "$( ((k % 3)) || echo -)" "$(seq "$k" 180000 | tr -d '\n')"
  done >"$numbers"
fi
echo "  forty numbers, $(megabytes "$numbers")"
python=$(command -v python3 || true)
[[ $python ]] || echo "  there is no Python here: GMP alone says what is right"
out=$work/sum
python_says() { # python_says CODE: it prints what the program printed, checked by lengths and check sums
  [[ ! $python ]] || [[ $("$python" -c "$1" "$numbers" | cksum) == "$(cksum <"$out")" ]]
}
for backend in $backends; do
  show "$bin/bigsum" --check --hex --backend "$backend" "$numbers" || wrong "bigsum failed"
  python_says 'import sys; print(f"{sum(int(line, 0) for line in open(sys.argv[1])):#x}")' || wrong "Python finds another sum"
  show "$bin/bigsum" --check --hex --fibonacci 100000 --backend "$backend" || wrong "bigsum failed"
  python_says '
def pair(n): # F(n) and F(n + 1), by doubling
    if n == 0: return 0, 1
    a, b = pair(n // 2)
    c, d = a * (2 * b - a), a * a + b * b
    return (c, d) if n % 2 == 0 else (d, c + d)
print(f"{pair(100000)[0]:#x}")' || wrong "Python finds another Fibonacci number"
  right "the sum and F(100,000) are those of GMP${python:+ and of Python}"
done
