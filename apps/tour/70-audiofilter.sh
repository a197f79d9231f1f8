# Filters of sound. awk says what is right, one sample at a time.
headline "audiofilter: recursive filters of a WAV file"
if [[ ! -x $bin/audiofilter ]]; then
  echo "  not built: it needs libsndfile"
  return
fi
sound=${UPSWEEP_DATA:-}/audio/Front_Center.wav
if [[ -e $sound ]]; then
  echo "  the sound: somebody says \"front, center\""
else
  echo "  a chirp in noise (a real sound would come from \$UPSWEEP_DATA/audio)"
  sound=$work/chirp.wav
  "$bin/audiofilter" --backend host --generate "$sound" 2>/dev/null || wrong "no chirp"
fi
samples() { tail -c +45 "$1" | od -An -v -w2 -td2; } # of one channel of 16 bits
# A Butterworth low-pass of order 4 at 1 kHz: two biquads of the audio cookbook, whose q are those of the filter's poles.
samples "$sound" | awk '
  function biquad(k, x, y) {
    y = (b * (x + 2 * x1[k] + x2[k]) + 2 * c * y1[k] - (1 - alpha[k]) * y2[k]) / (1 + alpha[k])
    x2[k] = x1[k]; x1[k] = x; y2[k] = y1[k]; y1[k] = y
    return y
  }
  BEGIN {
    pi = atan2(0, -1); c = cos(2 * pi * 1000 / 48000); s = sin(2 * pi * 1000 / 48000); b = (1 - c) / 2
    alpha[1] = s * cos(pi / 8); alpha[2] = s * cos(3 * pi / 8)
  }
  {printf "%.6f\n", biquad(2, biquad(1, $1))}' >"$work/expected"
for backend in $backends; do
  out=$work/printed
  show "$bin/audiofilter" --check --backend "$backend" --lowpass 1000 "$sound" "$work/low.wav" || wrong "audiofilter failed"
  samples "$work/low.wav" | paste - "$work/expected" >"$work/both"
  awk '{d = $1 - $2; if (NF != 2 || d > 0.501 || d < -0.501) exit 1}' "$work/both" || wrong "awk filters otherwise"
  right "the $(wc -l <"$work/expected") samples that awk computes, rounded to 16 bits"
done
show "$bin/audiofilter" --check --backend "$backend" --bandpass 300:3.4k --zero-phase --plot "$work/telephone.svg" \
  --spectrogram "$work/telephone.png" "$sound" "$work/telephone.wav" || wrong "audiofilter failed"
[[ $(head -c 4 "$work/telephone.png" | tail -c 3) == PNG && $(head -c 4 "$work/telephone.svg") == "<svg" ]] || wrong "there is no picture"
right "as the serial filter does; the pictures are $PWD/$work/telephone.svg and .png, the sound telephone.wav beside them"
