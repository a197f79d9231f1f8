#!/usr/bin/env python3
"""Does a picture show where a matrix has its non-zeros?   tests/spmv_picture.py MATRIX PICTURE
MATRIX is a general one in the Matrix Market format, without comments."""
import sys
from collections import Counter

import png

lines = [line.split() for line in open(sys.argv[1])][1:]
rows, columns, _ = map(int, lines[0])
longer = max(rows, columns, 1)
width, height = (max(size if longer <= 800 else min(size * 800 // longer, 800), 1) for size in (columns, rows))
side = 800 // max(width, height)
places = {(int(line[0]) - 1, int(line[1]) - 1) for line in lines[1:]}
counts = Counter((row * height // rows, column * width // columns) for row, column in places)

pixels = list(png.rows(sys.argv[2]))
assert len(pixels) == side * height and all(len(row) == side * width for row in pixels)
cells = [row[::side] for row in pixels[::side]]
assert all(row == [cells[y // side][x // side] for x in range(side * width)] for y, row in enumerate(pixels))
colours = {0: (0, 0, 0)}
for y, row in enumerate(cells):
    for x, colour in enumerate(row):
        assert colours.setdefault(counts[y, x], colour) == colour
green = [colours[count][1] for count in sorted(colours)]  # never falls along the scale of colours
assert green == sorted(green) and (0, 0, 0) not in list(colours.values())[1:]
if counts:
    assert colours[max(counts.values())] == (248, 232, 56)
