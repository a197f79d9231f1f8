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

# Runs a command that speaks up only when it fails.
quietly() {
  local log failed=0
  log=$(mktemp)
  "$@" </dev/null >"$log" 2>&1 || failed=$?
  if ((failed)); then cat "$log" >&2; else grep 'upsweep:' "$log" || true; fi # our own words in CMake's
  rm "$log"
  return "$failed"
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
    [[ -t 0 ]] || root+=(-n)  # nobody there to type a password
  fi
  echo "Installing with apt-get: ${missing[*]}"
  quietly "${root[@]}" apt-get update || exit 1
  quietly "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    -o DPkg::Lock::Timeout=120 "${missing[@]}" || exit 1
  missing=()
  hash -r
}

# Gets the source of fast_matrix_market, which reads Matrix Market files and is in no release of Debian, by pip: once, for
# all builds. Without it CMake tries the library's home, and leaves out what needs it when that is out of reach too.
get_matrix_market() {
  local name=fast_matrix_market-1.7.6
  local folder=$PWD/build/sources/$name
  if [[ ! -e $folder ]]; then
    command -v pip3 >/dev/null || (missing=(python3-pip) && install_missing) || return 0
    mkdir -p build/sources
    # The other form of a package, a wheel, holds no headers.
    if quietly pip3 download --disable-pip-version-check --retries 1 --no-deps --no-binary fast-matrix-market \
      --dest build/sources "fast-matrix-market==${name#*-}"; then
      rm -rf "$folder.new" && mkdir "$folder.new"
      tar -xzf "$folder.tar.gz" --directory "$folder.new" --strip-components 1 && mv "$folder.new" "$folder"
    fi
  fi
  if [[ -e $folder ]]; then sources=("-DFETCHCONTENT_SOURCE_DIR_FAST_MATRIX_MARKET=$folder/fast_matrix_market"); fi
}

# configure PRESET [CMAKE OPTION...]: for build/PRESET
configure() {
  # Ninja where it is installed, but not in a folder that was configured without it
  if [[ ! -e build/$1/CMakeCache.txt ]] && command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
  quietly cmake --preset "$@" "${sources[@]}" || exit 1
}

# build PRESET TARGET [CMAKE OPTION...]
build() {
  configure "$1" "${@:3}"
  cmake --build "build/$1" --parallel "$(nproc)" --target "$2"
}
