"""Why a row misses what it must reach: what was measured (bench/causes.json), or what other rows of the same run show. All
else is not explained, and says so."""
import fnmatch
import functools
import json

import rows as bench

UNKNOWN = "not yet explained"
FIXED = "what a call costs whatever its size: one item (2^0) loses half as many µs, or more"
THREADS = "more threads only cost here: on one thread ours takes less time"
WAITED = "one call and the wait for it, which both pay: one item (2^0) takes more than 60 % of this time"
PLANNED = "what a plan leaves out, the checks of columns and the search of parts, is half of it or more: see the same row, planned"
FEW_THREADS = "more threads hardly help here: on one thread ours takes at most a tenth longer"
WORK = "not the memory, which the goal is told in, but work that threads share: on one thread it takes 1.7 times as long or more"
SPREAD = "by less than its rounds differ: the middle half of them lies further apart than it misses by"


@functools.cache
def known():
    return json.loads((bench.FOLDER / "causes.json").read_text())["causes"]


def known_cause(places, name, revision=None):
    """Of the first entry that fits one of the places: the results' name, their side, or building."""
    for entry in known():
        is_here = any(fnmatch.fnmatchcase(place, entry["on"]) for place in places)
        if is_here and entry.get("at", revision) == revision and any(fnmatch.fnmatchcase(name, p) for p in entry["rows"]):
            return entry["cause"]
    return None


def sibling(r, row, mode, log2n):
    """A row of the same work that did not fail."""
    found = r.by_name.get(f"{row.group}/{row.what}/{mode}/2^{log2n}")
    return found if found and not found.error else None


def shown_cause(r, row):
    """What other rows of the same run show."""
    best, one_item = row.best(), row.group == "sizes" and sibling(r, row, row.mode, 0)
    missed = missed_kinds(r, row)
    if one_item and best and row.us > best.us and one_item.best():
        if one_item.us - one_item.best().us >= (row.us - best.us) / 2:
            return FIXED
    if row.planned and best and row.us > best.us and is_met(r, row, "planned_of_best_peer"):
        if row.us - row.planned.us >= (row.us - best.us) / 2:
            return PLANNED
    if row.mode == "warm" and one_item and one_item.us >= 0.6 * row.us:
        return WAITED
    if row.mode == "all_threads" and (alone := sibling(r, row, "one_thread", row.log2n)):
        if alone.us <= row.us:
            return THREADS
        if alone.us <= 1.1 * row.us:
            return FEW_THREADS
        if missed and alone.us >= 1.7 * row.us and all("copy" in kind for kind in missed):
            return WORK
    if missed and all(is_within_spread(r, row, kind) for kind in missed):
        return SPREAD
    return None


def known_of(r, row, name):
    """Of a row's figure of that name."""
    return known_cause((r.name, r.judged_as), name, row.earlier.partition(",")[0] or r.context.get("revision"))


def of(r, row):
    """In a few words."""
    return known_of(r, row, row.name) or shown_cause(r, row) or UNKNOWN


def of_figure(r, row, figure):
    """What a call takes beside its time."""
    return known_of(r, row, f"footprint/{row.what}/{figure}") or UNKNOWN


def of_building(what):
    return known_cause(("build",), what) or UNKNOWN


def is_met(r, row, kind):
    """Is this must met, or is there none?"""
    wanted = bench.target_of(r, row.name).get("must", {}).get(kind)
    return wanted is None or not row.has(kind) or bench.is_met(kind, row.ratio(kind), wanted)


def missed_kinds(r, row):
    """The musts that it misses."""
    return [kind for kind in bench.target_of(r, row.name).get("must", {}) if not is_met(r, row, kind)]


def misses(r, row):
    """Does it miss a must?"""
    return bool(missed_kinds(r, row))


def is_within_spread(r, row, kind):
    """Is what it misses a must by less than the spread of its rounds?"""
    reached, wanted = row.ratio(kind), bench.target_of(r, row.name)["must"][kind]
    is_time = kind.startswith("time_") or kind == "us"
    return (reached / wanted if is_time else wanted / reached) - 1 <= row.spread


class Notes:
    """The causes of a table's ✗, numbered as they come: marks beside them, and the list below the table."""

    def __init__(self):
        self.numbers = {}

    def mark(self, cause):
        """ ✗ with the number of its cause, small and raised"""
        number = self.numbers.setdefault(cause, len(self.numbers) + 1)
        return " ✗" + str(number).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))

    def below(self, table):
        """The table, and what is known of each ✗."""
        if not self.numbers:
            return table
        return "\n".join([table, "", "Why, as far as it is known:", "",
                          *(f"{number}. {cause}" for cause, number in self.numbers.items())])
