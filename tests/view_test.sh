#!/usr/bin/env bash
# The program `view`: what is seen of small maps as fractions say, pictures, files that are none, errors.
#   tests/view_test.sh VIEW [BACKEND...]
tests=$(realpath "$(dirname "$0")")
source "$(dirname "$0")/program.sh"
ours=$program
find_backends 'fractions' 0 --scene 5x5

# says WHAT ARGUMENT...: it works, and a line of what it says holds WHAT
says() {
  checks=$((checks + 1))
  "$ours" "${@:2}" >actual 2>errors </dev/null || fail "${*:2}: status $?: $(<errors)"
  grep -qF -- "$1" errors || fail "${*:2}: does not say \"$1\": $(<errors)"
}

# ---------------------------------------------------------------- what is seen, by fractions
# map.py SEED WIDTH HEIGHT ROW COLUMN EYE: a map as map.pgm, and how many of its cells are seen
cat >map.py <<'END'
import random, sys
from fractions import Fraction
seed, width, height, row, column, eye = map(int, sys.argv[1:])
random.seed(seed)
z = [[random.choice((0, 0, 1, 2, 5, 9)) for _ in range(width)] for _ in range(height)]
with open("map.pgm", "w") as file:
    print("P2", width, height, 65535, file=file)
    for line in z: print(*line, file=file)
def nearest(x): return int(abs(x) + Fraction(1, 2)) * (1 if x > 0 else -1)
def seen(down, right):
    if (down, right) == (0, 0): return True
    ways = [Fraction(row if down < 0 else height - 1 - row, abs(down))] if down else []
    ways += [Fraction(column if right < 0 else width - 1 - column, abs(right))] if right else []
    end = nearest(down * min(ways)), nearest(right * min(ways))
    steps = max(map(abs, end))
    own = max(abs(down), abs(right))
    def slope(k): return Fraction(z[row + nearest(Fraction(end[0] * k, steps))][column + nearest(Fraction(end[1] * k, steps))] - z[row][column] - eye, k)
    return all(slope(own) >= slope(k) for k in range(1, own))
print(sum(seen(r - row, c - column) for r in range(height) for c in range(width)))
END
while read -r -a map; do
  cells=$(python3 map.py "${map[@]}")
  for backend in "${backends[@]}"; do
    says ": $cells cells are seen" --check --backend "$backend" --unit 1 --eye "${map[5]}" --from "${map[3]},${map[4]}" map.pgm
  done
done <<'END'
1 1 1 0 0 0
2 30 1 0 12 1
3 1 30 29 0 3
4 20 17 0 0 2
5 17 20 19 16 4
6 25 25 12 12 5
7 31 12 3 29 0
8 12 31 17 5 3
END

# ---------------------------------------------------------------- viewers, units, pictures
printf 'P2 3 2 255\n1 2 3\n4 9 5\n' >small.pgm
says 'from row 1, column 1, 0.9 m high (the highest cell), eyes 1.8 m above ground' small.pgm
says '6 cells are seen, 100.0 % of the map, 0.00 km2' --check small.pgm
says 'from row 0, column 2, 300.0 m high, eyes 0.0 m' --unit 100 --eye 0 --from 0,2 small.pgm
says '6 cells are seen, 100.0 % of the map, 6.00 km2' --cell 1000 small.pgm
for backend in "${backends[@]}"; do
  says 'verified against a serial sweep' --check --backend "$backend" --scene 300x200 --heights hills.png shown.png
  says 'verified against a serial sweep' --check --backend "$backend" hills.png again.png
  cmp -s shown.png again.png || fail "the map in the file gives another picture, $backend"
  says 'verified against a serial sweep' --check --backend "$backend" --scene 300x200 --from 0,299
done
checks=$((checks + 1))
python3 - "$tests" <<'END' || fail "the picture"
import sys
sys.path.insert(0, sys.argv[1])
import png
rows = list(png.rows("shown.png"))
assert (len(rows[0]), len(rows)) == (300, 200)
def kind(p): return "red" if p[0] > 2 * p[1] else "grey" if abs(p[0] - p[1]) <= 1 and p[2] > p[0] else "seen"
kinds = [kind(pixel) for row in rows for pixel in row]
assert 50 < kinds.count("red") < 300 and kinds.count("grey") > 1000 and kinds.count("seen") > 1000, [kinds.count(k) for k in ("red", "grey", "seen")]
END
"$ours" --scene 9x7 - >piped.png 2>errors || fail "to standard output: $(<errors)"
[[ $(head -c 4 piped.png | tail -c 3) == PNG ]] || fail 'no picture on standard output'
"$ours" - <small.pgm 2>errors || fail "from standard input: $(<errors)"

# ---------------------------------------------------------------- errors
refused 'view: missing.png: No such file or directory' 1 missing.png
printf 'P3 1 1 255 1 2 3\n' >colour.ppm && refused 'view: colour.ppm: is 8-bit colour, a height map is grey' 1 colour.ppm
printf 'P4\n1 1\n1' >bits.pbm && refused 'view: bits.pbm: no PNG' 1 bits.pbm
refused 'out.gif: its name must end in' 1 small.pgm out.gif
refused 'heights.jpg: a JPEG file cannot hold' 1 --heights heights.jpg hills.png
refused 'absent/x.png: No such file or directory' 1 small.pgm absent/x.png
refused '--from: the map has 2 rows, 3 columns' 2 --from 2,0 small.pgm
refused '--from: the map has 2 rows, 3 columns' 2 --from 0,3 small.pgm
for cell in 1 1, ,1 -1,0 0,-1 1,1,1 a,b 1x1; do refused '--from: must be like 120,45' 2 --from="$cell" small.pgm; done
refused '--eye' 2 --eye -1 small.pgm
refused '--eye' 2 --eye nan small.pgm
refused '--cell' 2 --cell 0 small.pgm
refused '--unit' 2 --unit 0 small.pgm
refused '--repeat' 2 --repeat 0 small.pgm
refused '--scene: must be like 640x480' 2 --scene 5x
refused '--scene: takes the place of IN' 2 --scene 9x9 small.pgm out.png
refused 'OUT: must be another file than IN' 2 small.pgm small.pgm
refused 'must be auto, host or cuda' 2 --backend wrong small.pgm
nothing_left errors

# ---------------------------------------------------------------- progress
tells 'rendering the hills' 'looking around' verifying 'writing files' -- --check --scene 900x700 --heights large.png p.png
tells 'decoding large.png' -- large.png

finish
