"""What tables leave out without a word: goals of bench/targets.json that no result shows, peers timed on another machine."""
import fnmatch

import outside
import rows as bench

MEAN = "/geometric mean"  # of a suite, which has it if it has a row


def first(table, name):
    """The one that counts."""
    return next((pattern for pattern in table if fnmatch.fnmatchcase(name, pattern)), None)


def unseen(results):
    """Where each stands, and its name."""
    targets = bench.targets()
    for side in ("cuda", "older", "host"):
        rows = [row for r in results if r.judged_as == side for row in r.rows if not row.error]
        seen = {first(targets[side], row.name) for row in rows}
        suites = {f"suite/{row.operation}{MEAN}" for row in rows if row.group == "suite"}
        yield from (f"{side}: {goal}" for goal in targets[side] if goal not in seen | suites)
    footprint = targets["footprint"]
    seen = {(first(footprint, row.what), key.removesuffix("_bytes")) for r in results for row in r.rows for key in row.counted}
    yield from (f"footprint: {goal}, {key}" for goal in footprint for key in footprint[goal] if (goal, key) not in seen)
    built = {entry["what"] for entry in (outside.build_figures() or {"rows": []})["rows"]}
    yield from (f"build: {goal}" for goal in targets["build"] if goal not in built)


def strangers(results):
    """Results of which Python's libraries were timed elsewhere: they are no peers of their rows then."""
    for r in results:
        found = outside.python_peers(r.name)
        if found and found["device"] != bench.machine(r):
            yield f"{r.name}: {found['device']}"
