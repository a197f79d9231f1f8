#!/usr/bin/env bash
# The program `audiofilter` against formulas of gains, biquads in Python, and SciPy where it is installed: filters, formats,
# streaming, pictures, errors.   tests/audiofilter_test.sh AUDIOFILTER [BACKEND...]   Backends: host, and cuda where it runs.
helper=$(realpath "$(dirname "$0")/audiofilter_wav.py")
pictures=$(realpath "$(dirname "$0")")
source "$(dirname "$0")/program.sh"
ours=$program
wav() {
  local with=plain_python3
  if [[ $1 == scipy ]]; then with=python3; fi
  $with "$helper" "$@"
}
has_scipy=
has_python scipy && has_scipy=yes
if shorter 'SciPy filters one format, not four'; then scipy_formats=24; else scipy_formats='8 16 24 float'; fi

wav make impulse.wav float 2 12000 impulse
wav make three.wav 16 3 5000 noise
find_backends 'formulas, biquads' 0 --lowpass 100 three.wav

# runs WHAT ARGUMENT...: succeeds on every backend, is verified, and `judge WHAT BACKEND` is content with out.wav
runs() {
  local backend
  for backend in "${backends[@]}"; do
    checks=$((checks + 1))
    "$ours" --check --backend "$backend" "${@:2}" out.wav >actual 2>errors || fail "$1, $backend: status $?: $(<errors)"
    [[ ! -s actual ]] && grep -q '^audiofilter: verified against a serial filter in long double: largest error ' errors ||
      fail "$1, $backend: says $(cat actual errors)"
    judge >judged 2>&1 || fail "$1, $backend: $(tail -n 1 judged)"
  done
}

# ---------------------------------------------------------------- gains of every kind of filter
# gains FILTER...
gains() {
  judge() { wav gain out.wav once 48000 "${filters[@]}"; }
  local filters=("$@")
  runs "gains of $*" "$@" impulse.wav
}
gains --lowpass 1000
gains --lowpass 5000 --order 1
gains --lowpass 1000 --order 9
gains --highpass 500
gains --highpass 9000 --order 7
gains --bandpass 500:3400
gains --bandpass 4000:9000 --order 9
gains --bandstop 2000:3000 --order 3
gains --notch 1000:2
gains --peak 2000:9:1.5
gains --peak 2000:-9:1.5
gains --low-shelf 800:-12:0.7
gains --high-shelf 5000:7:0.6
gains --highpass 400 --peak 3000:6:2 --lowpass 9000 --notch 5000:3 --high-shelf 7000:-5:0.8 --order 2 # 6 sections
judge() { wav gain out.wav zero 48000 "${filters[@]}"; }
filters=(--bandpass 900:4000 --order 2)
runs 'zero phase' --zero-phase "${filters[@]}" impulse.wav
filters=(--lowpass 3000 --peak 1000:-4:1 --order 3)
runs 'zero phase, two filters' --zero-phase "${filters[@]}" impulse.wav
judge() { wav same out.wav short.wav 0; }
wav make two.wav 16 2 4000 noise
"$ours" --low-shelf 200:6 --peak 3000:-4:1 two.wav short.wav 2>errors
runs 'what may be left out, 3k for 3000' --low-shelf 200:6:0.70710678118654757 --peak 3k:-4 two.wav

# ---------------------------------------------------------------- formats, channels, lengths
for format in 8 16 24 float; do
  for channels in 1 2 5; do
    wav make in.wav $format $channels 3001 noise 44100
    tolerance=1.01
    case $format in 24) tolerance=2 ;; float) tolerance=1e-6 ;; esac
    judge() { wav lowpass in.wav out.wav 6 1500 $tolerance; }
    runs "$format, $channels channels" --lowpass 1500 --order 6 in.wav
    if [[ $has_scipy && " $scipy_formats " == *" $format "* ]]; then
      judge() { wav scipy in.wav out.wav zero bandpass 3 $tolerance 500 3000; }
      runs "$format, $channels channels, zero phase" --bandpass 500:3000 --order 3 --zero-phase in.wav
    fi
  done
done
for frames in 0 1 2 129 65536; do
  wav make in.wav 16 1 $frames noise
  judge() { wav lowpass in.wav out.wav 2 700 1.01; }
  runs "$frames frames" --lowpass 700 --order 2 in.wav
done
wav make in.wav float 2 3000 nan
judge() { wav same out.wav out.wav inf; } # of the right form
runs 'not a number' --lowpass 700 in.wav
python3 - "$helper" <<'END' || fail 'not a number: moves back in time, or to another channel'
import math, runpy, sys
sys.argv = ["", "same", "three.wav", "three.wav", "0"]
_, samples = runpy.run_path(sys.orig_argv[2])["read"]("out.wav")
assert not any(math.isnan(x) for x in samples[1::2] + samples[0:2000:2]) and all(math.isnan(x) for x in samples[2000::2])
END
grep -qx 'audiofilter: frame 1,001 of channel 1 is no finite number; 2,000 samples behind the filter are none' errors ||
  fail "not a number: says $(<errors)"
wav make loud.wav 16 1 4000 loud
judge() { wav same out.wav out.wav 0 && grep -Eq '^audiofilter: [0-9,]+ samples were beyond full scale, and are clipped$' errors; }
runs 'clipped' --low-shelf 2k:6 loud.wav
wav make loud.wav float 1 4000 loud
judge() { ! grep -q clipped errors; }
runs 'float is not clipped' --low-shelf 2k:6 loud.wav

# Beyond float, and below what it can tell: no difference to the serial filter.
judge() { wav same out.wav out.wav inf && grep -q 'samples behind the filter are none' errors; }
wav make huge.wav float 1 4000 huge
runs 'beyond float' --low-shelf 2k:6 huge.wav
judge() { wav same out.wav out.wav inf && ! grep -q 'behind the filter' errors; }
wav make least.wav float 1 4000 least
runs 'the smallest floats' --low-shelf 2k:6 least.wav
runs 'the smallest floats, zero phase' --zero-phase --low-shelf 2k:6 least.wav

# ---------------------------------------------------------------- pieces
"$ours" --generate --channels 2 --seconds 14 long.wav 2>errors || fail "generate: $(<errors)" # three pieces
for backend in "${backends[@]}"; do
  filter=("$ours" --backend "$backend" --bandpass 60:900 --order 5 long.wav)
  "${filter[@]}" --piece 1000000 whole.wav 2>errors || fail "one piece: $(<errors)"
  "${filter[@]}" pieces.wav 2>errors && cmp whole.wav pieces.wav || fail "pieces, $backend"
  "${filter[@]}" --check --piece 777 pieces.wav 2>errors && wav same whole.wav pieces.wav 1 || fail "odd pieces, $backend"
  cp long.wav itself.wav
  "$ours" --backend "$backend" --bandpass 60:900 --order 5 itself.wav itself.wav 2>errors && cmp whole.wav itself.wav ||
    fail "a file into itself, $backend"
  checks=$((checks + 3))
done
for backend in "${backends[@]:1}"; do
  "$ours" --backend host --bandpass 60:900 --order 5 long.wav host.wav 2>errors && wav same whole.wav host.wav 1 ||
    fail "host and $backend differ"
done

# ---------------------------------------------------------------- without a file
"$ours" --generate --seconds 1 --channels 2 --samples 24 --rate 8000 made.wav 2>errors || fail "generate: $(<errors)"
grep -q '^audiofilter: there is no INPUT: a chirp in noise instead' errors || fail "generate: says $(<errors)"
"$ours" --generate --seconds 1 --channels 2 --samples 24 --rate 8000 again.wav 2>errors && cmp made.wav again.wav ||
  fail 'generate: not the same each time'
"$ours" --check --lowpass 900 --order 2 --generate --seconds 1 --channels 2 --samples 24 --rate 8000 out.wav 2>errors &&
  wav lowpass made.wav out.wav 2 900 2 || fail "generate: $(<errors)"
"$ours" --check --lowpass 900 >actual 2>errors && [[ ! -s actual ]] || fail "without a file: $(<errors)"
checks=$((checks + 4))
real_files audio
for sound in "${files[@]}"; do
  judge() { wav lowpass "$sound" out.wav 4 1000 1.01; }
  runs "$sound" --lowpass 1000 "$sound"
done

# ---------------------------------------------------------------- pictures
"$ours" --generate --bandstop 900:1.1k --plot plot.svg --spectrogram both.png 2>errors || fail "pictures: $(<errors)"
python3 - "$pictures" <<'END' || fail 'pictures'
import sys, xml.dom.minidom
sys.path.insert(0, sys.argv[1])
import png
lines = [line.getAttribute("points").split() for line in xml.dom.minidom.parse("plot.svg").getElementsByTagName("polyline")]
assert len(lines) >= 2
rows = list(png.rows("both.png"))
assert len(rows) == 256 and all(len(row) == 964 for row in rows)
assert all(row[480:484] == [(255, 255, 255)] * 4 for row in rows)
# The chirp: the brightest of a column rises. After the filter it is gone where the stop band is, and only there.
def brightest(column): return max(range(256), key=lambda y: (rows[y][column][1], y))
tone = [brightest(x) for x in range(200, 470, 30)]
assert tone == sorted(tone, reverse=True) and tone[0] - tone[-1] > 100, tone
stopped = [x for x in range(4, 476) if rows[brightest(x)][x][1] - rows[brightest(x)][x + 484][1] > 30]
assert stopped and all(240 < brightest(x) < 248 for x in stopped), [(x, brightest(x)) for x in stopped]
END
"$ours" --lowpass 0.5 --highpass 23.9k --plot plot.svg 2>errors && python3 -c 'import xml.dom.minidom as m; m.parse("plot.svg")' ||
  fail "an extreme plot: $(<errors)"
wav make none.wav 16 1 0 noise
"$ours" --lowpass 10 --spectrogram both.png none.wav 2>errors || fail "a picture of nothing: $(<errors)"
checks=$((checks + 3))

# ---------------------------------------------------------------- progress
tells 'filtering long.wav' -- --check --lowpass 100 long.wav
tells 'verifying channel 2' -- --check --zero-phase --lowpass 100 long.wav

# ---------------------------------------------------------------- what is wrong; the output stays whole
echo old >old
stays() { [[ $(head -c 4 old) == old ]] || fail "$1: the old file is gone"; }
cp "$pictures/fuzz/corpus/wav/entry_that_leads_back" leads_back.wav # libsndfile would read it for ever
refused 'audiofilter: leads_back.wav: has a list with an entry of 4,294,967,288 bytes' 1 --lowpass 100 leads_back.wav out.wav
cp "$pictures/fuzz/corpus/wav/list_longer_than_the_file" long_list.wav # for minutes
refused 'audiofilter: long_list.wav: has a list of 3,724,541,982 bytes' 1 --lowpass 100 long_list.wav out.wav
refused 'audiofilter: --lowpass 24000: cutoff is 24000, must be above 0 and below 24000' 1 --lowpass 24000 three.wav old
refused 'audiofilter: --lowpass 0: cutoff is 0' 1 --lowpass 0 three.wav old
refused 'audiofilter: --bandpass 300:200: low is 300, must be below high, 200' 1 --bandpass 300:200 three.wav old
refused 'audiofilter: --peak 30k:3: frequency is 30000' 1 --peak 30k:3 three.wav old
refused 'audiofilter: --notch 50:0: q is 0' 1 --notch 50:0 three.wav old
refused 'audiofilter: missing: No such file or directory' 1 --lowpass 100 missing old
refused 'audiofilter: .: Is a directory' 1 --lowpass 100 . old
refused 'audiofilter: old: is no WAV file that can be read' 1 --lowpass 100 old old
mkfifo pipe && refused 'audiofilter: pipe: is no regular file' 1 --lowpass 100 pipe old
: >empty && refused 'audiofilter: empty: is no WAV file' 1 --lowpass 100 empty old
size=$(stat -c %s three.wav)
for length in 4 11 20 36 43; do head -c $length three.wav >cut.wav && refused 'audiofilter: cut.wav: ' 1 --lowpass 100 cut.wav old; done
head -c $((size - 1)) three.wav >cut.wav
refused 'audiofilter: cut.wav: ends within its samples: 29,999 bytes of 30,000 are there' 1 --lowpass 100 cut.wav old
(head -c 40 three.wav && printf '\377\377\377\377' && tail -c +45 three.wav) >piped.wav
"$ours" --lowpass 100 piped.wav out.wav 2>errors && "$ours" --lowpass 100 three.wav short.wav 2>errors && cmp out.wav short.wav ||
  fail "a size that was not known: $(<errors)"
(head -c 34 three.wav && printf '\40\0' && tail -c +37 three.wav) >wide.wav # says that it has 32 bits
refused 'audiofilter: wide.wav: ' 1 --lowpass 100 wide.wav old
wav make tiny.wav 16 1 5 noise
refused 'audiofilter: tiny.wav: in has 5 samples, needs more than the padding of 15' 1 --zero-phase --check --lowpass 9 tiny.wav old
refused 'audiofilter: missing/out.wav: No such file or directory' 1 --lowpass 100 three.wav missing/out.wav
refused 'audiofilter: missing/a.svg: No such file or directory' 1 --lowpass 100 --plot missing/a.svg three.wav old
refused 'audiofilter: missing/a.png: No such file or directory' 1 --lowpass 100 --spectrogram missing/a.png three.wav old
stays 'errors'
(trap '' XFSZ && ulimit -f 4 && "$ours" --lowpass 100 long.wav old 2>errors)
(($? == 1)) && [[ $(<errors) == 'audiofilter: old: write error: File too large' ]] || fail "no room: says $(<errors)"
stays 'no room'
nothing_left errors
checks=$((checks + 4))

refused 'there is no filter' 2 three.wav
refused 'there is no filter' 2
refused '--lowpass: is "x", must be F' 2 --lowpass x three.wav
refused '--lowpass: is "1:2", must be F' 2 --lowpass 1:2 three.wav
refused '--bandpass: is "1", must be F:G' 2 --bandpass 1 three.wav
refused '--peak: is "1:2:3:4", must be F:DB[:Q]' 2 --peak 1:2:3:4 three.wav
refused '--notch: is "5:", must be F[:Q]' 2 --notch 5: three.wav
for value in nan inf 1e999; do refused "--lowpass: is \"$value\", must be F" 2 --lowpass $value three.wav; done
refused '--seconds: must be a number' 2 --generate --seconds nan old
refused '--order' 2 --order 0 --lowpass 100 three.wav
refused '--seconds' 2 --seconds 3 --lowpass 100 three.wav
refused '--generate: takes no INPUT' 2 --generate three.wav old
refused 'OUTPUT: must be a file' 2 --lowpass 100 three.wav -
refused '--plot: must be another file than' 2 --lowpass 100 --plot a --spectrogram a
refused '--plot: must be another file than INPUT' 2 --lowpass 100 --plot old old
refused '--plot: must be another file than INPUT' 2 --lowpass 100 --plot ./three.wav three.wav
refused '--spectrogram: must be another file than OUTPUT' 2 --lowpass 100 --spectrogram ./old three.wav old
refused '--spectrogram: must be another file than OUTPUT' 2 --generate --spectrogram ./old old
refused 'INPUT: must not be empty' 2 --lowpass 100 '' old
refused 'OUTPUT: must not be empty' 2 --lowpass 100 three.wav ''
refused '--plot: must not be empty' 2 --lowpass 100 --plot '' three.wav old
refused 'must be auto, host or cuda' 2 --backend wrong --lowpass 100 three.wav
stays 'wrong usage'

finish
