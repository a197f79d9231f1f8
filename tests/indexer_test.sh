#!/usr/bin/env bash
# Code indexers find the public calls: a namespace that they cannot read would hide all of them.   indexer_test.sh
set -euo pipefail
cd "$(dirname "$0")/.."
found=$(ctags -x --language-force=C++ --c++-kinds=f core/upsweep/scan.hpp | awk '{print $1}' | sort -u)
for call in scan inclusive_scan exclusive_scan inclusive_segmented_scan exclusive_segmented_scan inclusive_scan_by_key \
  exclusive_scan_by_key; do
  grep -qx "$call" <<<"$found" || { echo "ctags does not find $call in core/upsweep/scan.hpp"; exit 1; }
done
