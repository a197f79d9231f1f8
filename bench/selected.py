"""Rows that other pages than bench/*.md show: a choice for the README, losses among them, and what is not fast."""
import fnmatch

import causes
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
# What is far below a copy, too, not only what is slower than a peer. Why stands beside it (causes.py). A row that is
# neither any more does not show.
SLOW = [
    ("h200", "large/three_way_partition/uint32_thirds/cold/2^28"),
    ("h200", "more/run_length_encode/int32_runs_of_50/cold/2^28"),
    ("h200", "more/reduce_by_key/int32_runs_of_50/cold/2^28"),
    ("h200", "more/expand/int32_ones/cold/2^28"),
    ("h200", "more/radix_sort/float32/cold/2^28"),
    ("h200", "more/radix_sort/uint32_and_of_2/cold/*"),
    ("h200", "more/radix_sort_by_key/uint32_uint32_zipf/cold/*"),
    ("h200", "sizes/quicksort/uint32_by_function/warm/2^14"),
    ("h200", "sizes/sum_by_key/int32/warm/2^20"),
    ("h200", "sizes/reduce/int32/warm/2^12"),
    ("h200", "large/spmv/float32_power_law/cold/2^26"),
    ("h200", "suite/spmv/in-2004_float32/cold/2^28"),
    ("h200", "sizes/histogram/uint8/cold/2^20"),
    ("h200", "sizes/equalize/uint8/warm/2^20"),
    ("h200", "more/sosfilt/float32_8_sections/cold/2^26"),
    ("h200", "more/sosfilt/float32_64_interleaved_channels/cold/2^24"),
    ("h200", "more/sosfilt/float32_1024_filters/cold/2^24"),
    ("h200", "more/clahe/uint16_4096x4096_natural/cold/2^24"),
    ("host", "sizes/inclusive_sum/int32/all_threads/2^0"),
    ("host", "sizes/inclusive_sum/int32/all_threads/2^16"),
    ("host", "large/inclusive_sum/int32/one_thread/2^26"),
    ("host", "large/inclusive_sum/int32/all_threads/2^26"),
    ("host", "large/inclusive_sum/uint8/one_thread/2^26"),
    ("host", "large/linear_recurrence/float32_order2/one_thread/2^24"),
    ("host", "sizes/sum_by_key/int32/all_threads/2^16"),
    ("host", "more/segmented_reduce/int32_mean_10/one_thread/2^26"),
    ("host", "more/radix_sort/uint32_reversed/one_thread/2^22"),
    ("host", "more/sosfilt/float32_64_interleaved_channels/one_thread/2^22"),
    ("host", "sizes/big_add/limbs/all_threads/2^14"),
    ("host", "suite/spmv/ldoor_float32/all_threads/2^26"),
    ("host", "suite/spmv/mac_econ_float64/all_threads/2^26"),
]


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


def name_of(row):
    """With the way of timing, where a CPU has one thread alone."""
    return tables.what(row) + (", one thread" if row.mode == "one_thread" else "")


def is_slow(r, row):
    best = row.best()
    return causes.misses(r, row) or bool(best and best.us < row.us) or row.copy_us < 0.8 * row.us


def why(r, row):
    """What is known of a row that is slow."""
    return "; ".join([causes.of(r, row), *tables.remarks(row)])


def table(results, wanted, words):
    """Rows (name of the results, a pattern of a row's name), those that have not been measured too; beside each words(r, row)."""
    cells, shown = [], {}
    for name, pattern in wanted:
        found = row_of(results, name, pattern)
        if found is None:
            group, operation, kind, mode, size = pattern.split("/")
            missing = bench.Row(group, f"{operation}/{kind}", mode, 0)
            cells.append([f"{'CPU' if name == 'host' else 'GPU'}: {tables.what(missing)}", size.replace("*", ""), *[""] * 5,
                          "not measured yet"])
            continue
        r, row = found
        if words is why and not is_slow(r, row):
            continue
        best = row.best()
        side = "GPU" if r.context["side"] == "cuda" else "CPU"
        shown.setdefault(r.name, (f"{side}: ", r, []))[2].append(row)
        cells.append([f"{side}: {name_of(row)}{tables.of_earlier(row)}", tables.size(row),
                      f"**{tables.figure(row.us)}**",
                      f"{tables.library(best.name)} {tables.figure(best.us)}" if best else "", tables.figure(row.copy_us),
                      f"{best.us / row.us:.2f}" if best else "", f"{row.copy_us / row.us:.2f}" if row.has("of_copy") else "",
                      words(r, row)])
    header = ["work", "items", "upsweep µs", "best peer µs", "copy µs", "of the peer's speed", "of a copy's", ""]
    devices = [f"{side}{tables.about(r, rows=rows)}" for side, r, rows in shown.values()]
    return tables.table(header, cells) + f"\n\nMedian times. {'. '.join(devices)}."
