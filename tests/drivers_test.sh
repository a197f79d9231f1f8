#!/usr/bin/env bash
# What a program says of drivers that it cannot use, in one line: none, one that is too old, one without a GPU, one that does
# not work. Where it may choose, it works on the host. The drivers are stubs, found before any real one.
# tests/drivers_test.sh BIGSUM CXX
source "$(dirname "$0")/program.sh"
cxx=$2
printf '1\n2\n' >numbers

driver() { # driver VERSION STATUS: of this version of CUDA, that answers so when it is asked to begin
  cat >driver.cpp <<EOF
extern "C" int cuDriverGetVersion(int* version) { return *version = $1, 0; }
extern "C" int cuInit(unsigned) { return $2; }
EOF
  mkdir -p stub
  "$cxx" -shared -fPIC driver.cpp -o stub/libcuda.so.1 || fail "a stub does not compile"
}
says() { # says EXPECTED: with the driver that is there
  local status
  cases=$((cases + 1))
  LD_LIBRARY_PATH=stub "$program" --backend cuda numbers >actual 2>errors
  status=$?
  checks=$((checks + 1))
  [[ $status == 1 && ! -s actual && $(<errors) == "bigsum: device: no CUDA device was found: "$1 ]] ||
    fail "$1: status $status, says $(<errors)"
  LD_LIBRARY_PATH=stub "$program" --backend auto numbers >actual 2>errors || fail "auto, $1: status $?"
  checks=$((checks + 1))
  [[ $(<actual) == 3 && $(<errors) == *' on host; '* ]] || fail "auto, $1: $(<actual) $(<errors)"
}

mkdir stub && : >stub/libcuda.so.1
says "there is no driver for one"
driver 11040 0
says "the driver is one of CUDA 11.4, too old for this program's CUDA *"
driver 99000 100 # CUDA_ERROR_NO_DEVICE
says "the driver knows of none"
driver 99000 999 # CUDA_ERROR_UNKNOWN
says "unknown error"
finish
