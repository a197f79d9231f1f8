#!/usr/bin/python3
"""Writes image_values.hpp: what OpenCV and PIL make of generated images (python3-opencv, python3-pil).

    tests/image_values.py > tests/image_values.hpp

Images are made by an integer formula that image_support.hpp computes too. Results are told by FNV-1a hashes of
their bytes, tables in full.
"""
import textwrap

import cv2
import numpy
import PIL
from PIL import Image, ImageOps

KINDS = ["constant", "two_valued", "ramp", "noise", "low_contrast", "dark", "four_valued"]
SIZES = [(1, 1), (256, 1), (20, 19), (37, 53), (64, 48), (200, 120)]
CLAHE = [(40.0, 8, 8), (2.0, 8, 8), (3.5, 4, 3), (0.0, 2, 2), (1.0, 1, 1)]  # clip limit, tiles across and down
CLAHE_KINDS = ["two_valued", "noise", "low_contrast", "dark"]
CLAHE_SIZES = [(1, 1), (20, 19), (37, 53), (200, 120)]


def level(kind, x, y, bits):
    """The level of pixel (x, y), arrays of uint64: all in 32 bits, wrapping."""
    mask = numpy.uint64(0xFFFFFFFF)
    u = numpy.uint64
    h = ((x * u(73856093)) ^ (y * u(19349663))) & mask
    h ^= h >> u(13)
    h = (h * u(0x5BD1E995)) & mask
    h ^= h >> u(15)
    if bits == 8:
        return {
            "constant": x * u(0) + u(77),
            "two_valued": u(50) + u(150) * (h & u(1)),
            "ramp": (x * u(5) + y * u(3)) // u(16) % u(256),
            "noise": h % u(256),
            "low_contrast": u(90) + (x * x + u(3) * y * y) // u(97) % u(40) + h % u(8),
            "dark": (h % u(16)) * (h // u(16) % u(16)) * (h // u(256) % u(16)) // u(16),
            "four_valued": u(17) * (h % u(4)),
        }[kind]
    return {
        "constant": x * u(0) + u(7777),
        "two_valued": u(300) + u(59700) * (h & u(1)),
        "ramp": (x * u(977) + y * u(331)) % u(65536),
        "noise": h % u(65536),
        "low_contrast": u(20000) + (x * x + u(3) * y * y) * u(7) % u(3000) + h % u(64),
        "dark": (h % u(256)) * (h // u(256) % u(256)),
        "four_valued": u(1700) * (h % u(4)),
    }[kind]


def picture(kind, width, height, bits=8):
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.uint64)
    return level(kind, x, y, bits).astype(numpy.uint8 if bits == 8 else numpy.uint16)


def colours(width, height):
    """Three kinds as the channels of one picture."""
    return numpy.dstack([picture(k, width, height) for k in ("low_contrast", "ramp", "dark")])


def fnv(image):
    h = 0xCBF29CE484222325
    for byte in numpy.ascontiguousarray(image).astype(image.dtype.newbyteorder("<")).tobytes():
        h = ((h ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return "0x%016xu" % h


def by_pil(image):
    return numpy.asarray(ImageOps.equalize(Image.fromarray(image, "L")))


def luma_equalized(rgb):
    ycc = cv2.cvtColor(rgb, cv2.COLOR_RGB2YCrCb)
    ycc[:, :, 0] = cv2.equalizeHist(ycc[:, :, 0])
    return cv2.cvtColor(ycc, cv2.COLOR_YCrCb2RGB)


def table(kind, equalize):
    """What each level of a 200 x 120 picture becomes; absent ones as -1."""
    image = picture(kind, 200, 120)
    result = equalize(image)
    entries = [-1] * 256
    for before, after in zip(image.ravel(), result.ravel()):
        entries[before] = int(after)
    return entries


def rows(name, type_name, items):
    print("inline constexpr %s %s[] = {" % (type_name, name))
    for item in items:
        print("    {%s}," % ", ".join(str(part) for part in item))
    print("};")


def tables(name, equalize):
    print("inline constexpr int %s[][256] = {" % name)
    for kind in KINDS:
        entries = table(kind, equalize)
        print("    {  // %s" % kind)
        indent = {"initial_indent": " " * 8, "subsequent_indent": " " * 8}
        print(textwrap.fill(", ".join(map(str, entries)), 118, break_on_hyphens=False, **indent) + "},")
    print("};")


def main():
    print("// Made by image_values.py with OpenCV %s and PIL %s: do not edit." % (cv2.__version__, PIL.__version__))
    print("// clang-format off")
    print("#pragma once\n#include <cstdint>\n")
    print("namespace test::image_values {")
    print("struct equalized { int kind, width, height; std::uint64_t input, opencv, pil; };")
    rows("equalized_images", "equalized", [
        (k, w, h, fnv(picture(kind, w, h)), fnv(cv2.equalizeHist(picture(kind, w, h))), fnv(by_pil(picture(kind, w, h))))
        for k, kind in enumerate(KINDS) for w, h in SIZES])
    tables("opencv_tables", cv2.equalizeHist)
    tables("pil_tables", by_pil)
    print("struct clahe { int bits, kind, width, height; double clip_limit; int tiles_x, tiles_y;"
          " std::uint64_t input, result; };")
    rows("clahe_images", "clahe", [
        (bits, KINDS.index(kind), w, h, clip, tx, ty, fnv(picture(kind, w, h, bits)),
         fnv(cv2.createCLAHE(clip, (tx, ty)).apply(picture(kind, w, h, bits))))
        for bits in (8, 16) for kind in CLAHE_KINDS for w, h in CLAHE_SIZES for clip, tx, ty in CLAHE])
    print("struct luma { int width, height; std::uint64_t input, result; };")
    rows("luma_images", "luma", [(w, h, fnv(colours(w, h)), fnv(luma_equalized(colours(w, h)))) for w, h in SIZES])
    print("}  // namespace test::image_values")


main()
