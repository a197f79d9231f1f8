"""Tables of results, of large inputs and of single calls, and what all tables say alike. (Speed over size is sizes.py's, what
is beside the time beside.py's.)"""
import causes
import rows as bench

RATIOS = {"of_copy": "of copy", "of_nominal_copy": "of a copy of what goes in and out", "of_best_peer": "of {best}'s speed",
          "time_of_best_peer": "of {best}'s time", "planned_of_best_peer": "planned, of {best_of_all}'s speed"}
UNITS = {"gb_s": "GB/s", "gitems_s": "items/ns", "us": "µs"}
MODES = {"warm": "one call, L2 warm", "cold": "device time, L2 cold", "chain": "back to back",
         "all_threads": "all threads", "one_thread": "one thread", "busy": "all threads, while others use all cores"}
NOT_STEADY = 0.10  # a row whose spread is larger says so


def what(row):
    """inclusive_sum/int32_misaligned as `inclusive_sum` int32, misaligned"""
    operation, kind = row.what.split("/")
    if row.group == "suite":  # mac_econ_float32
        matrix, _, of_type = kind.rpartition("_")
        return f"`{operation}` like {matrix}, {of_type}"
    first, _, rest = kind.partition("_")
    if first.isdigit():  # 16_bytes_few_distinct
        unit, _, rest = rest.partition("_")
        first += f" {unit}"
    return f"`{operation}` {first}" + (f", {rest.replace('_', ' ')}" if rest else "")


def of_earlier(row):
    """Of which revision it is, if the last run did not measure it. (measured() tells the date.)"""
    return f" (at {row.earlier.partition(',')[0]})" if row.earlier else ""


def measured(r, rows):
    """Of which revisions those rows are, or all: 2026-11-26, revision 50cabb7."""
    last = f"{r.context['date']:.10}" + (f", revision {r.context['revision']}" if "revision" in r.context else "")
    found = {row.earlier for row in rows or r.rows}
    earlier = sorted(found - {""}, key=lambda of: of.partition(", ")[::-1], reverse=True)  # the latest first
    return "; ".join([last] * ("" in found) + [f"revision {of}" for of in earlier])


def library(peer):
    """A peer's name in a few words: cub::DeviceScan::InclusiveSum, n of int as CUB, std::reduce(par) as std par, copy and
    vqsort as vqsort, cuSPARSE ALG1 prep. as cuSPARSE prepared."""
    peer = peer.removeprefix("copy and ")
    if peer.startswith("cub::"):
        return "CUB"
    if peer.startswith("composed of CUB calls"):
        return "composed of CUB calls"
    if peer.startswith("std::"):
        return "std par" if "(par)" in peer else "std"
    if peer.startswith(("a ", "upsweep")):
        return peer.split(",")[0]
    if peer.startswith("Boost "):
        return " ".join(peer.split()[:2])
    return peer.split()[0].rstrip(",") + (" prepared" if peer.endswith(" prep.") else "")


def peer_of(row):
    """All that is compared, in a few words."""
    return ", ".join(by_library(row))


def by_library(row):
    """{library: its contender that is the fastest}, of which a library may have several."""
    found = {}
    for c in row.others:
        name = library(c.name)
        if name not in found or c.us < found[name].us:
            found[name] = c
    return found


def best_peer(row, may_be_prepared=False):
    best = row.best(may_be_prepared)
    return library(best.name) if best else ""


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3g}"


def reached(kind, value):
    """What is reached or asked for, as a figure: ratios to two decimals."""
    return figure(value) if kind in UNITS else f"{value:.2f}"


def of_what(row, kind):
    """Of what a ratio of a row is: of copy, of CUB's speed."""
    return UNITS.get(kind) or RATIOS[kind].format(best=best_peer(row), best_of_all=best_peer(row, True))


def asked(wanted, kind, ratio, miss):
    """What is asked for: " (must 0.90 ✓, aim 0.98)", or nothing. miss() marks a must that is missed."""
    found = []
    for level in ("must", "aim"):
        if kind in wanted.get(level, {}):
            value = wanted[level][kind]
            mark = " ✓" if bench.is_met(kind, ratio, value) else miss() if level == "must" else ""
            found.append(f"{level} {reached(kind, value)}{mark}")
    return f" ({', '.join(found)})" if found else ""


def remarks(row):
    return [f"spread {100 * row.spread:.0f} %"] if row.spread > NOT_STEADY else []


def verdict(r, row, kinds, notes):
    """What is reached beside what is asked for: 0.95 of copy (must 0.90 ✓, aim 0.98). Causes of a ✗ go to the notes."""
    wanted = bench.target_of(r, row.name)
    asked_for = [*wanted.get("must", {}), *wanted.get("aim", {})]
    lines = []
    for kind in dict.fromkeys([*asked_for, *kinds]):
        told = {"of_best_peer": "time_of_best_peer", "time_of_best_peer": "of_best_peer"}.get(kind)
        if not row.has(kind) or told in asked_for and kind not in asked_for:  # once is enough
            continue
        ratio = row.ratio(kind)
        lines.append(f"{reached(kind, ratio)} {of_what(row, kind)}"
                     + asked(wanted, kind, ratio, lambda: notes.mark(causes.of(r, row))))
    return "<br>".join(lines + remarks(row))


def peers(row, quantity):
    """CUB 3,140 / 3,090, std 31.4: of one library in several ways its name once."""
    found = {}
    for c in row.others:
        found.setdefault(library(c.name), []).append(quantity(c.us))
    return ", ".join(f"{name} {' / '.join(figures)}" for name, figures in found.items())


def table(header, rows, last="---"):
    lines = ["| " + " | ".join(header) + " |", "|---|" + "--:|" * (len(header) - 2) + last + "|"]
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in rows])


def about(r, peer=None, rows=()):
    """Device, versions and revisions, of those rows or all; of cuSPARSE's and the other peers' only those that are meant, or
    all."""
    c = r.context
    parts = [c["device"], f"CUDA {c['cuda']}" if "cuda" in c else f"{c['threads']} threads, g++ {c['compiler']}",
             f"all code for {c['code_for']} alone" if "code_for" in c else None,
             c.get("peer_version") if peer != "cuSPARSE" else None,
             f"cuSPARSE {c['cusparse']}" if "cusparse" in c and peer in (None, "cuSPARSE") else None,
             measured(r, rows)]
    return ", ".join(part for part in parts if part)


def large(r, group):
    rows, notes = [], causes.Notes()
    for row in r.group(group):
        mode = f", {MODES[row.mode]}" if r.context["side"] == "host" else ""
        cells = [what(row) + mode + of_earlier(row), size(row)]
        if row.error:
            rows.append(cells + [""] * 4 + [f"failed: {row.error}"])
            continue
        moved = f"GB/s, {row.bytes / row.items:.3g} B an item" if row.unit == "GB/s" else row.unit
        moved += f" ({bench.ALSO_MOVED[row.operation]})" if row.operation in bench.ALSO_MOVED else ""
        copied = figure(row.speed(row.copy_us)) if row.has("of_copy") else ""
        rows.append(cells + [moved, f"**{figure(row.speed(row.us))}**", peers(row, lambda us: figure(row.speed(us))), copied,
                             verdict(r, row, ["of_best_peer", "planned_of_best_peer", "of_copy"], notes)])
    return notes.below(table(["work", "items", "in", "upsweep", "peers", "copy", "reached"], rows))


def size(row):
    """2^28, or 230,087,525 where it is no power of two. A suite's matrices have sizes of their own."""
    if row.group == "suite":
        return ""
    is_power = row.items == 2.0 ** row.log2n or row.items < 2.0 ** (row.log2n - 1)
    return f"2^{row.log2n}" if is_power else f"{row.items:,.0f}"


def small(r):
    """Data of a size of their own: the time of a call."""
    rows, notes = [], causes.Notes()
    for row in r.group("small"):
        cells = [what(row), MODES[row.mode]]
        if row.error:
            rows.append(cells + [""] * 3 + [f"failed: {row.error}"])
            continue
        cells[0] += of_earlier(row)
        rows.append(cells + [f"**{figure(row.us)}**", peers(row, figure), figure(row.copy_us),
                             verdict(r, row, ["time_of_best_peer", "planned_of_best_peer"], notes)])
    return notes.below(table(["work", "timed", "upsweep µs", "peers µs", "copy µs", "reached"], rows))


def missed(r):
    """How many rows miss what they must reach, and why: a line a cause, the most frequent first."""
    judged = [row for row in r.rows if not row.error and bench.target_of(r, row.name).get("must")]
    found = {}
    for row in judged:
        if causes.misses(r, row):
            found.setdefault(causes.of(r, row), []).append(row)
    lines = [[", ".join(f"`{name}`" for name in dict.fromkeys(row.operation for row in rows)), str(len(rows)), cause]
             for cause, rows in sorted(found.items(), key=lambda item: -len(item[1]))]
    said = f"{sum(map(len, found.values()))} of {len(judged)} rows that have a must miss it"
    return said + (f":\n\n{table(['work', 'rows', 'why'], lines)}" if lines else ".")
