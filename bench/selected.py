"""Rows that other pages than bench/README.md show: a choice for the README, losses among them, and what is not fast."""
import fnmatch
import re

import rows as bench
import tables

# (name of the results, a pattern of a row's name)
CHOSEN = [
    ("h200", "large/inclusive_sum/int32/cold/2^28"),
    ("h200", "large/linear_recurrence/float32/cold/2^27"),
    ("h200", "large/radix_sort/uint32/cold/2^28"),
    ("h200", "large/copy_if/uint32_10_percent/cold/2^28"),
    ("h200", "large/three_way_partition/uint32_thirds/cold/2^28"),
    ("h200", "large/spmv/float32_power_law/cold/2^26"),
    ("h200", "more/segmented_reduce/int32_mean_10000/cold/2^28"),
    ("h200", "sizes/quicksort/uint32/warm/2^14"),
    ("host", "large/inclusive_sum/int32/all_threads/2^26"),
    ("host", "large/copy_if/uint32_50_percent/all_threads/2^26"),
    ("host", "large/quicksort/uint32/all_threads/2^24"),
    ("host", "sizes/inclusive_sum/int32/all_threads/2^16"),
]
# The same, and a remark. What is far below a copy, too, not only what is slower than a peer.
SLOW = [
    ("h200", "large/three_way_partition/uint32_thirds/cold/2^28", "an item's place in three ranges takes two dependent instructions each"),
    ("h200", "more/run_length_encode/int32_runs_of_50/cold/2^28",
     "walked along each item twice at this revision; since then once: 0.96 of a copy on an H100"),
    ("h200", "more/reduce_by_key/int32_runs_of_50/cold/2^28", "as before; 0.98 of a copy on an H100"),
    ("h200", "more/expand/int32_ones/cold/2^28",
     "counts are read twice, lest a negative one be found when something is written; the second time in four bits each"),
    ("h200", "more/radix_sort/float32/cold/2^28", "most digits of the first byte are empty, and a third round was made; since then none: 1.01 of CUB's speed on an H100"),
    ("h200", "more/radix_sort/uint32_and_of_2/cold/*", "skewed keys: most are in few cells of any width"),
    ("h200", "more/radix_sort_by_key/uint32_uint32_zipf/cold/*", "skewed keys; 1.14 since then, on an H100"),
    ("h200", "sizes/quicksort/uint32_by_function/warm/2^14", "merges"),
    ("h200", "large/spmv/float32_power_law/cold/2^26", "scattered columns: all wait for `x`"),
    ("h200", "sizes/histogram/uint8/warm/2^20", "middle sizes"),
    ("h200", "more/histogram_even/float32_256_bins/cold/2^28", ""),
    ("h200", "more/sosfilt/float32_8_sections/cold/2^26",
     "a tile waits in shared memory until what stands before it is known, and few fit"),
    ("h200", "more/sosfilt/float32_64_interleaved_channels/cold/2^24", ""),
    ("h200", "more/sosfilt/float32_1024_filters/cold/2^24", "waits for the tables of the filters"),
    ("h200", "more/clahe/uint16_4096x4096_natural/cold/2^24", "tables of 65,536 levels, one for each tile"),
    ("host", "sizes/inclusive_sum/int32/all_threads/2^16", "just large enough to wake threads: `host(1)` is faster here"),
    ("host", "large/inclusive_sum/int32/one_thread/2^26",
     "chunks side by side are 16 streams, of which this processor fetches few ahead; on others 0.9 of a copy"),
    ("host", "large/linear_recurrence/float32_order2/one_thread/2^24", "scans matrices of 2×3"),
    ("host", "suite/spmv/ldoor_float32/all_threads/2^26", ""),
]


# About twenty rows a side that `bench/run --quick` measures in three minutes: patterns of rows' names.
QUICK = {
    "cuda": ["large/inclusive_sum/int32/cold/*", "large/inclusive_sum/uint8/*", "large/linear_recurrence/float32/*",
             "large/sum_by_key/int32/*", "large/reduce/int32/*", "large/copy_if/uint32_50_percent/*",
             "large/partition_copy/*", "large/radix_sort/*", "large/radix_sort_by_key/*", "large/quicksort/uint32/*",
             "large/sosfilt/float32_1_section/*", "large/histogram/uint8_random/*", "large/equalize/*", "large/spmv/*",
             "more/segmented_reduce/int32_mean_100/*", "sizes/inclusive_sum/int32/warm/2^16",
             "sizes/radix_sort/uint32/warm/2^16", "sizes/quicksort/uint32/warm/2^16"],
    "host": ["sizes/inclusive_sum/int32/*/2^10", "sizes/inclusive_sum/int32/*/2^20", "large/inclusive_sum/int32/all_threads/*",
             "sizes/reduce/int32/all_threads/2^20", "sizes/copy_if/uint32_50_percent/*/2^20",
             "sizes/partition_copy/uint32_50_percent/all_threads/2^20", "sizes/sum_by_key/int32/all_threads/2^20",
             "sizes/radix_sort/uint32/*/2^20", "sizes/radix_sort/float32/*/2^20",
             "sizes/radix_sort_by_key/uint32_uint32/all_threads/2^20", "sizes/quicksort/uint32/all_threads/2^20",
             "sizes/sosfilt/float32_1_section/*/2^20", "sizes/histogram/uint8/all_threads/2^20",
             "sizes/equalize/uint8/all_threads/2^20", "sizes/spmv/float32_banded_27/*/2^20",
             "small/spmv/float32_2000_rows/one_thread/*"],
}


def quick_filter(side):
    """As one regular expression of Google Benchmark's."""
    return "^(" + "|".join(re.escape(p).replace(r"\*", "[^/]*").replace("\\-", "-") for p in QUICK[side]) + ")/"


def row_of(results, name, pattern):
    """(results, row), or None when it has not been measured."""
    for r in results:
        for row in r.rows:
            if r.name == name and fnmatch.fnmatchcase(row.name, pattern) and not row.error:
                return r, row
    return None


def remark(r, row):
    """What the reader is not to overlook: a loss, a goal that was missed."""
    best = row.best()
    found = ["**slower**"] if best and best.us < row.us else []
    for kind, wanted in bench.target_of(r, row.name).get("must", {}).items():
        if row.group != "suite" and row.has(kind) and not bench.is_met(kind, row.ratio(kind), wanted):
            found.append(f"its goal is {tables.reached(kind, wanted)} {tables.of_what(row, kind)}")
    return "; ".join(found + tables.remarks(row))


def table(results, wanted):
    """Rows (name of the results, a pattern of a row's name[, a remark]), those that have not been measured too."""
    cells, devices = [], []
    for name, pattern, *words in wanted:
        found = row_of(results, name, pattern)
        if found is None:
            group, operation, kind, mode, size = pattern.split("/")
            missing = bench.Row(group, f"{operation}/{kind}", mode, 0)
            cells.append([f"{'CPU' if name == 'host' else 'GPU'}: {tables.what(missing)}", size.replace("*", ""), *[""] * 5,
                          "not measured yet"])
            continue
        r, row = found
        best = row.best()
        side = "GPU" if r.context["side"] == "cuda" else "CPU"
        if (line := f"{side}: {tables.about(r)}") not in devices:
            devices.append(line)
        cells.append([f"{side}: {tables.what(row)}" + (f" (at {row.earlier})" if row.earlier else ""), tables.size(row), f"**{tables.figure(row.us)}**",
                      f"{tables.library(best.name)} {tables.figure(best.us)}" if best else "", tables.figure(row.copy_us),
                      f"{best.us / row.us:.2f}" if best else "", f"{row.copy_us / row.us:.2f}" if row.has("of_copy") else "",
                      words[0] if words else remark(r, row)])
    header = ["work", "items", "upsweep µs", "best peer µs", "copy µs", "of the peer's speed", "of a copy's", ""]
    return tables.table(header, cells) + f"\n\nMedian times. {'; '.join(devices)}."
