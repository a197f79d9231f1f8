#!/usr/bin/env python3
"""The program `equalize` against the formulas in plain Python, file by file.   tests/equalize_pictures.py EQUALIZE BACKEND

With OpenCV and PIL for this Python, they have their say as well. Prints how many checks there were; a failure is an error.
"""
import itertools
import struct
import subprocess
import sys

import png

program, backend = sys.argv[1:]
checks = 0


class Picture:
    """Rows of levels, channels side by side, of 8 or 16 bits."""

    def __init__(self, width, height, channels, bits, levels):
        self.width, self.height, self.channels, self.bits, self.levels = width, height, channels, bits, levels

    def bytes(self):
        return struct.pack(">%d%s" % (len(self.levels), "B" if self.bits == 8 else "H"), *self.levels)

    def same_as(self, other):
        return vars(self) == vars(other)

    def channel(self, c):
        return self.levels[c :: self.channels]


# ---------------------------------------------------------------- files
def unpacked(data, bits):
    return list(struct.unpack(">%d%s" % (len(data) * 8 // bits, "B" if bits == 8 else "H"), data))


def read(name):
    with open(name, "rb") as file:
        data = file.read()
    if data.startswith(b"\x89PNG"):
        return Picture(*png.read(name))
    kind, width, height, top, data = data.split(maxsplit=4)[:4] + [data.split(b"\n", 3)[3]]
    channels, bits = {b"P5": 1, b"P6": 3}[kind], {b"255": 8, b"65535": 16}[top]
    return Picture(int(width), int(height), channels, bits, unpacked(data, bits))


def write(name, p, top=None, text=False):
    """A PNG, or a PGM or PPM of the brightest level `top`, in bytes or as text."""
    if name.endswith(".png"):
        return png.write(name, p.width, p.height, p.channels, p.bits, p.bytes())
    top = top or (1 << p.bits) - 1
    kind = {1: "P2" if text else "P5", 3: "P3" if text else "P6"}[p.channels]
    with open(name, "wb") as file:
        file.write(b"%s\n%d %d\n%d\n" % (kind.encode(), p.width, p.height, top))
        file.write(" ".join(map(str, p.levels)).encode() if text else p.bytes())


# ---------------------------------------------------------------- pictures
def level(kind, x, y, bits):
    h = (x * 73856093 ^ y * 19349663) & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0x5BD1E995 & 0xFFFFFFFF
    h ^= h >> 15
    top = (1 << bits) - 1
    return {
        "constant": 77,
        "two": (50, top - 5)[h & 1],
        "noise": h & top,
        "hazy": top // 3 + (x * x + 3 * y * y) // 17 % (top // 6) + h % 8,
        "dark": (h & 0xFF) * (h >> 8 & 0xFF) * top // 65025,
        "empty": 0,
    }[kind]


def picture(kinds, width, height, bits):
    places = itertools.product(range(height), range(width))
    return Picture(width, height, len(kinds), bits, [level(kind, x, y, bits) for y, x in places for kind in kinds])


# ---------------------------------------------------------------- what should become of levels
def float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def counts_of(levels, bits):
    counts = [0] * (1 << bits)
    for v in levels:
        counts[v] += 1
    return counts


def equalized(levels, bits, mode):
    counts, n, top = counts_of(levels, bits), len(levels), (1 << bits) - 1
    first, last = counts[min(levels)], counts[max(levels)]
    step = (n - last) // top
    if first == n or mode == "pil" and step == 0:
        return levels
    table, upto = [], 0
    scale = float32(top / float32(n - first)) if mode == "opencv" else 0
    for here in counts:
        if here == 0:  # of 65,536 levels most are nobody's
            table.append(None)
            continue
        before, upto = upto, upto + here
        above = max(upto - first, 0)
        if mode == "opencv":
            entry = round(float32(float32(above) * scale))  # halves to even
        elif mode == "textbook":
            entry = (2 * top * above + n - first) // (2 * (n - first))
        else:
            entry = (step // 2 + before) // step
        table.append(min(entry, top))
    return [table[v] for v in levels]


def matched(levels, like, bits):
    table, w, upto = [], 0, 0
    wanted = counts_of(like, bits)
    reached = wanted[0]
    for here in counts_of(levels, bits):
        upto += here
        while w + 1 < len(wanted) and reached * len(levels) < upto * len(like):
            w += 1
            reached += wanted[w]
        table.append(w)
    return [table[v] for v in levels]


def luma(r, g, b):
    return (r * 4899 + g * 9617 + b * 1868 + 8192) >> 14


def with_luma(r, g, b, y, top):
    middle = top // 2 + 1
    clamped = lambda x: min(max(x, 0), top)
    before = luma(r, g, b)
    cr = clamped(((r - before) * 11682 + (middle << 14) + 8192) >> 14) - middle
    cb = clamped(((b - before) * 9241 + (middle << 14) + 8192) >> 14) - middle
    return [
        clamped(y + (cr * 22987 + 8192 >> 14)),
        clamped(y + (cb * -5636 + cr * -11698 + 8192 >> 14)),
        clamped(y + (cb * 29049 + 8192 >> 14)),
    ]


def luma_of(p):
    if p.channels < 3:
        return p.channel(0)
    return [luma(*rgb) for rgb in zip(p.channel(0), p.channel(1), p.channel(2))]


def with_levels(p, new):
    """The picture with these levels, or luma."""
    if p.channels == 1:
        levels = new
    elif p.channels == 2:
        levels = [v for pair in zip(new, p.channel(1)) for v in pair]
    else:
        levels = []
        for i, y in enumerate(new):
            pixel = p.levels[i * p.channels : (i + 1) * p.channels]
            levels += with_luma(*pixel[:3], y, (1 << p.bits) - 1) + pixel[3:]
    return Picture(p.width, p.height, p.channels, p.bits, levels)


# ---------------------------------------------------------------- checks
def expect(truth, what):
    global checks
    checks += 1
    if not truth:
        sys.exit("FAILED: %s, %s" % (what, backend))


def run(*arguments):
    return subprocess.run([program, "--repeat", "1", "--check", "--backend", backend, *arguments],
                          stderr=subprocess.PIPE, text=True)


def becomes(p, expected, source, target, *arguments):
    what = "equalize %s %s %s: %d x %d, %d channels, %d bits" % (
        " ".join(arguments), source, target, p.width, p.height, p.channels, p.bits)
    done = run(*arguments, source, target)
    expect(done.returncode == 0 and "equalize: verified against serial loops" in done.stderr, what + ": " + done.stderr)
    expect(read(target).same_as(expected), what)


def netpbm(p):
    return {1: "x.pgm", 3: "x.ppm"}.get(p.channels)


kinds = ["constant", "two", "noise", "hazy", "dark"]
some = lambda k, channels: [kinds[(k + c) % len(kinds)] for c in range(channels)]
sizes = [(1, 1), (7, 1), (1, 9), (37, 53), (120, 64)]

# Every mode, depth and number of channels, by PNG and by PGM or PPM.
for k, bits, channels in itertools.product(range(len(kinds)), (8, 16), (1, 2, 3, 4)):
    for n, mode in enumerate(("opencv", "textbook", "pil")):
        if backend == "cuda" and (k + n) % 5:
            continue  # a program on a GPU takes a third of a second to start
        p = picture(some(k, channels), *sizes[(k + n) % len(sizes)], bits)
        expected = with_levels(p, equalized(luma_of(p), bits, mode))
        write("in.png", p)
        becomes(p, expected, "in.png", "out.png", "--mode", mode)
        if netpbm(p):
            write("in_" + netpbm(p), p)
            becomes(p, expected, "in_" + netpbm(p), "out_" + netpbm(p), "--mode", mode)

# Matches, also of grey with colours.
for bits, channels, others in itertools.product((8, 16), (1, 3, 4), (1, 2, 3)):
    p, like = picture(some(3, channels), 37, 53, bits), picture(some(1, others), 20, 31, bits)
    write("in.png", p)
    write("like.png", like)
    becomes(p, with_levels(p, matched(luma_of(p), luma_of(like), bits)), "in.png", "out.png", "--match", "like.png")

# Levels of other ranges take all of 8 or 16 bits; text is as good as bytes.
for top, bits, channels, text in itertools.product((1, 10, 100, 255, 256, 4095, 65535), (8, 16), (1, 3), (False, True)):
    if (top > 255) != (bits == 16) or backend == "cuda" and top != 4095:
        continue
    p = picture(some(2, channels), 21, 13, bits)
    p.levels = [v % (top + 1) for v in p.levels]
    write("in_" + netpbm(p), p, top, text)
    full = (1 << bits) - 1
    spread = Picture(p.width, p.height, channels, bits, [(v * full + top // 2) // top for v in p.levels])
    becomes(p, with_levels(spread, equalized(luma_of(spread), bits, "opencv")), "in_" + netpbm(p), "out_" + netpbm(p))

# Pictures of PNG's other sorts: few bits, palettes, a transparent colour, interlaced.
grey = [y * 4 % 16 for y in range(9) for x in range(5)]
for bits in 1, 2, 4:
    levels = [v % (1 << bits) for v in grey]
    png.write_few_bits("in.png", 5, 9, bits, levels)
    p = Picture(5, 9, 1, 8, [v * 255 // ((1 << bits) - 1) for v in levels])
    becomes(p, with_levels(p, equalized(p.levels, 8, "opencv")), "in.png", "out.png")
colours = [(10 * k, 200 - 9 * k, 7 * k) for k in range(16)]
for alphas in [], [0, 100, 255]:
    png.write_few_bits("in.png", 5, 9, 4, grey, colours, alphas)
    levels = [list(colours[v]) + ([alphas[v] if v < len(alphas) else 255] if alphas else []) for v in grey]
    p = Picture(5, 9, 4 if alphas else 3, 8, [v for pixel in levels for v in pixel])
    becomes(p, with_levels(p, equalized(luma_of(p), 8, "opencv")), "in.png", "out.png")
p = picture(["noise"], 13, 11, 8)
png.write_interlaced("in.png", 13, 11, p.levels)
becomes(p, with_levels(p, equalized(p.levels, 8, "opencv")), "in.png", "out.png")

# The alpha of grey and of colours stays as it is: seen above. CLAHE is compared by --check, and with OpenCV below.
try:
    import cv2
    import numpy
    from PIL import Image, ImageOps
except ImportError:
    print("for %s there are no OpenCV and PIL: they are not asked" % sys.executable, file=sys.stderr)
    cv2 = None


def array(p):
    return numpy.array(p.levels, numpy.uint8 if p.bits == 8 else numpy.uint16).reshape(p.height, p.width)


def is_near(a, b, within):
    return a.dtype == b.dtype and numpy.abs(a.astype(int) - b.astype(int)).max() <= within


for bits, (width, height), (clip, tiles) in itertools.product(
        (8, 16), ((1, 1), (64, 48), (61, 53)), ((2, 8), (40, 3), (0, 2), (1, 1))):
    p = picture(["hazy"], width, height, bits)
    write("in.png", p)
    done = run("--clahe", "--clip", str(clip), "--tiles", str(tiles), "in.png", "out.png")
    expect(done.returncode == 0, "CLAHE: " + done.stderr)
    if cv2:
        theirs = cv2.createCLAHE(clip, (tiles, tiles)).apply(array(p))
        expect(is_near(array(read("out.png")), theirs, 1), "OpenCV's CLAHE, %d x %d, %d bits" % (width, height, bits))
for kind in kinds if cv2 else ():
    p = picture([kind], 64, 48, 8)
    write("in.png", p)
    for mode, theirs in ("opencv", cv2.equalizeHist(array(p))), ("pil", ImageOps.equalize(Image.fromarray(array(p)))):
        run("--mode", mode, "in.png", "out.png")
        expect(is_near(array(read("out.png")), numpy.asarray(theirs), 0), "%s: %s" % (mode, kind))
    rgb = picture(some(kinds.index(kind), 3), 64, 48, 8)
    write("in.png", rgb)
    run("in.png", "out.png")
    ycc = cv2.cvtColor(cv2.imread("in.png"), cv2.COLOR_BGR2YCrCb)
    ycc[:, :, 0] = cv2.equalizeHist(ycc[:, :, 0])
    expect(is_near(cv2.imread("out.png"), cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), 0), "OpenCV's luma: " + kind)
print(checks)
