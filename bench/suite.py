"""The suite: a line a matrix, ours against the best of the peers, and the geometric mean."""
import math

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
    return [row.ratio(kind) for row in found if not row.error]


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ratio_cell(r, name, ratio):
    """1.23, and whether it is less than what must be."""
    must = bench.target_of(r, name).get("must", {}).get("of_best_peer")
    return f"{ratio:.2f}" + (" ✗" if must and not bench.is_met("of_best_peer", ratio, must) else "")


def best_peer(row):
    """The fastest peer's speed, and its name where there are several: 2,310 (ALG2)."""
    us, name = min(row.peers_that(are_prepared=False))
    return tables.figure(row.speed(us)) + (f" ({name.partition(' ')[2]})" if len(row.peers) > 1 else "")


def is_prepared(row):
    return row and not row.error and row.preparation_us > 0


def both(of_matrix, quantity):
    """1.23 / 1.30: of both types, where a peer was prepared."""
    return " / ".join(quantity(row) if is_prepared(row) else "–" for row in map(of_matrix.get, TYPES))


def cells_of(r, row):
    if not row:
        return [""] * 3
    if row.error:
        return ["", "", f"failed: {row.error}"]
    return [f"**{tables.figure(row.speed(row.us))}**", best_peer(row), ratio_cell(r, row.name, row.ratio("of_best_peer"))]


def summary(r, operation, matrices):
    """The geometric means and the least, beside what is asked for."""
    lines = []
    wanted, wanted_of_each = (bench.target_of(r, f"suite/{operation}/{name}") for name in ("geometric mean", "any"))
    for of_type in TYPES:
        ratios = speed_ups(matrices, of_type)
        if not ratios:
            continue
        mean, least = geometric_mean(ratios), min(ratios)
        line = (f"- {of_type}: geometric mean **{mean:.2f}** of the best peer's speed over {len(ratios)} of "
                f"{len(matrices)} matrices{tables.asked(wanted, 'of_best_peer', mean)}, the least {least:.2f}"
                f"{tables.asked(wanted_of_each, 'of_best_peer', least)}")
        if all(is_prepared(rows.get(of_type)) for rows in matrices.values()):
            prepared = geometric_mean(speed_ups(matrices, of_type, "of_prepared_peer"))
            line += f"; {prepared:.2f} of that of the prepared peer, whose preparation is in no time"
        lines.append(line)
    return "\n".join(lines)


def table(r):
    out = []
    for operation, matrices in suites(r).items():
        rows = [[matrix, *(cell for of_type in TYPES for cell in cells_of(r, of_matrix.get(of_type)))]
                for matrix, of_matrix in matrices.items()]
        names = {peer for of_matrix in matrices.values() for row in of_matrix.values() for peer in row.peers}
        best = names.pop() if len(names) == 1 else "best peer"
        header = ["like"]
        for of_type in TYPES:
            header += [f"{of_type}: upsweep GB/s", f"{best} GB/s", "speed-up"]
        if any(is_prepared(row) for of_matrix in matrices.values() for row in of_matrix.values()):
            header += ["of the prepared peer", "its preparation, µs"]
            for cells, of_matrix in zip(rows, matrices.values()):
                cells += [both(of_matrix, lambda row: f"{row.ratio('of_prepared_peer'):.2f}"),
                          both(of_matrix, lambda row: tables.figure(row.preparation_us))]
        out.append(f"`{operation}` of {len(matrices)} matrices\n\n{tables.table(header, rows, last='--:')}\n\n"
                   f"{summary(r, operation, matrices)}")
    return "\n\n".join(out)


def charts(r):
    """{operation: (title, SVG)}: the speed-up of each matrix."""
    out = {}
    for operation, matrices in suites(r).items():
        groups = [plots.Group(matrix, {of_type: row.ratio("of_best_peer") for of_type, row in rows.items() if not row.error})
                  for matrix, rows in matrices.items()]
        means = {of_type: geometric_mean(ratios) for of_type in TYPES if (ratios := speed_ups(matrices, of_type))}
        if not means:
            continue
        groups.append(plots.Group("geometric mean", means))
        some = next(row for rows in matrices.values() for row in rows.values() if not row.error)
        library = tables.peer_of(some)
        peer, best = (library, f"the best of {len(some.peers)} ways of {library}") if len(some.peers) > 1 else some.peers * 2
        title = f"{operation} of a suite of matrices, upsweep against {peer} on {tables.about(r, library)}"
        unit = f"speed over that of {best}, {tables.MODES[some.mode]}; higher is better"
        out[operation] = title, plots.bars(f"{operation}: a suite of matrices", unit, groups, title)
    return out
