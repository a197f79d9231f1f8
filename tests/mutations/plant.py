#!/usr/bin/env python3
"""Reads the faults of faults.txt, which says how they are written.

    plant.py                a line a fault: name, file, tests, how it may end; an error if one fits nothing, or twice
    plant.py NAME FOLDER    writes the fault's file, with the fault, to FOLDER, by the name that #include calls it
"""
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
FAULT = re.compile(
    r"([\w-]+): [^\n]*\n"  # its name, what is wrong
    r"(core|algorithms)/(\S+) -> ([\w ]+?)(?: \((crashes|hangs)\))?\n"
    r"(.*)",
    re.DOTALL,
)


def faults():
    text = re.sub(r"^#.*\n", "", (here / "faults.txt").read_text(), flags=re.MULTILINE)
    for block in re.split(r"\n{2,}", text.strip()):
        head = FAULT.match(block)
        change = re.fullmatch(r"((?:- .*\n)+)((?:\+.*(?:\n|$))+)", head[6] + "\n") if head else None
        if not change:
            sys.exit(f"faults.txt: not a fault:\n{block}")
        old, new = (re.sub(r"^[-+] ?", "", part, flags=re.MULTILINE).strip() for part in change.groups())
        yield head[1], head[2], head[3], head[4], head[5] or "fails", old, new


def planted(floor, file, old, new):
    """The file's text with the fault; how it is broken into lines does not matter."""
    text = (root / floor / file).read_text() if (root / floor / file).exists() else ""
    at = [k for k, letter in enumerate(text) if not letter.isspace()]
    bare, wanted = "".join(text[k] for k in at), "".join(old.split())
    begin = bare.find(wanted)
    if begin < 0:
        raise LookupError(f"fits nothing in {floor}/{file}")
    if bare.find(wanted, begin + 1) >= 0:
        raise LookupError(f"fits {floor}/{file} more than once")
    return text[: at[begin]] + new + text[at[begin + len(wanted) - 1] + 1 :]


wrong = []
names = set()
for name, floor, file, tests, end, old, new in faults():
    try:
        text = planted(floor, file, old, new)
    except LookupError as error:
        wrong.append(f"the fault {name} {error}")
        continue
    if name in names:
        wrong.append(f"there are two faults {name}")
    names.add(name)
    if len(sys.argv) == 1:
        print(name, f"{floor}/{file}", tests.replace(" ", ","), end)
    elif name == sys.argv[1]:
        target = pathlib.Path(sys.argv[2]) / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        sys.exit()
if len(sys.argv) > 1:
    wrong.append(f"there is no fault {sys.argv[1]} that fits")
sys.exit("\n".join(wrong) or 0)
