"""Reads and keeps benchmark results: bench/results/*.json, and the targets that rows are held to."""
import fnmatch
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent
PEERS = ("peer_us", "peer2_us", "peer3_us", "peer4_us", "peer5_us")
NOT_KEPT = {"executable", "host_name", "load_avg", "library_build_type"}  # says nothing about the figures


@dataclass
class Row:
    """One (operation, type, mode, size). Times are medians in microseconds."""
    group: str
    what: str
    mode: str
    log2n: int
    us: float = 0.0
    peers_us: list = field(default_factory=list)
    peers: list = field(default_factory=list)
    copy_us: float = 0.0
    preparation_us: float = 0.0  # what a peer took once before, outside the timing
    bytes: float = 0.0
    spread: float = 0.0
    error: str = ""

    @property
    def name(self):
        return f"{self.group}/{self.what}/{self.mode}/2^{self.log2n}"

    def speed(self, us):
        """GB/s of the row's bytes in this time."""
        return self.bytes / us * 1e-3

    def peers_that(self, are_prepared):
        """(time, name) of those that have looked at the data once before, outside the timing, or of the others."""
        return [pair for pair in zip(self.peers_us, self.peers) if pair[1].endswith(" prep.") == are_prepared]

    def best_us(self, are_prepared=False):
        return min(us for us, _ in self.peers_that(are_prepared))

    def ratio(self, kind):
        """The best peer is one that needs no preparation, as we need none."""
        return {"of_copy": lambda: self.copy_us / self.us,
                "of_peer": lambda: self.peers_us[0] / self.us,
                "of_best_peer": lambda: self.best_us() / self.us,
                "of_prepared_peer": lambda: self.best_us(are_prepared=True) / self.us,
                "time_of_peer": lambda: self.us / self.peers_us[0],
                "time_of_best_peer": lambda: self.us / self.best_us(),
                "gb_s": lambda: self.speed(self.us),
                "gitems_s": lambda: 2 ** self.log2n / self.us * 1e-3,
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


def row_of(entry):
    group, operation, kind, mode, size = entry["name"].split("/")
    row = Row(group, f"{operation}/{kind}", mode, int(size.removeprefix("2^")), error=entry.get("error_message", ""))
    if not row.error:
        row.us, row.copy_us, row.bytes, row.spread = (entry[key] for key in ("us", "copy_us", "bytes", "spread"))
        row.peers_us = [entry[key] for key in PEERS if key in entry]
        row.peers = entry["label"].split("; ") if entry["label"] else []
        row.preparation_us = entry.get("preparation_us", 0.0)
    return row


def load(path):
    data = json.loads(path.read_text())
    return Results(path.stem, data["context"], [row_of(entry) for entry in data["benchmarks"]])


def python_peers(results):
    """What Python's libraries took on the same device, timed by themselves (bench/python_peers): {device, date, rows}, or None."""
    path = FOLDER / "results" / "python" / f"{results.name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def load_all():
    return [load(path) for path in sorted((FOLDER / "results").glob("*.json"))]


def targets():
    return json.loads((FOLDER / "targets.json").read_text())


def target_of(results, name):
    """{"must": {ratio: value}, "aim": {…}} of a row's name; empty when it has none."""
    table = targets()[results.context["side"]]
    return next((table[p] for p in table if fnmatch.fnmatchcase(name, p)), {})


def is_met(kind, ratio, wanted):
    """Compares ratios as they are shown."""
    return round(ratio, 2) <= wanted if kind.startswith("time_") or kind == "us" else round(ratio, 2) >= wanted


def keep(raw):
    """Stores what Google Benchmark wrote under its device's name, a row a line. Returns the path and the rows that failed."""
    data = json.loads(raw.read_text())
    context = {key: value for key, value in data["context"].items() if key not in NOT_KEPT}
    device = re.sub(r"[^a-z0-9]+", "-", context["device"].lower().replace("nvidia", "")).strip("-")
    path = FOLDER / "results" / ("host.json" if context["side"] == "host" else f"{device}.json")
    numbers = ("bytes", "us", *PEERS, "copy_us", "preparation_us", "GB/s", "of_copy", "of_peer", "spread")
    lines = []
    for entry in data["benchmarks"]:
        kept = {"name": re.sub(r"/iterations:.*", "", entry["name"])}
        if entry.get("error_occurred"):
            kept["error_message"] = entry["error_message"]
        else:
            kept |= {"label": entry.get("label", ""), "rounds": entry["iterations"]}  # no peers, no label
            kept |= {key: float(f"{entry[key]:.6g}") for key in numbers if key in entry}
        lines.append(json.dumps(kept))
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"context": ' + json.dumps(context, indent=1) + ',\n"benchmarks": [\n' + ",\n".join(lines) + "\n]}\n")
    return path, [row for row in load(path).rows if row.error]
