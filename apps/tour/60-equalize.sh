# The levels of pictures spread out. awk says what is right of a small one, and OpenCV of all where Python has it.
headline "equalize: pictures of few levels"
opencv=""
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import cv2' 2>/dev/null; then opencv=$python; fi
done
[[ $opencv ]] || echo "  Python has no OpenCV (python3-opencv) here: awk alone says what is right"
pictures=("${UPSWEEP_DATA:-}"/images/{moon,chelsea}.png)
if [[ ! -e ${pictures[0]} ]]; then
  echo "  a scene that equalize renders, and what awk makes (real pictures would come from \$UPSWEEP_DATA/images)"
  pictures=()
fi
awk 'BEGIN {
  print "P2 512 384 255"
  for (y = 0; y < 384; y++) for (x = 0; x < 512; x++) print 90 + int((x * x + 3 * y * y) / 9700) % 40 + (x * 7 + y * 13) % 5
}' >"$work/hazy.pgm"
awk 'NR == 1 {next}
     {levels[++n] = $1; counts[$1]++}
     END {
       for (v = 0; v < 256; v++) {
         if (counts[v] && !first) first = counts[v]
         upto += counts[v]
         table[v] = upto < first ? 0 : int((2 * 255 * (upto - first) + n - first) / (2 * (n - first)))
       }
       for (i = 1; i <= n; i++) print table[levels[i]]
     }' "$work/hazy.pgm" >"$work/expected"

# by_opencv IN OUT [clahe]: are they the same, but for a level where CLAHE blends?
by_opencv() {
  "$opencv" - "$@" 2>/dev/null <<'END'
import sys
import cv2
before, after = (cv2.imread(name, cv2.IMREAD_UNCHANGED) for name in sys.argv[1:3])
how = cv2.createCLAHE(2, (8, 8)).apply if len(sys.argv) > 3 else cv2.equalizeHist
if before.ndim == 2:
    expected = how(before)
else:
    ycc = cv2.cvtColor(before, cv2.COLOR_BGR2YCrCb)
    ycc[:, :, 0] = how(ycc[:, :, 0])
    expected = cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR)
sys.exit(int(cv2.absdiff(expected, after).max()) > (1 if len(sys.argv) > 3 else 0))
END
}

for backend in $backends; do
  out=$work/nothing
  show "$bin/equalize" --check --backend "$backend" --mode textbook "$work/hazy.pgm" "$work/spread.pgm" || wrong "equalize failed"
  tail -c $((512 * 384)) "$work/spread.pgm" | od -An -v -w1 -tu1 | tr -d ' ' | cmp - "$work/expected" || wrong "awk gets other levels"
  right "the levels of $((512 * 384)) pixels, as awk computes them"
  for picture in "${pictures[@]}"; do
    show "$bin/equalize" --check --backend "$backend" "$picture" "$work/spread.png" || wrong "equalize failed"
    if [[ $opencv ]]; then
      by_opencv "$picture" "$work/spread.png" || wrong "OpenCV gets another picture"
      right "OpenCV's picture, byte for byte"
    fi
    show "$bin/equalize" --check --backend "$backend" --clahe "$picture" "$work/spread.png" || wrong "equalize failed"
    if [[ $opencv ]]; then
      by_opencv "$picture" "$work/spread.png" clahe || wrong "OpenCV's CLAHE gives another picture"
      right "OpenCV's picture, within a level"
    fi
  done
  show "$bin/equalize" --check --backend "$backend" --scene 4096x3072 --compare "$work/haze.png" || wrong "equalize failed"
  [[ $(head -c 4 "$work/haze.png" | tail -c 3) == PNG ]] || wrong "there is no picture"
  right "what serial loops give; before and after are $PWD/$work/haze.png"
done
