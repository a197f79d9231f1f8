"""Reads benchmark results, bench/results/*.json, and the targets that rows are held to."""
import fnmatch
import functools
import json
from dataclasses import dataclass, field
from pathlib import Path

import outside

FOLDER = Path(__file__).parent
# What is counted where bytes are nominal, as more is moved than each once: keys, pixels, products of non-zeros (x is fetched
# as often as the caches lose it), bytes of text (walked along several times), items that are written. All else is told in
# bytes, of each input once and each output once, but for what is ALSO_MOVED and counted.
UNITS = {"radix_sort": "Gkey/s", "radix_sort_by_key": "Gkey/s", "segmented_radix_sort": "Gkey/s",
         "segmented_radix_sort_by_key": "Gkey/s", "quicksort": "Gkey/s",
         "equalize": "Gpixel/s", "equalize_luma": "Gpixel/s", "clahe": "Gpixel/s", "spmv": "Gproduct/s",
         "automaton_run": "GB/s of text", "tokenize": "GB/s of text", "expand": "Gitem/s", "repeat": "Gitem/s"}
ALSO_MOVED = {"stable_partition": "read twice"}


@dataclass
class Contender:
    """A peer, or ours in another way."""
    name: str
    us: float
    preparation_us: float = 0.0  # what it took once before, outside the timing

    @property
    def is_ours(self):
        return self.name.startswith("upsweep")

    @property
    def is_prepared(self):
        return self.preparation_us > 0 or self.name.endswith(" prep.")


@dataclass
class Row:
    """One (operation, type, mode, size). Times are medians in microseconds."""
    group: str
    what: str
    mode: str
    log2n: int
    us: float = 0.0
    others: list = field(default_factory=list)  # all contenders but ours
    copy_us: float = 0.0
    bytes: float = 0.0
    items: float = 0.0
    spread: float = 0.0
    rounds: int = 0
    counted: dict = field(default_factory=dict)  # temporary_bytes, launches, allocations, same_bits
    earlier: str = ""  # revision and date, of a row that the file's run did not measure
    error: str = ""

    @property
    def name(self):
        return f"{self.group}/{self.what}/{self.mode}/2^{self.log2n}"

    @property
    def operation(self):
        return self.what.split("/")[0]

    @property
    def unit(self):
        if self.group == "suite":
            return "nominal GB/s"  # of matrices as they are, whose non-zeros are not told
        return UNITS.get(self.operation, "GB/s")

    def speed(self, us):
        """In its unit."""
        return (self.bytes if self.unit in ("GB/s", "nominal GB/s") else self.items) / us * 1e-3

    @property
    def peers(self):
        return [c for c in self.others if not c.is_ours]

    @property
    def planned(self):
        """Ours by a plan; None where there is none."""
        return next((c for c in self.others if c.is_ours), None)

    def best(self, may_be_prepared=False):
        """The fastest peer: of those that need no preparation, as we need none, or for ours that is planned of all."""
        of = [c for c in self.peers if may_be_prepared or not c.is_prepared]
        return min(of, key=lambda c: c.us, default=None)

    def has(self, kind):
        """Whether there is such a ratio of this row."""
        if kind == "planned_of_best_peer":
            return bool(self.planned and self.peers)
        if kind == "of_copy":
            return self.unit == "GB/s" and self.mode != "busy"  # the copy is not busy
        return not kind.endswith("best_peer") or self.best() is not None

    def ratio(self, kind):
        return {"of_copy": lambda: self.copy_us / self.us,
                "of_nominal_copy": lambda: self.copy_us / self.us,
                "of_best_peer": lambda: self.best().us / self.us,
                "time_of_best_peer": lambda: self.us / self.best().us,
                "planned_of_best_peer": lambda: self.best(may_be_prepared=True).us / self.planned.us,
                "gb_s": lambda: self.bytes / self.us * 1e-3,
                "gitems_s": lambda: self.items / self.us * 1e-3,
                "us": lambda: self.us}[kind]()


@dataclass
class Results:
    """One file: the rows of one device."""
    name: str  # the file's: host, h200
    context: dict
    rows: list

    @property
    def judged_as(self):
        """By whose goals and causes: the host's, CUDA's, or those of code for GPUs before Hopper."""
        return "older" if "code_for" in self.context else self.context["side"]

    @functools.cached_property
    def by_name(self):
        return {row.name: row for row in self.rows}

    def group(self, group):
        """Its rows in the order of the GPU's targets, which begin with what matters most; the modes of a row stay together."""
        patterns = list(targets()["cuda"])
        order = list(dict.fromkeys(row.what for row in self.rows))

        def rank(row):
            name = f"large/{row.what}/"
            return next((k for k, p in enumerate(patterns) if fnmatch.fnmatchcase(name, p)), len(patterns)), order.index(row.what)
        return sorted((row for row in self.rows if row.group == group), key=rank)


def numbered(name, k):
    """peer_us, peer2_us, peer3_us, …"""
    return f"{name}{k + 1 if k else ''}_us"


COUNTED = ("temporary_bytes", "allocations", "launches", "same_bits", "rms_error")


def row_of(entry):
    group, operation, kind, mode, size = entry["name"].split("/")
    row = Row(group, f"{operation}/{kind}", mode, int(size.removeprefix("2^")), earlier=entry.get("earlier", ""),
              error=entry.get("error_message", ""))
    if not row.error:
        row.us, row.copy_us, row.bytes, row.spread = (entry[key] for key in ("us", "copy_us", "bytes", "spread"))
        row.items, row.rounds = entry.get("items", 2.0 ** row.log2n), entry["rounds"]
        names = entry["label"].split("; ") if entry["label"] else []
        row.others = [Contender(name, entry[numbered("peer", k)], entry.get(numbered("preparation", k), 0.0))
                      for k, name in enumerate(names)]
        row.counted = {key: entry[key] for key in COUNTED if key in entry}
    return row


def load(path):
    data = json.loads(path.read_text())
    results = Results(path.stem, data["context"], [row_of(entry) for entry in data["benchmarks"]])
    add_python_peers(results)
    return results


def machine(results):
    """As bench/python_peers tells it."""
    c = results.context
    return f"{c['device']}, {c['threads']} threads" if c["side"] == "host" else c["device"]


def add_python_peers(results):
    """What took one thread of the same kind of CPU, in a process of its own, is a peer of our row on one thread."""
    found = outside.python_peers(results.name)
    if not found or found["device"] != machine(results):
        return
    timed = {(entry["what"], entry["log2n"]): entry for entry in found["rows"] if outside.is_on_one_thread(entry)}
    for row in results.rows:
        if row.mode == "one_thread" and not row.error and (entry := timed.get((row.what, row.log2n))):
            row.others.append(Contender(entry["peer"].removesuffix(", one thread"), entry["us"]))


def load_all():
    return [load(path) for path in sorted((FOLDER / "results").glob("*.json"))]


@functools.cache
def targets():
    return json.loads((FOLDER / "targets.json").read_text())


def target_of(results, name):
    """{"must": {ratio: value}, "aim": {…}} of a row's name; empty when it has none."""
    table = targets()[results.judged_as]
    return next((table[p] for p in table if fnmatch.fnmatchcase(name, p)), {})


def is_met(kind, ratio, wanted):
    """Compares ratios as they are shown."""
    return round(ratio, 2) <= wanted if kind.startswith("time_") or kind == "us" else round(ratio, 2) >= wanted
