"""The suite: a line a matrix, ours against the best of the peers, and the geometric mean."""
import math

import causes
import plots
import rows as bench
import tables

TYPES = ("float32", "float64")


def suites(r):
    """{operation: {matrix: {type: row}}}; cage15_float32 is the matrix cage15."""
    out = {}
    for row in r.group("suite"):
        operation, kind = row.what.split("/")
        matrix, _, of_type = kind.rpartition("_")
        out.setdefault(operation, {}).setdefault(matrix, {})[of_type] = row
    return out


def speed_ups(matrices, of_type, kind="of_best_peer"):
    """Of the rows that did not fail."""
    found = [rows[of_type] for rows in matrices.values() if of_type in rows]
    return [row.ratio(kind) for row in found if not row.error and row.has(kind)]


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ratio_cell(r, row, kind, notes):
    """1.23, whether it is less than what must be, and the spread if it is large."""
    must = bench.target_of(r, row.name).get("must", {}).get(kind)
    ratio = row.ratio(kind)
    missed = must and not bench.is_met(kind, ratio, must)
    return "<br>".join([f"{ratio:.2f}" + (notes.mark(causes.of(r, row)) if missed else ""), *tables.remarks(row)])


def speed_of_best(row, may_be_prepared):
    """The fastest peer's speed, and its name where there are several: 2,310 (ALG2)."""
    best = row.best(may_be_prepared)
    return tables.figure(row.speed(best.us)) + (f" ({best.name.partition(' ')[2]})" if len(row.peers) > 1 else "")


def cells_of(r, row, is_planned, notes):
    """Ours, the best peer, the speed-up; then the same of ours that is planned against all that may prepare."""
    if not row:
        return [""] * (6 if is_planned else 3)
    if row.error:
        return ["", "", f"failed: {row.error}"] + [""] * (3 if is_planned else 0)
    cells = [f"**{tables.figure(row.speed(row.us))}**", speed_of_best(row, False), ratio_cell(r, row, "of_best_peer", notes)]
    if is_planned:
        cells += ([f"**{tables.figure(row.speed(row.planned.us))}**", speed_of_best(row, True),
                   ratio_cell(r, row, "planned_of_best_peer", notes)] if row.planned else [""] * 3)
    return cells


def summary(r, operation, matrices):
    """The geometric means and the least, beside what is asked for. The ✗ of single matrices say why."""
    lines, missed = [], lambda: " ✗"
    wanted, wanted_of_each = (bench.target_of(r, f"suite/{operation}/{name}") for name in ("geometric mean", "any"))
    for of_type in TYPES:
        for kind, ours, theirs in (("of_best_peer", "", "the best peer that has not prepared"),
                                   ("planned_of_best_peer", "planned, ", "the best of all peers")):
            ratios = speed_ups(matrices, of_type, kind)
            if ratios:
                mean, least = geometric_mean(ratios), min(ratios)
                lines.append(f"- {of_type}: {ours}geometric mean **{mean:.2f}** of the speed of {theirs} over {len(ratios)} of "
                             f"{len(matrices)} matrices{tables.asked(wanted, kind, mean, missed)}, the least {least:.2f}"
                             f"{tables.asked(wanted_of_each, kind, least, missed)}")
    return "\n".join(lines)


def preparation(row):
    """µs of cuSPARSE's preparation that its best time needs, and of ours."""
    if not row or row.error or not row.planned:
        return "–"
    prepared = min((c for c in row.peers if c.is_prepared), key=lambda c: c.us, default=None)
    return f"{tables.figure(row.planned.preparation_us)} / " + (tables.figure(prepared.preparation_us) if prepared else "–")


def table(r):
    out = []
    for operation, matrices in suites(r).items():
        all_rows = [row for of_matrix in matrices.values() for row in of_matrix.values()]
        is_planned = any(row.planned for row in all_rows)
        notes, unit = causes.Notes(), all_rows[0].unit
        is_marked = len({row.earlier for row in all_rows}) > 1  # else the line above the table says it
        mark = lambda of_matrix: tables.of_earlier(next(iter(of_matrix.values()))) if is_marked else ""
        rows = [[matrix + mark(of_matrix),
                 *(cell for of_type in TYPES for cell in cells_of(r, of_matrix.get(of_type), is_planned, notes))]
                for matrix, of_matrix in matrices.items()]
        header = ["like"]
        for of_type in TYPES:
            header += [f"{of_type}: upsweep, {unit}", f"best peer that has not prepared, {unit}", "speed-up"]
            if is_planned:
                header += [f"planned, {unit}", f"best of all peers, {unit}", "speed-up"]
        if is_planned:
            header.append("float32: our planning / its preparation, µs")
            for cells, of_matrix in zip(rows, matrices.values()):
                cells.append(preparation(of_matrix.get("float32")))
        names = list(dict.fromkeys(c.name for row in all_rows for c in row.peers))
        out.append(f"`{operation}` of {len(matrices)} matrices, against {', '.join(names)}\n\n"
                   f"{notes.below(tables.table(header, rows, last='--:'))}\n\n{summary(r, operation, matrices)}")
    return "\n\n".join(out)


def charts(r):
    """{name: (title, SVG)}: the speed-up of each matrix, and of ours that is planned."""
    out = {}
    for operation, matrices in suites(r).items():
        for kind, name in (("of_best_peer", operation), ("planned_of_best_peer", f"{operation}-planned")):
            groups = [plots.Group(matrix, {of_type: row.ratio(kind) for of_type, row in rows.items()
                                           if not row.error and row.has(kind)}) for matrix, rows in matrices.items()]
            means = {of_type: geometric_mean(ratios) for of_type in TYPES if (ratios := speed_ups(matrices, of_type, kind))}
            if not means:
                continue
            groups.append(plots.Group("geometric mean", means))
            some = next(row for rows in matrices.values() for row in rows.values() if not row.error)
            is_planned = kind.startswith("planned")
            compared = [c.name for c in some.peers if is_planned or not c.is_prepared]
            of = compared[0] if len(compared) == 1 else f"the best of {', '.join(compared)}"
            library = tables.library(some.peers[0].name)
            ours = "upsweep planned" if is_planned else "upsweep"
            title = f"{operation} of a suite of matrices, {ours} against {library} on {tables.about(r, library, r.group('suite'))}"
            unit = f"speed over that of {of}, {tables.MODES[some.mode]}; higher is better"
            heading = f"{operation}: a suite of matrices" + (", planned" if is_planned else "")
            out[name] = title, plots.bars(heading, unit, groups, title)
    return out
