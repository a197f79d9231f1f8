# Sourced by tests/run, apps/demo and .ci/run: installs what is missing (Debian 12+, Ubuntu 24.04+), configures, builds.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
missing=()
sources=() # CMake options that name them

# need PACKAGE THING...: asks for a package unless one of the things, commands or headers, is there
need() {
  local package=$1 thing
  shift
  for thing; do
    if command -v "$thing" || [[ -e /usr/include/$thing || -e /usr/local/include/$thing ]]; then return; fi
  done >/dev/null
  missing+=("$package")
}

need_compiler() {
  need g++ g++ "${CXX:-g++}"
  need cmake cmake
  need ninja-build ninja make
}

# With OpenMP
need_clang() {
  need clang-16 clang++-16
  need libomp-16-dev ../lib/llvm-16/lib/clang/16/include/omp.h
}

supported_system() (
  source /etc/os-release 2>/dev/null && command -v apt-get >/dev/null || exit 1
  case ${ID:-} in
    debian) least=12 ;;
    ubuntu) least=24.04 ;;
    *) exit 1 ;;
  esac
  # Debian's testing has no VERSION_ID, and is newer.
  [[ $(printf '%s\n' "$least" "${VERSION_ID:-999}" | sort -V | head -n 1) == "$least" ]]
)

exec {screen}>&2 || exec {screen}>/dev/null # where progress is shown, wherever a command's own words go
log=""           # the file that they go to, if any
shown=(upsweep:) # what grep finds in it is shown although all went well: our own words in CMake's

# How far a log is: "12 of 84" by Ninja's [12/84] or CTest's 12/84 Test, "13 %" by Make's [ 13%], else its last line.
how_far() {
  tail -c 10000 "$1" 2>/dev/null | tr '\r' '\n' | LC_ALL=C awk '
    /Re-checking globbed/ {next} # Ninja counts anew then
    /^\[[0-9]+\/[0-9]+\] |^ *[0-9]+\/[0-9]+ Test +#/ {
      gsub(/^[^0-9]+/, "")
      split($0, n, /[^0-9]/)
      step = n[1] " of " n[2] ", "
      next
    }
    /^\[ *[0-9]+%\] / {step = substr($0, 2) + 0 " %, "; next}
    /[^ ]/ {gsub(/[^ -~]/, ""); last = substr($0, 1, 50) ", "}
    END {print step != "" ? step : last}'
}

# tell_progress TEXT SHELL: until it is killed, or the shell that waits has gone
tell_progress() {
  local began=$SECONDS next=10 took text never columns
  exec {never}<> <(:)
  while read -r -t 1 -u "$never" || kill -0 "$2"; do
    took=$((SECONDS - began))
    if [[ ! -t $screen ]] && ((took < next)); then continue; fi
    text="$1: $([[ ! $log ]] || how_far "$log" || true)$took s"
    if [[ -t $screen ]]; then # the next line, whosever it is, takes its place
      read -r _ columns < <(stty size <&"$screen") || columns=0
      printf '%s\e[K\r' "${text:0:(columns > 20 ? columns : 80) - 1}"
    else
      printf '%s\n' "$text"
      next=$((took + (took < 60 ? 10 : 30)))
    fi >&"$screen"
  done 2>/dev/null
}

# with_progress TEXT COMMAND...: while it runs, standard error says so: on a terminal in a line that moves each second and
# goes away, elsewhere in a line after 10 s, 20 s, ... 60 s, and one every 30 s then. Its status is the command's.
with_progress() {
  local teller status=0
  tell_progress "$1" "$BASHPID" &
  teller=$!
  "${@:2}" || status=$?
  { kill "$teller" && wait "$teller"; } 2>/dev/null || true
  if [[ -t $screen ]]; then printf '\e[K' >&"$screen"; fi
  return "$status"
}

# quietly TEXT COMMAND...: with progress; all that it says is shown when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  with_progress "$@" </dev/null >"$log" 2>&1 || status=$?
  if ((status)); then cat "$log" >&2; else grep "${shown[@]}" "$log" || true; fi
  rm "$log"
  return "$status"
}

# Says what it installs, and does.
install_missing() {
  ((${#missing[@]})) || return 0
  local root=()
  if ! supported_system; then
    echo "This needs (by Debian's package names): ${missing[*]}" >&2
    echo "They are installed for you on Debian 12+ and Ubuntu 24.04+ only; please install them and call this again." >&2
    exit 1
  fi
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Please install as root: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    root=(sudo)
    if [[ -t 0 ]]; then sudo -v || exit 1; else root+=(-n); fi # a password is asked for now, or cannot be
  fi
  local turn # of those who install: .ci/run does two things at a time
  exec {turn}>"${TMPDIR:-/tmp}/upsweep-installs-$EUID" && flock "$turn"
  echo "Installing with apt-get: ${missing[*]}"
  quietly "apt-get update" "${root[@]}" apt-get update || exit 1
  quietly "apt-get install" "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    -o DPkg::Lock::Timeout=120 "${missing[@]}" || exit 1
  flock --unlock "$turn" && exec {turn}>&-
  missing=()
  hash -r
}

# fast_matrix_market, which reads Matrix Market files and is in no release of Debian: its source, for all builds.
market_name=fast_matrix_market-1.7.6
market=$PWD/build/sources/$market_name
need_matrix_market() { # what it takes to get it; where nothing can be installed it is done without
  if [[ ! -e $market ]] && supported_system; then need python3-pip pip3; fi
}

# Gets it by pip. Without it CMake tries its home, and leaves out what needs it when that is out of reach too.
get_matrix_market() {
  if [[ ! -e $market ]]; then
    command -v pip3 >/dev/null || (missing=(python3-pip) && install_missing) || return 0
    mkdir -p build/sources
    # The other form of a package, a wheel, holds no headers.
    if quietly "pip download $market_name" pip3 download --disable-pip-version-check --retries 1 --no-deps \
      --no-binary fast-matrix-market --dest build/sources "fast-matrix-market==${market_name#*-}"; then
      rm -rf "$market.new" && mkdir "$market.new"
      tar -xzf "$market.tar.gz" --directory "$market.new" --strip-components 1 && mv "$market.new" "$market"
    fi
  fi
  if [[ -e $market ]]; then sources=("-DFETCHCONTENT_SOURCE_DIR_FAST_MATRIX_MARKET=$market/fast_matrix_market"); fi
}

# Python packages that tests compare with (NumPy, SciPy, OpenCV, Pillow) or take real pictures and matrices from
# (scikit-image, pyamg), for all builds. Without them those tests tell what they leave out.
python_packages=$PWD/build/python
get_python_packages() {
  [[ ! -e $python_packages ]] || return 0
  python3 -m pip --version &>/dev/null || (missing=(python3-pip) && install_missing) || return 0
  local install=(python3 -m pip install --quiet --disable-pip-version-check --retries 1 --only-binary :all: --target "$python_packages.new")
  rm -rf "$python_packages.new"
  quietly "pip install numpy scipy opencv" "${install[@]}" numpy scipy opencv-python-headless pillow &&
    quietly "pip install scikit-image pyamg" "${install[@]}" --no-deps scikit-image pyamg &&
    PYTHONPATH=$python_packages.new quietly "real matrices" python3 -B tests/real_matrices.py build/matrices &&
    mv "$python_packages.new" "$python_packages" || true
}

# configure PRESET [CMAKE OPTION...]: for build/PRESET
configure() {
  # Ninja where it is installed, but not in a folder that was configured without it
  if [[ ! -e build/$1/CMakeCache.txt ]] && command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
  quietly "configuring build/$1" cmake --preset "$@" "${sources[@]}" || exit 1
}

# compile PRESET TARGET...: of what is configured; warnings are shown
compile() {
  local shown=(-vE '^(\[ *[0-9]+[/%]|ninja: |(Scanning|Consolidate) )')
  quietly "building ${*:2}" cmake --build "build/$1" --parallel "$(nproc)" --target "${@:2}"
}

# build PRESET TARGET [CMAKE OPTION...]
build() {
  configure "$1" "${@:3}"
  compile "$1" "$2"
}
