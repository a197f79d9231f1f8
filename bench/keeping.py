"""What is stored of Google Benchmark's JSON files, and where."""
import json
import re

import rows as bench

NOT_KEPT = {"executable", "host_name", "load_avg", "library_build_type"}  # says nothing about the figures


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
            is_number = lambda key: key in (*bench.COUNTED, "items", "bytes", "GB/s", "of_copy", "of_best", "spread") or (
                re.fullmatch(r"(us|copy_us|(peer|preparation)\d*_us)", key))
            one |= {"label": entry.get("label", ""), "rounds": int(entry["rounds"])}  # no peers, no label
            one |= {key: value if key == "items" else float(f"{value:.6g}") for key, value in entry.items() if is_number(key)}
        entries.append(one)
    return context, entries


def quick(raw):
    """Rows that are not kept."""
    context, entries = kept(raw)
    return bench.Results("quick", context, [bench.row_of(entry) for entry in entries])


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
    path = bench.FOLDER / "results" / ("host.json" if context["side"] == "host" else f"{device}.json")
    path.parent.mkdir(exist_ok=True)
    if rest:
        entries = earlier_rows(path, rest) + entries
        context = json.loads(path.read_text())["context"] | context  # libraries that the new rows do not use
    lines = ",\n".join(json.dumps(entry) for entry in {entry["name"]: entry for entry in entries}.values())
    path.write_text('{"context": ' + json.dumps(context, indent=1) + ',\n"benchmarks": [\n' + lines + "\n]}\n")
    return path, [row for row in bench.load(path).rows if row.error]
