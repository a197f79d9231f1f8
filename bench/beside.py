"""Tables of what is beside the time: memory, launches, bits and errors; Python's libraries; building."""
import fnmatch

import causes
import outside
import rows as bench
from tables import MODES, figure, of_earlier, remarks, size, table, what

CALLS_OF_SAME_BITS = {"cuda": 100, "host": 20}


def percent(part):
    return f"{100 * part:.2g} %" if part < 0.1 else f"{100 * part:.0f} %"


def counted_cells(r, row, notes):
    """Temporary memory, launches, allocations, equal bits, error: each beside what it may be."""
    wanted = bench.targets()["footprint"]
    must = next((wanted[p] for p in wanted if fnmatch.fnmatchcase(row.what, p)), {})
    c, calls = row.counted, CALLS_OF_SAME_BITS[r.context["side"]]

    def cell(key, value, text):
        if key not in must:
            return text
        asked_for = percent(must[key]) if key == "temporary" else must[key]
        return f"{text} (must {asked_for}{' ✓' if value <= must[key] else missed(key)})"

    def missed(key):
        return notes.mark(causes.of_figure(r, row, key))

    share = c["temporary_bytes"] / (row.bytes / 2)
    bits = c.get("same_bits")
    return [cell("temporary", share, percent(share)),
            cell("launches", c["launches"], f"{c['launches']:.0f}") if "launches" in c else "",
            f"{c['allocations']:.0f}" + ("" if c["allocations"] == 0 else missed("allocations")),
            "" if bits is None else f"{bits:.0f} of {calls}" + (" ✓" if bits == calls else missed("same_bits")),
            cell("rms_error", c["rms_error"], f"{c['rms_error']:.1e}") if "rms_error" in c else ""]


def footprint(r):
    """What a call takes beside its time; None when that was not counted."""
    rows, seen, notes = [], set(), causes.Notes()
    for row in [row for group in ("large", "more") for row in r.group(group)]:
        if row.error or row.what in seen or "temporary_bytes" not in row.counted or "_misaligned" in row.what or row.mode == "busy":
            continue
        seen.add(row.what)
        rows.append([what(row) + of_earlier(row), size(row), *counted_cells(r, row, notes)])
    if not rows:
        return None
    return notes.below(table(["work", "items", "temporary memory", "launches a call", "allocations once warm",
                              "calls in a row of the same bits, beside other work", "rms error over rms"], rows))


def python(r, found):
    """What Python's libraries took, beside our rows of the same work: what takes one thread beside ours on one thread."""
    ours = {}
    for row in [row for group in ("large", "more") for row in r.group(group)]:
        if not row.error:
            ours.setdefault((row.what, row.log2n), []).append(row)
    rows = []
    for entry in found["rows"]:
        for row in ours.get((entry["what"], entry["log2n"]), []):
            if row.mode == "all_threads" and outside.is_on_one_thread(entry):
                continue
            mode = f", {MODES[row.mode]}" if r.context["side"] == "host" else ""
            rows.append([what(row) + mode, f"2^{row.log2n}", f"**{figure(row.us)}**", entry["peer"], figure(entry["us"]),
                         "<br>".join([f"{entry['us'] / row.us:.2f}", *remarks(row)])])
    shown = table(["work", "items", "upsweep µs", "library", "its µs", "of its speed"], rows, "--:")
    for entry in found["left_out"]:
        library, operation = outside.library(entry), entry["what"].split("/")[0]
        shown += (f"\n\nLeft out: {library}'s `{operation}`, of whose {outside.WAYS[library]} functions only one was timed here, and "
                  "not known to be the fastest.")
    return shown


def build(found):
    """What building takes, and what was made."""
    rows, notes, wanted = [], causes.Notes(), bench.targets()["build"]
    for entry in found["rows"]:
        must = wanted.get(entry["what"])
        met = must is None or entry["value"] <= must
        mark = " ✓" if met else notes.mark(causes.of_building(entry["what"]))
        name = entry["what"] + (f" (at {entry['at']})" if "at" in entry else "")
        rows.append([name, f"**{figure(entry['value'])}** {entry['unit']}", "" if must is None else figure(must) + mark])
    return notes.below(table(["figure", "measured", "must"], rows))
