#!/usr/bin/env bash
# A process may hold two versions of the library, of its headers too: shared ones, and static ones in shared libraries. The
# libraries are stubs, whose functions say which version they are; what is exported is told as the real one tells it.
# versions_test.sh CXX NM AR CORE ALGORITHMS
set -euo pipefail
cxx=$1 nm=$2 ar=$3 core=$4 algorithms=$5
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

for minor in 2 3; do
  mkdir -p "$work/$minor/upsweep"
  sed "s/\(define UPSWEEP_VERSION_MINOR\) .*/\1 $minor/" "$core/upsweep/config.hpp" >"$work/$minor/upsweep/config.hpp"
  sed "s/@PROJECT_VERSION_MAJOR@/0/; s/@PROJECT_VERSION_MINOR@/$minor/" "$algorithms/compiled/exports.map.in" >"$work/$minor/exports.map"
  sed "s/.*/extern \"C\" int &() { return $minor; }/" "$algorithms/compiled/symbols.txt" >"$work/$minor/stub.cpp"
  "$cxx" -fPIC -c "$work/$minor/stub.cpp" -o "$work/$minor/stub.o"
  "$cxx" -shared "$work/$minor/stub.o" -o "$work/$minor/libupsweep_cuda.so.0.$minor" -Wl,-soname,libupsweep_cuda.so.0.$minor \
    -Wl,--version-script="$work/$minor/exports.map"
  "$ar" cr "$work/$minor/libupsweep_cuda.a" "$work/$minor/stub.o"
  "$cxx" -std=c++20 -O0 -fPIC -DUPSWEEP_USE_LIBRARY -DPART=part_$minor -I"$work/$minor" -I"$core" -I"$algorithms" \
    -c versions/part.cpp -o "$work/$minor/part.o"
done

try() { # try KIND FILE OPTION...: plugins with the library of this kind
  local minor
  for minor in 2 3; do
    "$cxx" -shared "$work/$minor/part.o" "$work/$minor/$2$([[ $1 == static ]] || echo ".0.$minor")" "${@:3}" \
      -Wl,-rpath,"$work/$minor" -o "$work/libpart_$minor.so"
    # But for the standard library's, of our types, and for what a plugin may give to another one: exceptions, and what
    # programs derive from memory_resource.
    "$nm" -D --defined-only --format=posix "$work/libpart_$minor.so" | awk '{print $1}' | grep upsweep |
      grep -vE '^_ZN?K?S|7upsweep(9no_device|10cuda_error|15memory_resource)' | LC_ALL=C sort >"$work/$minor/names"
  done
  if comm -12 "$work/2/names" "$work/3/names" | grep .; then
    echo "FAILED: these names of $1 plugins are the same in both versions" >&2
    return 1
  fi
  "$cxx" versions/main.cpp -L"$work" -lpart_2 -lpart_3 -Wl,-rpath,"$work" -o "$work/main"
  "$work/main" >"$work/said" || { echo "FAILED: with $1 libraries a plugin finds another's: $(cat "$work/said")" >&2 && return 1; }
  echo "right: with $1 libraries $(wc -l <"$work/2/names") names are of one version alone; $(cat "$work/said")"
}
try shared libupsweep_cuda.so
try static libupsweep_cuda.a -Wl,--exclude-libs,libupsweep_cuda.a
