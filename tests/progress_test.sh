#!/usr/bin/env bash
# A step of our scripts that takes long tells so, where standard error is a file as well; and its status is its command's.
set -uo pipefail
setup=$(realpath "$(dirname "$0")/../scripts/setup.sh")
said=$(mktemp)
trap 'rm "$said"' EXIT
bash -c 'source "$1" && with_progress "a long step" bash -c "sleep 11; exit 7"' bash "$setup" 2>"$said"
status=$?
if ((status != 7)) || ! grep -qx 'a long step: 1[0-9] s' "$said"; then
  printf 'FAILED: status %d, says:\n%s\n' "$status" "$(<"$said")"
  exit 1
fi
