#!/usr/bin/env bash
# The program `equalize` against plain Python, OpenCV and PIL: levels, files, pictures, errors.   tests/equalize_test.sh EQUALIZE [BACKEND...]
# Backends: host, and cuda where it runs.
tests=$(realpath "$(dirname "$0")")
source "$(dirname "$0")/program.sh"
ours=$program

# pgm FILE WIDTH HEIGHT BYTES: levels as printf has them
pgm() { printf "P5\n%d %d\n255\n$4" "$2" "$3" >"$1"; }
is() { # is FILE OTHER WHAT
  checks=$((checks + 1))
  cmp -s "$1" "$2" || fail "$3: $(od -c "$1" | head -n 12)"
}
# says WHAT ARGUMENT...: does it, and WHAT is on standard error
says() {
  checks=$((checks + 1))
  "$ours" --repeat 1 "${@:2}" >actual 2>errors || fail "${*:2}: status $?: $(<errors)"
  grep -qF -- "$1" errors || fail "${*:2}: says $(<errors)"
}
pgm four.pgm 4 1 '\12\24\36\50'
pgm four_out.pgm 4 1 '\0U\252\377'
find_backends 'plain Python' 0 four.pgm

# ---------------------------------------------------------------- levels, and files of all kinds
for package in cv2 PIL; do has_python $package; done
for backend in "${backends[@]}"; do
  python3 "$tests/equalize_pictures.py" "$ours" "$backend" >found && checks=$((checks + $(<found))) || fail "pictures, $backend"
done
for backend in "${backends[@]}"; do
  says 'four.pgm: 4 x 1 pixels, 8-bit grey, half of them at levels 10 to 30, then 0 to 170' --backend $backend four.pgm out.pgm
  is out.pgm four_out.pgm "four levels, $backend"
  for format in png PNG pgm; do says 'verified against serial loops' --check --backend $backend four.pgm out.$format; done
done
cp four.pgm same.pgm && says 'same.pgm' same.pgm same.pgm && is same.pgm four_out.pgm 'a file into itself'
cp four.pgm '[a,b] c.pgm' && says '[a,b] c.pgm' '[a,b] c.pgm' '[c,d].pgm' && is '[c,d].pgm' four_out.pgm 'names with brackets'
"$ours" - - <four.pgm >out.png 2>errors && "$ours" out.png out.pgm 2>errors && is out.pgm four_out.pgm 'standard input and output'
printf 'P2 # text\n# more\n4 #\n1\t255 10 20\n30\r\n40' >text.pgm && says 'text.pgm' text.pgm out.pgm && is out.pgm four_out.pgm 'a text'
(cat four.pgm && echo behind) >more.pgm && says more.pgm more.pgm out.pgm && is out.pgm four_out.pgm 'what is behind the pixels'

# A JPEG file of PIL's: 16 x 8, half of it level 64, half 192.
base64 -d >two.jpg <<'END'
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIU
FRT/wAALCAAIABABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJx
FDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZ
mqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APlSv1Wr/9k=
END
if "$ours" two.jpg 2>&1 | grep -q 'built without libjpeg'; then
  skip 'libjpeg (no JPEG files are tried)'
  jpegs=()
else
  jpegs=(two.jpg)
  says 'two.jpg: 16 x 8 pixels, 8-bit grey, half of them at levels 64 to 192, then 0 to 255' two.jpg two.pgm
  is two.pgm <(printf 'P5\n16 8\n255\n' && for _ in 1 2 3 4 5 6 7 8; do printf '\0\0\0\0\0\0\0\0\377\377\377\377\377\377\377\377'; done) JPEG
  says two.pgm two.pgm again.jpg && says again.jpg again.jpg again.pgm && is again.pgm two.pgm 'JPEG, there and back'
  printf 'P6\n16 16\n255\n' >colour.ppm && for ((k = 0; k < 256; k++)); do printf '\310\170\50'; done >>colour.ppm
  for format in jpeg JPG jpe; do says '8-bit colour' colour.ppm colour.$format; done
  says 'colour.jpe: 16 x 16 pixels, 8-bit colour' colour.jpe again.ppm
  checks=$((checks + 1)) # one level of luma: it stays, but for what JPEG makes of it
  od -An -v -w3 -tu1 -j 13 again.ppm |
    awk '{for (c = 1; c <= 3; c++) if (($c - (c == 1 ? 200 : c == 2 ? 120 : 40)) ^ 2 > 9) exit 1; n++} END {exit n != 256}' ||
    fail "colour.jpe has other colours: $(od -An -v -w3 -tu1 -j 13 again.ppm | sort | uniq -c)"
fi

# The scene is the same each time, and for any number of threads.
for threads in 1 2 3; do
  OMP_NUM_THREADS=$threads "$ours" --backend host --check --scene 301x203 scene$threads.pgm 2>errors || fail "the scene: $(<errors)"
  is scene$threads.pgm scene1.pgm "the scene by $threads threads"
done
grep -qx 'equalize: no file is given: hills in haze, --scene 301x203' errors || fail "the scene: says $(<errors)"
says 'the scene: 1,024 x 768 pixels, 8-bit grey, half of them at levels 115 to 134, then 69 to 202'
says 'the scene: 1 x 1 pixels' --scene 1x1 one.pgm
real_files images
if ((${#files[@]})); then cp "${files[0]}" reference; fi
turns=
if shorter 'each real image in one way of five, in turn'; then turns=0; fi
for backend in "${backends[@]}"; do
  for image in "${files[@]}"; do
    [[ $image == *.jpg && ${#jpegs[@]} == 0 ]] && continue
    ways=('' '--mode textbook' '--mode pil' --clahe '--match reference')
    if [[ $turns ]]; then ways=("${ways[turns++ % 5]}"); fi
    for how in "${ways[@]}"; do
      says 'verified against serial loops' --check --backend $backend $how "$image" out.png
    done
  done
done

# ---------------------------------------------------------------- before and after
for backend in "${backends[@]}"; do
  says 'both.png shows before and after' --backend $backend --scene 200x100 --compare both.png out.pgm
  says 'colours.png shows before and after' --backend $backend --compare colours.png "${jpegs[0]:-four.pgm}"
  python3 - "$tests" <<'END' || fail "a picture of before and after, $backend"
import sys
sys.path.insert(0, sys.argv[1])
import png
rows = list(png.rows("both.png"))
assert (len(rows[0]), len(rows)) == (2 * 384 + 3 * 12, 100 + 128 + 10 + 3 * 12), (len(rows[0]), len(rows))
after = open("out.pgm", "rb").read()[len("P5\n200 100\n255\n"):]
left = 12 + (384 - 200) // 2
for y in range(100):  # the pixels are there one to one, grey as they are
    assert [pixel[0] for pixel in rows[12 + y][left + 396 : left + 396 + 200]] == list(after[200 * y : 200 * y + 200])
levels = [pixel[0] for row in rows[12:112] for pixel in row[left : left + 200]]
assert 100 < min(levels) and max(levels) < 150
bar, curve = (120, 160, 200), (250, 180, 60)
for x0, shown in (12, levels), (408, list(after)):
    counts = [sum(v // 2 == k for v in shown) for k in range(128)]
    for k in range(128):
        column = [rows[124 + y][x0 + 3 * k + 1] for y in range(128)]
        height = int(counts[k] / max(counts) * 128 + 0.5)
        assert column.count(bar) + column.count(curve) >= height and all(c in (bar, curve) for c in column[128 - height :])
        upto = int(sum(counts[: k + 1]) / len(shown) * 128 + 0.5)
        assert column[min(128 - upto, 126)] == curve
END
done
cmp -s both.png <("$ours" --scene 200x100 --compare again.png 2>errors && cat again.png) || fail 'another picture of the same'
printf 'P5\n1000 3\n65535\n' >long.pgm && head -c 6000 /dev/zero >>long.pgm
says long.png --compare long.png long.pgm

# ---------------------------------------------------------------- files that are none, or not whole
refused 'equalize: missing.png: No such file or directory' 1 missing.png out.png
mkdir directory && refused 'equalize: directory: Is a directory' 1 directory
: >empty && refused 'equalize: empty: is empty' 1 empty
printf 'P' >short && refused 'equalize: short: no PNG, JPEG, PGM or PPM file' 1 short
cp "$tests/equalize_test.sh" script && refused 'equalize: script: no PNG, JPEG, PGM or PPM file' 1 script
printf 'P4\n1 1\n1' >bits.pbm && refused 'equalize: bits.pbm: no PNG' 1 bits.pbm
printf 'P5\n0 4\n255\n' >zero.pgm && refused 'equalize: zero.pgm: has no pixels' 1 zero.pgm
printf 'P5\n4 4\n0\n' >zero.pgm && refused 'its brightest level is 0' 1 zero.pgm
printf 'P5\n4 4\n65536\n' >zero.pgm && refused 'its brightest level is more than 65535' 1 zero.pgm
printf 'P5\n99999999999999999999 4\n255\n' >huge.pgm && refused 'its width is more than' 1 huge.pgm
printf 'P5\n1000000000 1000000000\n255\n' >huge.pgm && refused 'huge.pgm: ends after 0 of 1000000000000000000 bytes' 1 huge.pgm
printf 'P3\n1000000000 1000000000\n255\n' >huge.ppm && refused 'huge.ppm: ends before its 3000000000000000000 levels do' 1 huge.ppm
printf 'P5\n1073741824 1073741824\n65535\n' >huge.pgm && refused 'huge.pgm: ends after 0 of 2305843009213693952 bytes' 1 huge.pgm
printf 'P6\n1073741824 1073741824\n65535\n' >huge.ppm && refused 'huge.ppm: ends after 0 of 6917529027641081856 bytes' 1 huge.ppm
for kind in tEXt zTXt iTXt sPLT pCAL iCCP eXIf xxXx; do # a chunk that says it has 2 GB
  printf '\211PNG\r\n\32\n\0\0\0\15IHDR\0\0\0\1\0\0\0\1\10\0\0\0\0\72\176\233\125\177\377\377\360%sxxx' $kind >claims.png
  refused 'equalize: claims.png: PNG: ends early' 1 claims.png
  takes_less 500 claims.png
done
cp "$tests/fuzz/corpus/png/claims_pixels" claims.png
refused 'equalize: claims.png: PNG: ends before its pixels do' 1 claims.png
takes_less 500 claims.png
if ((${#jpegs[@]})); then # in arithmetic coding, which takes no bytes for what is expected
  cp "$tests/fuzz/corpus/jpeg/claims_pixels" claims.jpg
  refused 'equalize: claims.jpg: JPEG: 30,000 x 30,000 pixels are too many for a file of 331 bytes' 1 claims.jpg
  takes_less 500 claims.jpg
fi
printf 'P5\n1 1\n65535\n77' >one.pgm
refused 'equalize: one.pgm: is 1 x 1 pixels, too few for --tiles 64' 1 --clahe --tiles 64 one.pgm
refused 'equalize: one.pgm: is 1 x 1 pixels, too few for --tiles 9' 1 --clahe --tiles 9 one.pgm
says 'one.pgm: 1 x 1 pixels' --check --clahe --tiles 8 one.pgm
printf 'P5\n-4 4\n255\n' >wrong.pgm && refused 'its width is no number' 1 wrong.pgm
printf 'P5\n4 x\n255\n' >wrong.pgm && refused 'its height is no number' 1 wrong.pgm
printf 'P5\n4 1\n255x1234' >wrong.pgm && refused 'its header does not end in a blank' 1 wrong.pgm
printf 'P5\n4 1\n100\n123\377' >wrong.pgm && refused 'a level is 255, the brightest 100' 1 wrong.pgm
printf 'P2\n4 1\n255\n1 2 3 256' >wrong.pgm && refused 'a level is 256, the brightest 255' 1 wrong.pgm
printf 'P2\n4 1\n255\n1 2 3 y' >wrong.pgm && refused 'a level is no number' 1 wrong.pgm
printf 'P2\n4 1\n255\n1 2 34567 #' >wrong.pgm && refused 'a level is 34567' 1 wrong.pgm
printf 'P2\n4 1\n255\n1 2 3     #' >wrong.pgm && refused 'ends where a level should be' 1 wrong.pgm
"$ours" --scene 9x7 small.png 2>errors
step=1
if shorter 'files are cut and damaged in one of four places'; then step=4; fi
for whole in four.pgm small.png "${jpegs[@]}"; do # cut anywhere
  for ((length = $(stat -c %s $whole) - 1; length > 0; length -= step)); do
    head -c $length $whole >cut && refused 'equalize: cut: ' 1 cut out.png
  done
done
# Damage anywhere ends well, or with a line that names the file.
for whole in four.pgm small.png "${jpegs[@]}"; do
  size=$(stat -c %s $whole)
  for ((k = 0; k < 100; k += step)); do
    at=$((k * 7919 % size))
    { head -c $at $whole && printf '%b' "\\0$(printf '%o' $((k * 37 % 256)))" && tail -c +$((at + 2)) $whole; } >damaged
    "$ours" --repeat 1 damaged >actual 2>errors
    status=$?
    checks=$((checks + 1))
    ((status == 0)) || { ((status == 1)) && [[ $(wc -l <errors) == 1 ]] && grep -q '^equalize: damaged: ' errors; } ||
      fail "$whole, byte $at: status $status, says $(<errors)"
  done
done

# ---------------------------------------------------------------- files stay whole
old() { # old WHAT: the old files are still there
  checks=$((checks + 1))
  cmp -s old.png <(echo old) && cmp -s both.png <(echo old) || fail "$1: an old file has changed"
}
echo old >old.png
echo old >both.png
refused 'equalize: cut: ' 1 --compare both.png cut old.png
old 'a file that is cut'
refused 'equalize: missing/out.png: No such file or directory' 1 --compare both.png four.pgm missing/out.png
refused 'equalize: missing/both.png: No such file or directory' 1 --compare missing/both.png four.pgm old.png
refused 'equalize: .: Is a directory' 1 --compare . four.pgm old.png
old 'no place to write'
(trap '' XFSZ && ulimit -f 4 && "$ours" --compare both.png --scene 640x480 old.png >actual 2>errors)
(($? == 1)) && grep -qE '^equalize: (old|both).png: write error: File too large' errors || fail "no room: says $(<errors)"
old 'no room'
nothing_left errors
if [[ -e /dev/full ]]; then
  "$ours" four.pgm - >/dev/full 2>errors
  (($? == 1)) && [[ $(<errors) == 'equalize: -: write error: No space left on device' ]] || fail "/dev/full: says $(<errors)"
fi
printf 'P6\n1 1\n65535\n123456' >deep.ppm
for file in out out.gif out.p .png png 'out.png .jpg '; do refused 'its name must end in' 1 four.pgm "$file"; done
refused 'equalize: out.jpg: a JPEG file cannot hold 16-bit colour' 1 deep.ppm out.jpg
refused 'equalize: out.pgm: a PGM file cannot hold 16-bit colour' 1 deep.ppm out.pgm
refused 'equalize: out.ppm: a PPM file cannot hold 8-bit grey' 1 four.pgm out.ppm
refused 'equalize: deep.ppm: is 16-bit colour, the picture 8-bit grey' 1 --match deep.ppm four.pgm
refused 'equalize: cut: ' 1 --match cut four.pgm

# ---------------------------------------------------------------- progress
tells 'rendering the scene' equalizing verifying 'writing files' -- --check --clahe --scene 1200x900 --compare p.png large.png
tells 'decoding large.png' -- large.png

# ---------------------------------------------------------------- wrong usage, other errors
refused '--wrong' 2 --wrong four.pgm
refused '--mode' 2 --mode best four.pgm
refused '--clip requires --clahe' 2 --clip 3 four.pgm
refused '--tiles requires --clahe' 2 --tiles 3 four.pgm
refused '--tiles' 2 --clahe --tiles 0 four.pgm
refused '--clip' 2 --clahe --clip -1 four.pgm
refused '--clip: must be a number' 2 --clahe --clip nan four.pgm
refused 'excludes' 2 --clahe --mode pil four.pgm
refused 'excludes' 2 --clahe --match four.pgm four.pgm
refused 'excludes' 2 --mode pil --match four.pgm four.pgm
refused '--repeat' 2 --repeat 0 four.pgm
for size in 0x5 5x0 5 x5 5x 5x5x5 -5x5 65537x1 99999999999999999999x1 ''; do refused '--scene: must be like 640x480' 2 --scene "$size"; done
refused '--scene: takes the place of IN' 2 --scene 9x9 four.pgm out.pgm
refused '--compare: must be a file' 2 --compare - four.pgm
refused '--compare: must be another file than OUT' 2 --compare same.png four.pgm same.png
refused '--compare: must be another file than OUT' 2 --compare same.png four.pgm ./same.png
refused '--compare: must be another file than OUT' 2 --compare same.png --scene 9x9 ./same.png
refused '--compare: must be another file than IN' 2 --compare ./old.png old.png out.png
refused '--compare: must be another file than --match' 2 --match small.png --compare small.png four.pgm
refused 'OUT: must be another file than --match' 2 --match small.png four.pgm small.png
refused 'IN: must not be empty' 2 '' old.png
refused 'OUT: must not be empty' 2 four.pgm ''
refused '--match: must not be empty' 2 --match '' four.pgm
refused '--compare: must not be empty' 2 --compare '' four.pgm
old 'wrong usage'
refused 'must be auto, host or cuda' 2 --backend wrong four.pgm
UPSWEEP_BACKEND=wrong refused 'must be auto, host or cuda' 1 four.pgm
refused 'The following argument was not expected: three' 2 one two three

finish
