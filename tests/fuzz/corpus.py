#!/usr/bin/env python3
"""Writes the files that fuzzing begins with: valid ones of every kind, and near misses.   tests/fuzz/corpus.py

Not the JPEG files, which take an encoder, and not those that fuzzing itself has found: found_*.
"""
import pathlib
import struct
import zlib

corpus = pathlib.Path(__file__).parent / "corpus"


def write(target, name, content):
    (corpus / target).mkdir(parents=True, exist_ok=True)
    (corpus / target / name).write_bytes(content.encode("latin-1") if isinstance(content, str) else content)


# ---------------------------------------------------------------- Matrix Market
def matrix(name, banner, *lines):
    write("matrix_market", name, "\n".join(["%%MatrixMarket matrix coordinate " + banner, *lines]) + "\n")


matrix("real", "real general", "3 4 5", "1 1 1.5", "3 4 -2e-1", "1 4 4", "2 2 +1", "3 1 7")
matrix("integer", "integer general", "2 2 3", "1 1 3", "2 1 -4", "2 2 1")
matrix("pattern", "pattern general", "2 3 3", "1 3", "2 1", "2 2")
matrix("symmetric", "real symmetric", "3 3 4", "1 1 1", "3 1 2", "3 2 5", "3 3 1")
matrix("skew", "real skew-symmetric", "3 3 2", "2 1 3", "3 2 -1")
matrix("comments", "REAL General", "% one", "%", "", "2 2 2", "% between", "1 1 3", "\t", " 2 2 4 \r", "% end")
matrix("empty", "real general", "3 2 0")
matrix("tiny", "real general", "1 2 2", "1 1 1e-400", "1 2 4")
matrix("claims_entries", "pattern general", "2 2 9000000000000000000", "1 1")
matrix("claims_rows", "pattern general", "2147483647 2147483647 1", "1 1")
matrix("touching", "real general", "2 2 1", "2 1.5")
matrix("complex", "complex hermitian", "1 1 1", "1 1 1 0")
write("matrix_market", "array", "%%MatrixMarket matrix array real general\n1 1\n1\n")
write("matrix_market", "no_newline", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2")


# ---------------------------------------------------------------- NPY
def npy(name, kind, shape, numbers, version=1):
    header = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    write("npy", name, b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + numbers)


for code, kind in zip("bhiqBHIQfd", ("|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8")):
    npy(kind[1:], f"'{kind}'", "(3,)", struct.pack(f"<3{code}", 1, 2, 3))
npy("version_2", "'<f8'", "(1,)", struct.pack("<d", 0.5), 2)
npy("version_3", "'<f4'", "(0,)", b"", 3)
npy("unaligned", "'<i8'", "(1,)", b"12345678", 3)
npy("big_endian", "'>i4'", "(1,)", b"1234")
npy("fields", "[('a', '<i2')]", "(1,)", b"12")
npy("two_dimensions", "'<i2'", "(1, 1)", b"12")
npy("short", "'<i2'", "(9999999999999999999,)", b"12")

# ---------------------------------------------------------------- numbers as text
write("numbers", "integers", "1\n-2\n+3\n\n  4 \t\r\n-0\n")
limits = "127 -128 255 32767 65535 -2147483648 4294967295 9223372036854775807 -9223372036854775808 18446744073709551615"
write("numbers", "limits", limits.replace(" ", "\n"))
write("numbers", "small", "0\n127\n1\n")
write("numbers", "floats", ".5\n-1.25e3\n+1E-2\n3.\n0.1\n16777217\n1e-45\n5e-324\n1.7976931348623157e308\n")
write("numbers", "not_finite", "inf\n-Infinity\nnan\n-NaN\nnan(12)\n")
write("numbers", "too_small", "1e-400\n-1e-60\n0.00000000000000000000000000000000000000000000000000000001\n")
write("numbers", "too_large", "1e39\n1e400\n")
write("numbers", "long", "0." + "3" * 500 + "\n" + "9" * 300 + "\n")
write("numbers", "wrong", "1\nx\n")
write("numbers", "no_newline", "12")


# ---------------------------------------------------------------- Netpbm
write("netpbm", "p2", "P2\n# a comment\n3 2 # one more\n7\n0 1 2\n3 7 6\n")
write("netpbm", "p3", "P3 2 1 65535 0 65535 1 2 3 4")
write("netpbm", "p5", b"P5\n4 2\n255\n" + bytes(range(0, 256, 32)))
write("netpbm", "p5_16", b"P5 2 2 1000\n" + struct.pack(">4H", 0, 1000, 500, 3))
write("netpbm", "p5_7", b"P5 7 1 7\n" + bytes(range(7)))
write("netpbm", "p6", b"P6\n2 2\n255\n" + bytes(range(0, 240, 20)))
write("netpbm", "p6_16", b"P6\n1 1\n65535\n" + struct.pack(">3H", 1, 2, 65535))
write("netpbm", "claims_bytes", "P6\n1073741824 1073741824\n65535\n")
write("netpbm", "claims_text", "P3\n1000000000 1000000000\n255\n1 2 3")
write("netpbm", "too_bright", b"P5\n2 1\n100\n1\xff")
write("netpbm", "too_bright_text", "P2\n4 1\n255\n1 2 3 256")


# ---------------------------------------------------------------- PNG
def chunk(name, content=b""):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(name, width, height, bits, colour, rows, *chunks, interlaced=0, end=chunk(b"IEND")):
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlaced)
    data = chunk(b"IDAT", zlib.compress(rows, 9)) if rows is not None else b""
    write("png", name, b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunks) + data + end)


def lines(height, size, filters=(0, 1, 2, 3, 4)):
    rows = ([filters[y % len(filters)]] + [(7 * y + 5 * x) % 251 for x in range(size)] for y in range(height))
    return b"".join(map(bytes, rows))


palette = chunk(b"PLTE", bytes(range(48)))
png("grey_8", 5, 6, 8, 0, lines(6, 5))
png("grey_16", 3, 5, 16, 0, lines(5, 6))
png("grey_1", 9, 2, 1, 0, lines(2, 2))
png("grey_2_transparent", 5, 2, 2, 0, lines(2, 2), chunk(b"tRNS", b"\0\1"))
png("grey_alpha_8", 2, 2, 8, 4, lines(2, 4))
png("grey_alpha_16", 2, 2, 16, 4, lines(2, 8))
png("rgb_8", 3, 5, 8, 2, lines(5, 9))
png("rgb_8_transparent", 1, 1, 8, 2, lines(1, 3), chunk(b"tRNS", b"\0\1\0\2\0\3"))
png("rgb_16", 2, 2, 16, 2, lines(2, 12))
png("rgba_8", 2, 2, 8, 6, lines(2, 8))
png("rgba_16", 2, 2, 16, 6, lines(2, 16))
png("palette_4", 3, 2, 4, 3, b"\0\x12\x30\0\x45\x60", palette)
png("palette_8_transparent", 2, 1, 8, 3, b"\0\1\2", palette, chunk(b"tRNS", b"\x80\x40"))
png("palette_outside", 2, 1, 8, 3, b"\0\1\xf0", palette)
png("interlaced_1", 9, 9, 1, 0, lines(40, 2, (0,))[:48], interlaced=1)
png("interlaced_rgb", 3, 3, 8, 2, lines(12, 9, (0,)), interlaced=1)
png("passed_over", 1, 1, 8, 0, b"\0\1", chunk(b"gAMA", b"\0\0\xb1\x8f"), chunk(b"tEXt", b"Title\0none"),
    chunk(b"zTXt", b"a\0\0" + zlib.compress(b"b" * 900)), chunk(b"sBIT", b"\5"), chunk(b"bKGD", b"\0\1"),
    chunk(b"tIME", b"\7\xe8\1\1\0\0\0"))
png("claims_pixels", 1000000, 1000000, 16, 6, b"")
png("claims_interlaced", 60000, 60000, 8, 6, bytes(3000), interlaced=1)
png("claims_profile", 1, 1, 8, 0, b"\0\1", end=struct.pack(">I", 0x7ffffff0) + b"iCCPx\0\0")
png("no_data", 1, 1, 8, 0, None)
png("too_much_data", 1, 1, 8, 0, b"\0\1" + bytes(500))


# ---------------------------------------------------------------- WAV
def riff(name, *chunks, form=b"RIFF", order="<", kind=b"WAVE"):
    body = kind + b"".join(k + struct.pack(order + "I", len(c)) + c + bytes(len(c) % 2) for k, c in chunks)
    write("wav", name, form + struct.pack(order + "I", len(body)) + body)


def sound(code, channels, bits, rate=48000, order="<", more=b""):
    frame = channels * bits // 8
    return b"fmt ", struct.pack(order + "HHIIHH", code, channels, rate, rate * frame, frame, bits) + more


def extended(channels, bits, code=1):
    identifier = struct.pack("<H", code) + bytes.fromhex("000000001000800000aa00389b71")
    return sound(0xfffe, channels, bits, more=struct.pack("<HHI", 22, bits, 3) + identifier)


texts = (b"INAM", b"title\0"), (b"IART", b"me\0\0")
notes = b"LIST", b"INFO" + b"".join(k + struct.pack("<I", len(text)) + text for k, text in texts)
riff("pcm_8", sound(1, 1, 8), (b"data", bytes(range(0, 250, 10))))
riff("pcm_16", sound(1, 2, 16), (b"data", struct.pack("<8h", 0, 1, -1, 32767, -32768, 5, 6, 7)))
riff("pcm_24", sound(1, 1, 24, 44100), (b"data", bytes(range(12))))
riff("pcm_32", sound(1, 1, 32), (b"data", bytes(8)))
riff("float", sound(3, 1, 32, 8000), (b"fact", struct.pack("<I", 5)),
     (b"data", struct.pack("<5f", 0, 1.5, -2, float("inf"), float("nan"))))
riff("extended_16", extended(2, 16), (b"data", bytes(range(16))))
riff("extended_float", extended(1, 32, 3), (b"data", struct.pack("<2f", 0.5, -0.25)))
riff("notes", sound(1, 1, 16), notes, (b"data", bytes(4)), notes)
riff("many_channels", sound(1, 100, 8), (b"data", bytes(range(200))))
riff("rifx", sound(1, 1, 16, order=">"), (b"data", bytes(range(6))), form=b"RIFX", order=">")
riff("rf64", (b"ds64", struct.pack("<QQQI", 88, 6, 3, 0)), sound(1, 1, 16), (b"data", bytes(range(6))), form=b"RF64")
riff("no_samples", sound(1, 1, 16), (b"data", b""))
riff("odd", sound(1, 1, 8), (b"junk", b"odd"), (b"data", b"\x80\x81\x82"))
riff("ulaw", sound(7, 1, 8), (b"data", bytes(5)))
riff("adpcm", sound(2, 1, 4, more=struct.pack("<HHH", 32, 500, 7) + bytes(28)), (b"data", bytes(256)))
whole = (corpus / "wav" / "pcm_16").read_bytes()
write("wav", "piped", whole.replace(b"data\x10\0\0\0", b"data\xff\xff\xff\xff"))
write("wav", "cut", whole[:-3])

# ---------------------------------------------------------------- command lines, an argument a line
for name, arguments in {
    "filters": "--lowpass 1000 --highpass 3.4k --bandpass 300:3.4k --bandstop 900:1.1k --order 8 in",
    "equalizer": "--low-shelf=200:6 --high-shelf 2k:-6:0.5 --peak 3k:-4:2 --notch 50 --notch 100:20 in out",
    "cannot_be": "--lowpass 24000 --notch 50:0 --bandpass 300:200 in",
    "wrong_filter": "--peak 1:2:3:4 in",
    "not_finite": "--lowpass nan in",
    "numbers": "--piece 1073741824 --channels 0x10 --top 1e308 --flag --seconds 86400 in",
    "out_of_range": "--piece 99999999999999999999 in",
    "fraction": "--channels 1.5 in",
    "no_number": "--flag --seconds nan in",
    "negative": "--top -1e-300 in",
    "choice": "--mode two --backend host in",
    "wrong_choice": "--mode four in",
    "excluded": "--mode two --flag in",
    "needed": "--seconds 1 in",
    "same_file": "--file ./a a",
    "standard_output": "--file - a",
    "brackets": "[a,b] --file [c] -- --lowpass",
    "help": "--help",
    "help_of_all": "--help-all in",
    "unknown": "--wrong in",
    "twice": "--top 1 --top 2 in",
    "flag_with_value": "--flag=false --seconds 1 in",
    "scene": "--scene 0x0 in",
    "nothing": "",
}.items():
    write("command_line", name, arguments.replace(" ", "\n"))
write("command_line", "empty_name", "--file\n\nin")
write("command_line", "quotes", "--file\n\"a b\"\n'c'\n`d`\n\\x\n%%\n{}")

# ---------------------------------------------------------------- regular expressions
for name, expression in {
    "alternatives": "a|(b|)c",
    "repetition": "a*b+c?d{2}e{1,}f{0,3}",
    "classes": "[a-c]+[^]x-][[:alpha:]_]\\d\\W.",
    "anchors": "^(a|^b)$|$",
    "escapes": "\\x41\\n\\.\\\\",
    "large": "((a{9}){9}){9}",
    "many_states": "(a|b)*a(a|b){9}",
    "open": "a(b[c",
}.items():
    write("expression", name, expression)
