# Bank conflicts by formula, and counted from what the kernels' steps access.
headline "banks: access patterns of scans in shared memory"
out=$work/banks
for backend in $backends; do
  show "$bin/banks" --backend "$backend" --check --plot "$work/banks.svg" || wrong "banks failed"
done
sed 's/^/    /' "$out"
[[ $(head -c 4 "$work/banks.svg") == "<svg" ]] || wrong "there is no picture"
# The figures of the literature for 2,048 items and 32 banks; the first two numbers of a row are T.
[[ $(awk 'NR > 3 && NR < 8 {print $1, $2, $3}' "$out") == "CM 641 641
NoPadding 383 383
Padding 73 73
LeftRight 68 68" ]] || wrong "these are not the figures of the literature"
right "T as in the literature, by formula and counted; the picture is $PWD/$work/banks.svg"
