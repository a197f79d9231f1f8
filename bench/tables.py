"""Tables of results: of large inputs, of single calls, of speed over size."""
import rows as bench

RATIOS = {"of_copy": "of copy", "of_peer": "of {peer}'s speed", "of_best_peer": "of the best peer's speed",
          "time_of_peer": "of {peer}'s time", "time_of_best_peer": "of the best peer's time"}
UNITS = {"gb_s": "GB/s", "gitems_s": "items/ns", "us": "µs"}
MODES = {"warm": "one call, L2 warm", "cold": "device time, L2 cold", "chain": "back to back",
         "all_threads": "all threads", "one_thread": "one thread"}


def what(row):
    """inclusive_sum/int32_misaligned as `inclusive_sum` int32, misaligned"""
    operation, kind = row.what.split("/")
    first, _, rest = kind.partition("_")
    return f"`{operation}` {first}" + (f", {rest.replace('_', ' ')}" if rest else "")


def library(peer):
    """A peer's name in a few words: cub::DeviceScan::InclusiveSum as CUB, std::reduce(par) as std par, copy and vqsort as vqsort."""
    peer = peer.removeprefix("copy and ")
    if peer.startswith("cub::"):
        return "CUB"
    if peer.startswith("std::"):
        return "std par" if "(par)" in peer else "std"
    if peer.startswith("a "):
        return peer
    return peer.split()[0]


def peer_of(row):
    return library(row.peers[0]) if row.peers else ""


def in_several_ways(row):
    """Whether its peers are one library, which then counts by its best way."""
    return len(row.peers) > 1 and len({library(peer) for peer in row.peers}) == 1


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def reached(kind, value):
    """What is reached or asked for, as a figure: ratios to two decimals."""
    return figure(value) if kind in UNITS else f"{value:.2f}"


def asked(wanted, kind, ratio):
    """What is asked for: " (must 0.90 ✓, aim 0.98)", or nothing."""
    found = []
    for level, miss in (("must", " ✗"), ("aim", "")):
        if kind in wanted.get(level, {}):
            value = wanted[level][kind]
            found.append(f"{level} {reached(kind, value)}" + (" ✓" if bench.is_met(kind, ratio, value) else miss))
    return f" ({', '.join(found)})" if found else ""


def verdict(r, row, kinds):
    """What is reached beside what is asked for: 0.95 of copy (must 0.90 ✓, aim 0.98)."""
    wanted = bench.target_of(r, row.name)
    asked_for = [*wanted.get("must", {}), *wanted.get("aim", {})]
    if not row.peers or any(kind.endswith("peer") for kind in asked_for):  # there is none, or once is enough
        kinds = [kind for kind in kinds if not kind.endswith("peer")]
    lines = []
    for kind in dict.fromkeys([*asked_for, *kinds]):
        ratio = row.ratio(kind)
        of_what = UNITS.get(kind) or RATIOS[kind].format(peer=peer_of(row))
        lines.append(f"{reached(kind, ratio)} {of_what}" + asked(wanted, kind, ratio))
    return "<br>".join(lines)


def peers(row, quantity):
    """CUB 3,140, or std 31.4, std par 33.9, or cuSPARSE 2,310 / 1,998 / 2,402: of one library but its name once."""
    figures = [quantity(us) for us in row.peers_us]
    if in_several_ways(row):
        return f"{peer_of(row)} {' / '.join(figures)}"
    return ", ".join(f"{library(peer)} {value}" for peer, value in zip(row.peers, figures))


def table(header, rows, last="---"):
    lines = ["| " + " | ".join(header) + " |", "|---|" + "--:|" * (len(header) - 2) + last + "|"]
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in rows])


def about(r, peer=None):
    """Device and versions; of cuSPARSE's and the other peers' only those that are meant, or all."""
    c = r.context
    parts = [c["device"], f"CUDA {c['cuda']}" if "cuda" in c else f"{c['threads']} threads, g++ {c['compiler']}",
             c.get("peer_version") if peer != "cuSPARSE" else None,
             f"cuSPARSE {c['cusparse']}" if "cusparse" in c and peer in (None, "cuSPARSE") else None,
             c["date"][:10], f"revision {c['revision']}" if "revision" in c else None]
    return ", ".join(part for part in parts if part)


def large(r, group):
    rows = []
    for row in r.group(group):
        mode = f", {MODES[row.mode]}" if r.context["side"] == "host" else ""
        cells = [what(row) + mode, f"2^{row.log2n}"]
        if row.error:
            rows.append(cells + [""] * 4 + [f"failed: {row.error}"])
            continue
        rows.append(cells + [f"{row.bytes / 2 ** row.log2n:.3g}", f"**{figure(row.speed(row.us))}**",
                             peers(row, lambda us: figure(row.speed(us))), figure(row.speed(row.copy_us)),
                             verdict(r, row, ["of_copy", "of_best_peer" if in_several_ways(row) else "of_peer"])])
    return table(["work", "items", "bytes an item", "upsweep GB/s", "peers GB/s", "copy GB/s", "reached"], rows)


def small(r):
    """Data of a size of their own: the time of a call."""
    rows = []
    for row in r.group("small"):
        cells = [what(row), MODES[row.mode]]
        if row.error:
            rows.append(cells + [""] * 3 + [f"failed: {row.error}"])
            continue
        rows.append(cells + [f"**{figure(row.us)}**", peers(row, figure), figure(row.copy_us),
                             verdict(r, row, ["time_of_best_peer"])])
    return table(["work", "timed", "upsweep µs", "peers µs", "copy µs", "reached"], rows)


def sweep(r):
    """{what: {mode: rows by size}} of the rows of all sizes that did not fail."""
    out = {}
    for row in sorted(r.group("sizes"), key=lambda row: row.log2n):
        if not row.error:
            out.setdefault(row.what, {}).setdefault(row.mode, []).append(row)
    return out


def sizes(r):
    out = []
    for modes in sweep(r).values():
        names = list(modes)
        judged = names[0]
        some = modes[judged][0]
        several = in_several_ways(some)
        kind, peer = ("time_of_best_peer", f"the best of {peer_of(some)}") if several else ("time_of_peer", peer_of(some))
        peer_us = lambda row: row.best_us() if several else row.peers_us[0]
        rows = []
        for at in sorted({row.log2n for rows_of_mode in modes.values() for row in rows_of_mode}):
            found = {mode: next((row for row in modes[mode] if row.log2n == at), None) for mode in names}
            times = [" / ".join(figure(us) for us in (row.us, peer_us(row), row.copy_us)) if row else "" for row in found.values()]
            rows.append([f"2^{at}", *times, verdict(r, found[judged], [kind]) if found[judged] else ""])
        header = ["items", *(f"{MODES[mode]}: upsweep / {peer} / copy, µs" for mode in names), f"reached, {MODES[judged]}"]
        out.append(f"{what(some)}\n\n{table(header, rows)}")
    return "\n\n".join(out)


def python(r, found):
    """What Python's libraries took, beside our rows of the same work."""
    ours = {}
    for row in r.group("large"):
        if not row.error:
            ours.setdefault((row.what, row.log2n), []).append(row)
    rows = []
    for entry in found["rows"]:
        for row in ours.get((entry["what"], entry["log2n"]), []):
            mode = f", {MODES[row.mode]}" if r.context["side"] == "host" else ""
            rows.append([what(row) + mode, f"2^{row.log2n}", f"**{figure(row.us)}**", entry["peer"], figure(entry["us"]),
                         f"{figure(entry['us'] / row.us)} times"])
    return table(["work", "items", "upsweep µs", "library", "its µs", "upsweep is faster"], rows, "--:")
