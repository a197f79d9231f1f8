# What the tests of a program share. Sourced by NAME_test.sh PROGRAM [BACKEND...], with its arguments.
# Work is done in a directory of its own; fail and refused count, finish tells. The backends are those that are given.
set -uo pipefail
program=$(realpath "$1")
name=$(basename "$program")
backends=("${@:2}")
build=$(realpath -m "$(dirname "${BASH_SOURCE[0]}")/../build")
export PYTHONPATH=$build/python${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
# Where a script chooses among versions of Python, it takes ten times as long to start as the interpreter that it chooses.
interpreter=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || interpreter=python3
python3() { command "$interpreter" "$@"; }
plain_python3() { python3 -S "$@"; } # without looking for packages, which takes longer than to start
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C
unset UPSWEEP_BACKEND
export UPSWEEP_PROGRESS=1000000 # seconds until a line of progress: tests look at every line

cases=0
checks=0
failures=0

# skip WHAT: something is not tested for want of it; tests/run tells
skip() { echo "skipped: 1 for want of $1"; }
# runs_on_gpu STATUS ARGUMENT...: does the program, which needs a GPU then, end with the status? That it ends otherwise is
# right for two reasons only.
runs_on_gpu() {
  "$program" "${@:2}" >actual 2>errors
  local status=$? why
  ((status != $1)) || return 0
  why=$(grep -oE 'this program was compiled without CUDA|no CUDA device was found' errors || true)
  if [[ ! $why ]]; then
    fail "${*:2}: status $status: $(<errors)"
  elif [[ ${UPSWEEP_REQUIRE_GPU:-} ]]; then
    fail "$why, and UPSWEEP_REQUIRE_GPU is set"
  else
    skip "a GPU ($why)"
  fi
  return 1
}
# shorter HOW: is this program a sanitized one, which takes 15 ms to start and ten times as long for its work? Then the test does
# less of the same kind, and tests/run tells; the optimized program is tested by all of it.
shorter() { grep -q __asan_init "$program" && echo "shorter: $name, which is sanitized: $1"; }
# find_backends PEER STATUS ARGUMENT...: if none is given, host, and cuda where `PROGRAM --backend cuda ARGUMENT...` ends
# with STATUS.
find_backends() {
  if ((${#backends[@]} == 0)); then
    backends=(host)
    if runs_on_gpu "$2" --backend cuda "${@:3}"; then backends+=(cuda); fi
  fi
  echo "$name against $1 on: ${backends[*]}"
}
fail() {
  printf 'FAILED: %s\n' "$1" >&2
  failures=$((failures + 1))
}
# refused WHAT STATUS ARGUMENT...: one line that holds WHAT, nothing printed
refused() {
  "$program" "${@:3}" >actual 2>errors </dev/null
  local status=$? said
  checks=$((checks + 1))
  ((status == $2)) || fail "$name ${*:3}: status $status, should be $2"
  mapfile said <errors # no program is started for it: some tests call this hundreds of times
  [[ ! -s actual && ${#said[@]} == 1 && ${said[0]} == *"$1"*$'\n' ]] || fail "$name ${*:3}: says $(cat errors)"
}
# holds FILE TEXT WHAT: the text is all that the file holds
holds() {
  checks=$((checks + 1))
  cmp -s "$1" <(printf '%s\n' "$2") || fail "$3: $1 holds $(head -c 100 "$1" | od -c | head -n 3)"
}
# tells STAGE... -- ARGUMENT...: were a millisecond long, lines would say that the program is at each of the stages. A busy
# machine may not let the line's thread in while a stage of few milliseconds lasts: it has twenty tries.
tells() {
  local stage try told=''
  local -A missing=()
  while [[ $1 != -- ]]; do
    missing[$1]=1
    shift
  done
  checks=$((checks + ${#missing[@]}))
  for ((try = 0; try < 20 && ${#missing[@]}; ++try)); do
    UPSWEEP_PROGRESS=0.001 "$program" "${@:2}" >actual 2>errors </dev/null || fail "${*:2}: status $?: $(<errors)"
    told+=$(<errors)$'\n'
    for stage in "${!missing[@]}"; do
      if grep -qE "^$name: $stage \.\.\. (.* GB, )?[0-9]+ s\$" errors; then unset "missing[$stage]"; fi
    done
  done
  for stage in "${!missing[@]}"; do fail "${*:2}: does not tell that it is $stage: $told"; done
}
# nothing_left WHAT: no unfinished file is there
nothing_left() {
  checks=$((checks + 1))
  ! compgen -G 'upsweep.??????' >left || fail "$1: left behind: $(<left)"
}
# takes_less MEGABYTES ARGUMENT...: of memory, whatever comes out
takes_less() {
  checks=$((checks + 1))
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
sys.exit("%d MB" % took if took >= int(sys.argv[1]) else 0)' "$1" "$program" "${@:2}" 2>took || fail "${*:2}: takes $(<took)"
}
# has_python PACKAGE...: are they all there? If not, it is told.
has_python() {
  local package
  for package; do
    python3 -c "import $package" 2>/dev/null && continue
    skip "Python's $package"
    return 1
  done
}
# real_files KIND: puts the real images, audio, texts or matrices into `files`: of packages, which tests/run installs, and those
# of the folder $UPSWEEP_DATA/KIND.
real_files() {
  local all=() file
  files=()
  shopt -s nullglob
  case $1 in
    images) all=("$build"/python/skimage/data/{astronaut,camera,cell,chelsea,coins,horse,logo,moon,text}.png
                 "$build"/python/skimage/data/retina.jpg "${UPSWEEP_DATA:-/absent}"/images/*.{png,jpg,pgm,ppm}) ;;
    audio) all=(/usr/share/sounds/alsa/*.wav "${UPSWEEP_DATA:-/absent}"/audio/*.wav) ;;
    texts) all=(/usr/lib/python3*/pydoc_data/topics.py /usr/share/common-licenses/* "${UPSWEEP_DATA:-/absent}"/texts/*) ;;
    matrices) all=("$build"/matrices/*.mtx "${UPSWEEP_DATA:-/absent}"/matrices/*.mtx) ;;
  esac
  shopt -u nullglob
  for file in "${all[@]}"; do [[ ! -f $file ]] || files+=("$file"); done
  if ((${#files[@]})); then echo "real $1: ${files[*]##*/}"; else skip "real $1 (generated ones only)"; fi
}
random_text() { # random_text SEED BYTES LETTERS
  awk -v seed="$1" -v n="$2" -v letters="$3" 'BEGIN {
    srand(seed)
    while (n-- > 0) printf "%s", substr(letters, int(rand() * length(letters)) + 1, 1)
  }'
}
finish() {
  echo "$checks checks, $failures failed"
  ((failures == 0))
}
