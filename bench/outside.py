"""What was timed outside of the one harness: Python's libraries (bench/python_peers), and what building takes
(bench/compile_time)."""
import json
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
# Libraries that have several functions for the same work. The fastest counts; where not all were timed none does, since
# nobody knows whether it was the fastest.
WAYS = {"torchvision": 2}


def library(entry):
    return entry["peer"].split()[0]


def fastest_ways(entries):
    """Of each library's ways to do the same work the fastest; and the entries that do not count."""
    by_work = {}
    for entry in entries:
        by_work.setdefault((entry["what"], entry["log2n"], library(entry)), []).append(entry)
    enough = lambda ways: len(ways) >= WAYS.get(library(ways[0]), 1)
    return ([min(ways, key=lambda entry: entry["us"]) for ways in by_work.values() if enough(ways)],
            [entry for ways in by_work.values() if not enough(ways) for entry in ways])


def python_peers(name):
    """What Python's libraries took on a device: {device, date, rows, left_out}, or None."""
    path = RESULTS / "python" / f"{name}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text())
    found["rows"], found["left_out"] = fastest_ways(found["rows"])
    return found


def is_on_one_thread(entry):
    return entry["peer"].endswith(", one thread")


def build_figures():
    """{compiler, date, rows}, or None."""
    path = RESULTS / "build" / "build.json"
    return json.loads(path.read_text()) if path.exists() else None
