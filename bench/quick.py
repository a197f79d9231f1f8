"""About twenty rows a side, for a user's own machine: `bench/run --quick`."""
import re

from tables import MODES, figure, library, remarks, size, what

# What `bench/run --quick` measures in three minutes: patterns of rows' names.
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


def plain(rows):
    """Aligned, for a terminal."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths))).rstrip()
                     for row in rows)


def table(r):
    """A table to read on a terminal."""
    rows = [["work", "items", "upsweep", "best peer", "", "times as fast", "of copy", ""]]
    for row in r.rows:
        name = what(row).replace("`", "") + f", {MODES[row.mode]}"
        if row.error:
            rows.append([name, size(row), f"failed: {row.error}", *[""] * 5])
            continue
        best = row.best()
        rows.append([name, size(row), f"{figure(row.us)} µs", f"{figure(best.us)} µs" if best else "",
                     library(best.name) if best else "", f"{best.us / row.us:.2f}" if best else "",
                     f"{row.copy_us / row.us:.2f}" if row.has("of_copy") else "", "; ".join(remarks(row))])
    return plain(rows)
