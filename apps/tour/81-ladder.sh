# The road to a fast scan. What Blelloch's tree leaves step by step is in his paper; the sums are checked by awk.
headline "ladder: the scans of the textbooks, rung by rung"
out=$work/trace
show "$bin/ladder" --trace 3,1,7,0,4,1,6,3 --rung blelloch || wrong "ladder failed"
sed 's/^/    /' "$out"
awk '/given/ {for (i = 2; i <= NF; i++) sum[i] = sum[i - 1] + $i}
  /result/ {for (i = 2; i <= NF; i++) if ($i != sum[i]) exit 1; seen = NF}
  END {exit seen != 9}' "$out" || wrong "the tree's sums are not the running sums"
out=$work/ladder
for backend in $backends; do
  show "$bin/ladder" --backend "$backend" --n 2^20 --check || wrong "ladder failed"
  sed 's/^/    /' "$out"
done
right "the tree's sums are awk's, and every rung's those of a serial loop"
