"""Rows that other pages than bench/README.md show: a choice for the README, losses among them, and what is not fast."""
import rows as bench
import tables

# (name of the results, a row's name)
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
    ("h200", "more/segmented_reduce/int32_mean_10000/cold/2^28", "searches the offsets, where it could walk along them"),
    ("h200", "more/segmented_sum/int32_offsets/cold/2^28", "likewise; by heads and by keys scans are at a copy's speed"),
    ("h200", "large/three_way_partition/uint32_thirds/cold/2^28", ""),
    ("h200", "more/radix_sort/float32/cold/2^28", "uniform floats, whose leading bits are skewed"),
    ("h200", "more/radix_sort/uint32_and_of_2/cold/2^28", "skewed keys"),
    ("h200", "more/radix_sort_by_key/uint32_16_bytes/cold/2^26", "wide values, which are fetched at the end"),
    ("h200", "sizes/quicksort/uint32/warm/2^14", "small and middle inputs"),
    ("h200", "large/spmv/float32_power_law/cold/2^26", "scattered columns: all wait for `x`"),
    ("h200", "sizes/histogram/uint8/warm/2^20", "middle sizes"),
    ("h200", "more/histogram_even/float32_256_bins/cold/2^28", ""),
    ("h200", "more/sosfilt/float32_8_sections/cold/2^26",
     "a tile waits in shared memory until what stands before it is known, and few fit"),
    ("h200", "more/sosfilt/float32_8_interleaved_channels/cold/2^24", "turned into planes and back"),
    ("h200", "more/sosfilt/float32_1024_filters/cold/2^24", "waits for the tables of the filters"),
    ("h200", "large/linear_recurrence/float32_order2/cold/2^26", "scans matrices of 2×3"),
    ("h200", "more/clahe/uint16_4096x4096_natural/cold/2^24", "tables of 65,536 levels, one for each tile"),
    ("host", "sizes/inclusive_sum/int32/all_threads/2^16", "just large enough to wake threads: `host(1)` is faster here"),
    ("host", "large/quicksort/uint32/all_threads/2^24", "the peer sorts words alone, by no comparator"),
    ("host", "suite/spmv/ldoor_float32/all_threads/2^26", ""),
]


def row_of(results, name, row_name):
    """(results, row), or None when it has not been measured."""
    for r in results:
        for row in r.rows:
            if r.name == name and row.name == row_name and not row.error:
                return r, row
    return None


def remark(r, row):
    """What the reader is not to overlook: a loss, a goal that was missed."""
    found = ["**slower**"] if row.peers and row.best_us() < row.us else []
    for kind, wanted in bench.target_of(r, row.name).get("must", {}).items():
        if row.group != "suite" and not bench.is_met(kind, row.ratio(kind), wanted):
            of_what = tables.RATIOS[kind].format(peer=tables.peer_of(row))
            found.append(f"its goal is {tables.reached(kind, wanted)} {of_what}")
    return "; ".join(found)


def table(results, wanted):
    """Rows (name of the results, a row's name[, a remark]); None when one has not been measured."""
    cells, devices = [], []
    for name, row_name, *words in wanted:
        found = row_of(results, name, row_name)
        if found is None:
            return None
        r, row = found
        us, peer = min(row.peers_that(are_prepared=False), default=(None, ""))
        side = "GPU" if r.context["side"] == "cuda" else "CPU"
        if (line := f"{side}: {tables.about(r)}") not in devices:
            devices.append(line)
        cells.append([f"{side}: {tables.what(row)}", f"2^{row.log2n}", f"**{tables.figure(row.us)}**",
                      f"{tables.library(peer)} {tables.figure(us)}" if us else "", tables.figure(row.copy_us),
                      f"{us / row.us:.2f}" if us else "", f"{row.copy_us / row.us:.2f}", words[0] if words else remark(r, row)])
    header = ["work", "items", "upsweep µs", "best peer µs", "copy µs", "of the peer's speed", "of a copy's", ""]
    return tables.table(header, cells) + f"\n\nMedian times. {'; '.join(devices)}."
