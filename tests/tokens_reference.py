"""What `tokens` should print, by Python's own means.   tokens_reference.py list LANGUAGE FILE | count FILE
list: the tokens by the module re. count: how many there are in what the module json makes of a text."""
import json
import re
import sys

JSON = [(None, rb"[ \t\r\n]+"),
        ("string", rb'"(?:[^"\\\n]|\\[^\n])*"'),
        ("broken", rb'"(?:[^"\\\n]|\\[^\n])*\\?'),
        ("number", rb"[-0-9][-+.0-9eE]*"),
        ("word", rb"[A-Za-z_]+"),
        ("punctuation", rb"[\]\[{}:,]"),
        ("broken", rb"[^] \t\r\n\"A-Za-z_[{}:,0-9-]+")]
C = [(None, rb"[ \t\r\n\f\v]+"),
     ("broken", rb"//(?:[^\\\n]|\\[\x00-\xff])*\\\Z"),
     ("comment", rb"//(?:[^\\\n]|\\[\x00-\xff])*|/\*(?:[^*]|\*+[^*/])*\*+/"),
     ("broken", rb"/\*[\x00-\xff]*"),
     ("name", rb"[A-Za-z_\x80-\xff][A-Za-z_0-9\x80-\xff]*"),
     ("number", rb"\.?[0-9](?:[eEpP][-+]|[A-Za-z_0-9.])*"),
     ("string", rb'"(?:[^"\\\n]|\\[\x00-\xff])*"'),
     ("character", rb"'(?:[^'\\\n]|\\[\x00-\xff])*'"),
     ("broken", rb"\"(?:[^\"\\\n]|\\[\x00-\xff])*\\?|'(?:[^'\\\n]|\\[\x00-\xff])*\\?"),
     ("punctuation", rb"[-!#%&()*+,./:;<=>?[\]^{|}~\\]"),
     ("broken", rb"[\x00-\x08\x0e-\x1f$@`\x7f]+")]


def tokens(text, rules):
    alternatives = re.compile(b"|".join(b"(" + pattern + b")" for _, pattern in rules))
    at = 0
    while at < len(text):
        found = alternatives.match(text, at)
        kind = rules[found.lastindex - 1][0]
        if kind:
            yield at, kind, found.group()
        at = found.end()


def in_one_line(token):
    names = {9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\"}
    return "".join(names.get(byte) or (chr(byte) if 0x20 <= byte < 0x7f else f"\\x{byte:02x}") for byte in token)


def count(value, counts):
    if isinstance(value, str):
        counts["string"] += 1
    elif value is None or isinstance(value, bool):
        counts["word"] += 1
    elif isinstance(value, (int, float)):
        counts["number"] += 1
    else:  # a list of items, or a tuple of pairs, as they stand in the text
        counts["punctuation"] += 2 + max(len(value) - 1, 0)
        for item in value:
            if isinstance(value, tuple):
                counts["punctuation"] += 1
                counts["string"] += 1
                item = item[1]
            count(item, counts)


if sys.argv[1] == "list":
    with open(sys.argv[3], "rb") as file:
        for position, kind, token in tokens(file.read(), C if sys.argv[2] == "c" else JSON):
            print(position, kind, in_one_line(token))
else:
    totals = dict.fromkeys(["string", "number", "word", "punctuation", "broken"], 0)
    with open(sys.argv[2], encoding="utf-8") as file:
        count(json.load(file, object_pairs_hook=tuple), totals)
    for kind, number in totals.items():
        print(number, kind)
