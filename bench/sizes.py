"""Tables of speed over size: a line a size, judged in the first way of timing on a GPU, in every one on a CPU."""
import causes
from tables import MODES, by_library, figure, library, remarks, table, verdict, what


def of_all_sizes(r):
    """{what: {mode: rows by size}}, those that failed too."""
    out = {}
    for row in sorted(r.group("sizes"), key=lambda row: row.log2n):
        out.setdefault(row.what, {}).setdefault(row.mode, []).append(row)
    return out


def drawn(r):
    """The same of the rows that did not fail."""
    without = lambda modes: {mode: good for mode, rows in modes.items() if (good := [row for row in rows if not row.error])}
    return {what: good for what, modes in of_all_sizes(r).items() if (good := without(modes))}


def times(row, judged):
    """upsweep / best peer / copy; the spread stands there unless it stands beside the verdict."""
    if row is None:
        return ""
    if row.error:
        return f"failed: {row.error}"
    best = row.best()
    cell = " / ".join([figure(row.us), f"{figure(best.us)} ({library(best.name)})" if best else "–", figure(row.copy_us)])
    return cell if judged else "<br>".join([cell, *remarks(row)])


def heading(modes):
    """What it is, of which peers, and where it is slowest beside them."""
    rows = [row for of_mode in modes.values() for row in of_mode]
    compared = list(dict.fromkeys(name for row in rows for name in by_library(row)))
    worst = []
    for mode, of_mode in modes.items():
        if ratios := [(row.ratio("time_of_best_peer"), row.log2n) for row in of_mode if not row.error and row.best()]:
            worst.append(f"{MODES[mode]} {max(ratios)[0]:.2f} at 2^{max(ratios)[1]}")
    against = "which no peer has"
    if worst:
        against = f"against {', '.join(compared)}. Of the best peer's time at the worst size: {'; '.join(worst)}"
    return f"{what(rows[0])}, {against}.{of_earlier(modes)}"


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


def table_of(r, modes):
    rows, notes, names = [], causes.Notes(), list(modes)
    judged = names[:1] if r.context["side"] == "cuda" else names
    for at in sorted({row.log2n for of_mode in modes.values() for row in of_mode}):
        found = {mode: next((row for row in modes[mode] if row.log2n == at), None) for mode in names}
        is_good = lambda row: row is not None and not row.error
        rows.append([f"2^{at}", *(times(row, mode in judged) for mode, row in found.items()),
                     *(verdict(r, found[mode], ["time_of_best_peer"], notes) if is_good(found[mode]) else "" for mode in judged)])
    header = ["items", *(f"{MODES[mode]}: upsweep / best peer / copy, µs" for mode in names),
              *(f"reached, {MODES[mode]}" for mode in judged)]
    return notes.below(table(header, rows))


def sizes(r):
    return "\n\n".join(f"{heading(modes)}\n\n{table_of(r, modes)}" for modes in of_all_sizes(r).values())
