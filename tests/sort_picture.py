#!/usr/bin/env python3
"""Do the bands of a picture show a quicksort?   tests/sort_picture.py NUMBERS ORDER LEVELS PICTURE
NUMBERS are a text, one a line; ORDER is ascending or descending."""
import math
import sys

import png

numbers = [(float(line), math.copysign(1, float(line))) for line in open(sys.argv[1])]  # -0 comes before 0
sign, n, levels = -1 if sys.argv[2] == "descending" else 1, len(numbers), int(sys.argv[3])
pixels = list(png.rows(sys.argv[4]))
bands = pixels[::24]
assert len(pixels[0]) == 1024 and len(pixels) == 24 * (levels + 1)
assert all(row == bands[y // 24] for y, row in enumerate(pixels))
places = [[sign * green for _, green, _ in band] for band in bands]  # green never falls along the scale of colours

# The first band is the numbers, the last one is in order.
shown = [numbers[(2 * x + 1) * n // 2048] for x in range(1024) if n]
order = sorted(range(len(shown)), key=lambda x: shown[x])
for a, b in zip(order, order[1:]):
    assert bands[0][a] == bands[0][b] if shown[a] == shown[b] else sign * places[0][a] <= sign * places[0][b]
assert places[-1] == sorted(places[-1])
if len(set(numbers)) < 2:
    assert levels == 0 and len(set(bands[0])) == 1
if n == 0:
    assert set(bands[0]) == {(0, 0, 0)}

# When all numbers show, and in colours of their own: no band loses any, and each leaves those above as they were split.
if 1 < n <= 100:
    middles = [(2 * i + 1) * 1024 // (2 * n) for i in range(n)]
    cuts = set()  # where all to the left comes before all to the right
    for band, place in zip(bands, places):
        assert sorted(band[x] for x in middles) == sorted(bands[0][x] for x in middles)
        items = [place[x] for x in middles]
        found = {i for i in range(1, n) if max(items[:i]) < min(items[i:])}
        assert cuts <= found
        cuts = found
    assert len(cuts) == len(set(numbers)) - 1
