"""Tables of results: of large inputs, of single calls, of speed over size."""
import fnmatch

import rows as bench

RATIOS = {"of_copy": "of copy", "of_best_peer": "of {best}'s speed", "time_of_best_peer": "of {best}'s time",
          "planned_of_best_peer": "planned, of {best_of_all}'s speed"}
UNITS = {"gb_s": "GB/s", "gitems_s": "items/ns", "us": "µs"}
MODES = {"warm": "one call, L2 warm", "cold": "device time, L2 cold", "chain": "back to back",
         "all_threads": "all threads", "one_thread": "one thread", "busy": "all threads, while others use all cores"}
NOT_STEADY = 0.10  # a row whose spread is larger says so


def what(row):
    """inclusive_sum/int32_misaligned as `inclusive_sum` int32, misaligned"""
    operation, kind = row.what.split("/")
    first, _, rest = kind.partition("_")
    if first.isdigit():  # 16_bytes_few_distinct
        unit, _, rest = rest.partition("_")
        first += f" {unit}"
    return f"`{operation}` {first}" + (f", {rest.replace('_', ' ')}" if rest else "")


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


def asked(wanted, kind, ratio):
    """What is asked for: " (must 0.90 ✓, aim 0.98)", or nothing."""
    found = []
    for level, miss in (("must", " ✗"), ("aim", "")):
        if kind in wanted.get(level, {}):
            value = wanted[level][kind]
            found.append(f"{level} {reached(kind, value)}" + (" ✓" if bench.is_met(kind, ratio, value) else miss))
    return f" ({', '.join(found)})" if found else ""


def remarks(row):
    return [f"spread {100 * row.spread:.0f} %"] if row.spread > NOT_STEADY else []


def verdict(r, row, kinds):
    """What is reached beside what is asked for: 0.95 of copy (must 0.90 ✓, aim 0.98)."""
    wanted = bench.target_of(r, row.name)
    asked_for = [*wanted.get("must", {}), *wanted.get("aim", {})]
    lines = []
    for kind in dict.fromkeys([*asked_for, *kinds]):
        told = {"of_best_peer": "time_of_best_peer", "time_of_best_peer": "of_best_peer"}.get(kind)
        if not row.has(kind) or told in asked_for and kind not in asked_for:  # once is enough
            continue
        ratio = row.ratio(kind)
        lines.append(f"{reached(kind, ratio)} {of_what(row, kind)}" + asked(wanted, kind, ratio))
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
    """Device and versions, of those rows if they are all of an earlier revision; of cuSPARSE's and the other peers' only
    those that are meant, or all."""
    c = r.context
    parts = [c["device"], f"CUDA {c['cuda']}" if "cuda" in c else f"{c['threads']} threads, g++ {c['compiler']}",
             c.get("peer_version") if peer != "cuSPARSE" else None,
             f"cuSPARSE {c['cusparse']}" if "cusparse" in c and peer in (None, "cuSPARSE") else None,
             *([f"revision {rows[0].earlier}"] if rows and all(row.earlier for row in rows) else
               [c["date"][:10], f"revision {c['revision']}" if "revision" in c else None])]
    return ", ".join(part for part in parts if part)


def large(r, group):
    rows = []
    for row in r.group(group):
        mode = f", {MODES[row.mode]}" if r.context["side"] == "host" else ""
        cells = [what(row) + mode, size(row)]
        if row.error:
            rows.append(cells + [""] * 4 + [f"failed: {row.error}"])
            continue
        moved = f"GB/s, {row.bytes / row.items:.3g} B an item" if row.unit == "GB/s" else row.unit
        copied = figure(row.speed(row.copy_us)) if row.has("of_copy") else ""
        rows.append(cells + [moved, f"**{figure(row.speed(row.us))}**", peers(row, lambda us: figure(row.speed(us))), copied,
                             verdict(r, row, ["of_best_peer", "planned_of_best_peer", "of_copy"])])
    return table(["work", "items", "in", "upsweep", "peers", "copy", "reached"], rows)


def size(row):
    """2^28, or 230,087,525 where it is no power of two."""
    is_power = row.items == 2.0 ** row.log2n or row.items < 2.0 ** (row.log2n - 1)
    return f"2^{row.log2n}" if is_power else f"{row.items:,.0f}"


def small(r):
    """Data of a size of their own: the time of a call."""
    rows = []
    for row in r.group("small"):
        cells = [what(row), MODES[row.mode]]
        if row.error:
            rows.append(cells + [""] * 3 + [f"failed: {row.error}"])
            continue
        cells[0] += f" (at {row.earlier})" if row.earlier else ""
        rows.append(cells + [f"**{figure(row.us)}**", peers(row, figure), figure(row.copy_us),
                             verdict(r, row, ["time_of_best_peer", "planned_of_best_peer"])])
    return table(["work", "timed", "upsweep µs", "peers µs", "copy µs", "reached"], rows)


def percent(part):
    return f"{100 * part:.2g} %" if part < 0.1 else f"{100 * part:.0f} %"


def footprint(r):
    """What a call takes beside its time; None when that was not counted."""
    wanted = bench.targets()["footprint"]
    rows, seen = [], set()
    for row in [row for group in ("large", "more") for row in r.group(group)]:
        if row.error or row.what in seen or "temporary_bytes" not in row.counted or "_misaligned" in row.what or row.mode == "busy":
            continue
        seen.add(row.what)
        must = next((wanted[p] for p in wanted if fnmatch.fnmatchcase(row.what, p)), {})
        c = row.counted

        def cell(key, value, text):
            if key not in must:
                return text
            return f"{text} (must {percent(must[key]) if key == 'temporary' else must[key]} {'✓' if value <= must[key] else '✗'})"
        share = c["temporary_bytes"] / (row.bytes / 2)
        launches = cell("launches", c["launches"], f"{c['launches']:.0f}") if "launches" in c else ""
        calls = 100 if r.context["side"] == "cuda" else 20
        bits = (f"{c['same_bits']:.0f} of {calls}" + (" ✓" if c["same_bits"] == calls else " ✗")) if "same_bits" in c else ""
        error = cell("rms_error", c["rms_error"], f"{c['rms_error']:.1e}") if "rms_error" in c else ""
        rows.append([what(row), size(row), cell("temporary", share, percent(share)), launches,
                     f"{c['allocations']:.0f}" + ("" if c["allocations"] == 0 else " ✗"), bits, error])
    if not rows:
        return None
    return table(["work", "items", "temporary memory", "launches a call", "allocations once warm",
                  "calls in a row of the same bits, beside other work", "rms error over rms"], rows)


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
        some = modes[names[0]][0]
        rows, ratios = [], {mode: [] for mode in names}
        judged = names[:1] if r.context["side"] == "cuda" else names
        for at in sorted({row.log2n for rows_of_mode in modes.values() for row in rows_of_mode}):
            found = {mode: next((row for row in modes[mode] if row.log2n == at), None) for mode in names}
            times, reached_at = [], []
            for mode, row in found.items():
                best = row and row.best()
                times.append(" / ".join([figure(row.us), f"{figure(best.us)} ({library(best.name)})" if best else "–",
                                         figure(row.copy_us)]) if row else "")
                if row and best:
                    ratios[mode].append((row.ratio("time_of_best_peer"), at))
                if mode in judged:
                    reached_at.append(verdict(r, row, ["time_of_best_peer"]) if row else "")
            rows.append([f"2^{at}", *times, *reached_at])
        header = ["items", *(f"{MODES[mode]}: upsweep / best peer / copy, µs" for mode in names),
                  *(f"reached, {MODES[mode]}" for mode in judged)]
        worst = "; ".join(f"{MODES[mode]} {max(found)[0]:.2f} at 2^{max(found)[1]}" for mode, found in ratios.items() if found)
        against = f"against {peer_of(some)}. Of the best peer's time at the worst size: {worst}" if worst else "which no peer has"
        out.append(f"{what(some)}, {against}.{of_earlier(modes)}\n\n" + table(header, rows))
    return "\n\n".join(out)


def of_earlier(modes):
    """Which rows are of an earlier revision than the others of the device."""
    names = {}
    for mode, rows in modes.items():
        for row in rows:
            if row.earlier:
                names.setdefault(row.earlier, {}).setdefault(mode, []).append(f"2^{row.log2n}")
    said = [f"{MODES[mode]} {'all' if len(sizes) == len(modes[mode]) else ', '.join(sizes)}"
            for found in names.values() for mode, sizes in found.items()]
    everything = all(row.earlier for rows in modes.values() for row in rows)
    return f" *Measured at revision {', '.join(names)}{'' if everything else ': ' + '; '.join(said)}.*" if names else ""


def python(r, found):
    """What Python's libraries took, beside our rows of the same work."""
    ours = {}
    for row in [row for group in ("large", "more") for row in r.group(group)]:
        if not row.error:
            ours.setdefault((row.what, row.log2n), []).append(row)
    rows = []
    for entry in found["rows"]:
        for row in ours.get((entry["what"], entry["log2n"]), []):
            mode = f", {MODES[row.mode]}" if r.context["side"] == "host" else ""
            rows.append([what(row) + mode, f"2^{row.log2n}", f"**{figure(row.us)}**", entry["peer"], figure(entry["us"]),
                         f"{entry['us'] / row.us:.2f}"])
    return table(["work", "items", "upsweep µs", "library", "its µs", "of its speed"], rows, "--:")


def build(found):
    """What building takes, and what was made."""
    rows, wanted = [], bench.targets()["build"]
    for entry in found["rows"]:
        must = wanted.get(entry["what"])
        rows.append([entry["what"], f"**{figure(entry['value'])}** {entry['unit']}",
                     f"{figure(must)} {'✓' if entry['value'] <= must else '✗'}" if must is not None else ""])
    return table(["figure", "measured", "must"], rows)


def plain(rows):
    """Aligned, for a terminal."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths))).rstrip()
                     for row in rows)


def quick(r):
    """A table to read on a terminal."""
    rows = [["work", "items", "upsweep", "best peer", "", "times as fast", "of copy"]]
    for row in r.rows:
        name = what(row).replace("`", "") + f", {MODES[row.mode]}"
        if row.error:
            rows.append([name, size(row), f"failed: {row.error}", "", "", "", ""])
            continue
        best = row.best()
        rows.append([name, size(row), f"{figure(row.us)} µs", f"{figure(best.us)} µs" if best else "",
                     library(best.name) if best else "", f"{best.us / row.us:.2f}" if best else "",
                     f"{row.copy_us / row.us:.2f}" if row.has("of_copy") else ""])
    return plain(rows)
