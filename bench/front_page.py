"""The rows of the README's first table of speed, losses among them: (results' name, a row's name)."""
import rows as bench
import tables

ROWS = [
    ("h200", "large/inclusive_sum/int32/cold/2^28"),
    ("h200", "large/linear_recurrence/float32/cold/2^27"),
    ("h200", "large/radix_sort/uint32/cold/2^28"),
    ("h200", "large/histogram/uint8_random/cold/2^30"),
    ("h200", "large/copy_if/uint32_10_percent/cold/2^28"),
    ("h200", "large/three_way_partition/uint32_thirds/cold/2^28"),
    ("h200", "large/spmv/float32_power_law/cold/2^26"),
    ("h200", "sizes/quicksort/uint32/warm/2^16"),
    ("host", "large/inclusive_sum/int32/all_threads/2^26"),
    ("host", "large/copy_if/uint32_50_percent/all_threads/2^26"),
    ("host", "large/quicksort/uint32/all_threads/2^24"),
    ("host", "sizes/inclusive_sum/int32/all_threads/2^16"),
]


def best_peer(row):
    """(time, name) of the fastest that needs no preparation."""
    return min(row.peers_that(are_prepared=False))


def remark(r, row):
    """What the reader is not to overlook: a loss, a goal that was missed."""
    found = ["**slower**"] if best_peer(row)[0] < row.us else []
    for kind, wanted in bench.target_of(r, row.name).get("must", {}).items():
        if not bench.is_met(kind, row.ratio(kind), wanted):
            found.append(f"its goal is {tables.reached(kind, wanted)} {tables.RATIOS[kind].format(peer=tables.peer_of(row))}")
    return "; ".join(found)


def table(results):
    """Of all devices; None where a row has not been measured."""
    rows, where = [], []
    for name, row_name in ROWS:
        r = next((r for r in results if r.name == name), None)
        row = next((row for row in r.rows if row.name == row_name), None) if r else None
        if row is None or row.error:
            return None
        us, peer = best_peer(row)
        device = "GPU" if r.context["side"] == "cuda" else "CPU"
        if (line := f"{device}: {tables.about(r)}") not in where:
            where.append(line)
        rows.append([f"{device}: {tables.what(row)}", f"2^{row.log2n}", f"**{tables.figure(row.us)}**",
                     f"{tables.library(peer)} {tables.figure(us)}", tables.figure(row.copy_us), f"{us / row.us:.2f}",
                     f"{row.copy_us / row.us:.2f}", remark(r, row)])
    header = ["work", "items", "upsweep µs", "best peer µs", "copy µs", "of the peer's speed", "of a copy's", ""]
    return tables.table(header, rows) + "\n\n" + "; ".join(where) + ". Medians."
