"""Reads and keeps benchmark results: bench/results/*.json, and the targets that rows are held to."""
import fnmatch
import functools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent
NOT_KEPT = {"executable", "host_name", "load_avg", "library_build_type"}  # says nothing about the figures
# What is counted where bytes are nominal: keys, pixels. All else is told in bytes that are really moved once.
UNITS = {"radix_sort": "Gkey/s", "radix_sort_by_key": "Gkey/s", "segmented_radix_sort": "Gkey/s", "quicksort": "Gkey/s",
         "equalize": "Gpixel/s", "equalize_luma": "Gpixel/s", "clahe": "Gpixel/s"}


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
    def unit(self):
        return UNITS.get(self.what.split("/")[0], "GB/s")

    def speed(self, us):
        """In its unit."""
        return (self.bytes if self.unit == "GB/s" else self.items) / us * 1e-3

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
            return self.unit == "GB/s"
        return not kind.endswith("best_peer") or self.best() is not None

    def ratio(self, kind):
        return {"of_copy": lambda: self.copy_us / self.us,
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


def add_python_peers(results):
    """What took one thread of the same kind of CPU, in a process of its own, is a peer of our row on one thread."""
    found = python_peers(results)
    if not found or found["device"] != f"{results.context['device']}, {results.context.get('threads')} threads":
        return
    for entry in found["rows"]:
        name, one_thread, _ = entry["peer"].partition(", one thread")
        for row in results.rows if one_thread else []:
            if row.mode == "one_thread" and (row.what, row.log2n) == (entry["what"], entry["log2n"]) and not row.error:
                row.others.append(Contender(name, entry["us"]))


def python_peers(results):
    """What Python's libraries took on the same device, timed by themselves (bench/python_peers): {device, date, rows}, or None."""
    path = FOLDER / "results" / "python" / f"{results.name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def build_figures():
    """What building takes (bench/build_figures): {compiler, date, rows}, or None."""
    path = FOLDER / "results" / "build" / "build.json"
    return json.loads(path.read_text()) if path.exists() else None


def load_all():
    return [load(path) for path in sorted((FOLDER / "results").glob("*.json"))]


@functools.cache
def targets():
    return json.loads((FOLDER / "targets.json").read_text())


def target_of(results, name):
    """{"must": {ratio: value}, "aim": {…}} of a row's name; empty when it has none."""
    table = targets()[results.context["side"]]
    return next((table[p] for p in table if fnmatch.fnmatchcase(name, p)), {})


def is_met(kind, ratio, wanted):
    """Compares ratios as they are shown."""
    return round(ratio, 2) <= wanted if kind.startswith("time_") or kind == "us" else round(ratio, 2) >= wanted


def kept(raw):
    """What Google Benchmark wrote, without what says nothing: (context, entries)."""
    if not raw.read_text():
        raise SystemExit(f"{raw} is empty: no row has that name, or the program failed")
    data = json.loads(raw.read_text())
    context = {key: value for key, value in data["context"].items() if key not in NOT_KEPT}
    entries = []
    for entry in data["benchmarks"]:
        one = {"name": re.sub(r"/iterations:.*", "", entry["name"])}
        if entry.get("error_occurred"):
            one["error_message"] = entry["error_message"]
        else:
            is_number = lambda key: key in (*COUNTED, "items", "bytes", "GB/s", "of_copy", "of_best", "spread") or (
                re.fullmatch(r"(us|copy_us|(peer|preparation)\d*_us)", key))
            one |= {"label": entry.get("label", ""), "rounds": int(entry["rounds"])}  # no peers, no label
            one |= {key: value if key == "items" else float(f"{value:.6g}") for key, value in entry.items() if is_number(key)}
        entries.append(one)
    return context, entries


def quick(raw):
    """Rows that are not kept."""
    context, entries = kept(raw)
    return Results("quick", context, [row_of(entry) for entry in entries])


def earlier_rows(path, pattern):
    """What a file holds of such names, each entry with its revision and date."""
    data = json.loads(path.read_text())
    of = "{revision}, {date:.10}".format(**data["context"])
    return [{"earlier": of} | entry for entry in data["benchmarks"] if re.search(pattern, entry["name"])]


def keep(raws, rest=None):
    """Stores what Google Benchmark wrote, in one run or several of one program, under its device's name, a row a line.
    What such a file held before is dropped, but for names that match `rest` and were not measured again; those rows say
    of which revision they are. Returns the path and the rows that failed."""
    context, entries = kept(raws[0])
    for raw in raws[1:]:
        more_context, more = kept(raw)
        differs = [key for key in ("device", "revision", "compiler") if more_context.get(key) != context.get(key)]
        if differs:
            raise SystemExit(f"{raw} and {raws[0]} differ in {', '.join(differs)}")
        entries += more
    device = re.sub(r"[^a-z0-9]+", "-", context["device"].lower().replace("nvidia", "")).strip("-")
    if "code_for" in context:  # code for another GPU
        device += "-" + context["code_for"].replace("_", "")
    path = FOLDER / "results" / ("host.json" if context["side"] == "host" else f"{device}.json")
    path.parent.mkdir(exist_ok=True)
    if rest:
        entries = earlier_rows(path, rest) + entries
    lines = ",\n".join(json.dumps(entry) for entry in {entry["name"]: entry for entry in entries}.values())
    path.write_text('{"context": ' + json.dumps(context, indent=1) + ',\n"benchmarks": [\n' + lines + "\n]}\n")
    return path, [row for row in load(path).rows if row.error]
