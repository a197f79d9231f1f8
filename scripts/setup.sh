# Sourced by tests/run, apps/demo and .ci/run: installs what is missing (Debian 12+, Ubuntu 24.04+), configures, builds.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
missing=()

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

# configure PRESET [CMAKE OPTION...]: for build/PRESET
configure() {
  # Ninja where it is installed, but not in a folder that was configured without it
  if [[ ! -e build/$1/CMakeCache.txt ]] && command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
  quietly cmake --preset "$@" || exit 1
}

# build PRESET TARGET [CMAKE OPTION...]
build() {
  configure "$1" "${@:3}"
  cmake --build "build/$1" --parallel "$(nproc)" --target "$2"
}
