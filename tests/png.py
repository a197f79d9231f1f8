"""PNG files, read and written without a library."""
import struct
import zlib

CHANNELS = {0: 1, 4: 2, 2: 3, 6: 4}  # by colour type


def chunks(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length)[0] == zlib.crc32(kind + data)
        yield kind, data
        at += 12 + length


def predicted(filter, left, up, corner):
    estimate = left + up - corner
    nearest = min((abs(estimate - x), i, x) for i, x in enumerate((left, up, corner)))[2]
    return (0, left, up, (left + up) // 2, nearest)[filter]


def lines(name):
    """Width, height, channels, bits of each; then the bytes of every row. Of 8 or 16 bits, no palette, not interlaced."""
    with open(name, "rb") as file:
        parts = list(chunks(file.read()))
    width, height, bits, colours, *form = struct.unpack(">IIBBBBB", parts[0][1])
    assert parts[0][0] == b"IHDR" and parts[-1] == (b"IEND", b"") and bits in (8, 16) and form == [0, 0, 0]
    channels = CHANNELS[colours]
    yield width, height, channels, bits
    step = channels * bits // 8
    stride = step * width
    data = zlib.decompress(b"".join(data for kind, data in parts if kind == b"IDAT"))
    assert len(data) == height * (1 + stride)
    above = [0] * stride
    for y in range(height):
        filter, *row = data[y * (1 + stride) : (y + 1) * (1 + stride)]
        if filter != 2 or any(row):  # else it is the row above
            for i in range(stride) if filter else ():
                left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
                row[i] = (row[i] + predicted(filter, left, above[i], corner)) % 256
            above = row
        yield above


def rows(name):
    """The rows of a picture of the programs, each a list of (red, green, blue)."""
    found = lines(name)
    assert next(found)[2:] == (3, 8)
    last, pixels = None, []
    for row in found:
        if row is not last:
            last, pixels = row, list(zip(row[0::3], row[1::3], row[2::3]))
        yield pixels


def read(name):
    """Width, height, channels, bits of each, and all levels."""
    found = lines(name)
    form = next(found)
    data = bytes(byte for row in found for byte in row)
    return (*form, list(struct.unpack(">%d%s" % (len(data) * 8 // form[3], "B" if form[3] == 8 else "H"), data)))


def write_chunks(name, width, height, bits, colours, interlaced, rows, others=()):
    """Rows are bytes; those of an interlaced picture are of all its passes."""
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        header = struct.pack(">IIBBBBB", width, height, bits, colours, 0, 0, interlaced)
        pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
        for kind, data in (b"IHDR", header), *others, (b"IDAT", pixels), (b"IEND", b""):
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def write(name, width, height, channels, bits, data):
    stride = width * channels * bits // 8
    colours = next(colours for colours, n in CHANNELS.items() if n == channels)
    write_chunks(name, width, height, bits, colours, 0, [data[y * stride :][:stride] for y in range(height)])


def write_few_bits(name, width, height, bits, levels, palette=(), alphas=()):
    """Grey of less than 8 bits, or indices of a palette."""
    packed = []
    for y in range(height):
        row = "".join(format(v, "0%db" % bits) for v in levels[y * width : (y + 1) * width])
        row += "0" * (-len(row) % 8)
        packed.append(bytes(int(row[k : k + 8], 2) for k in range(0, len(row), 8)))
    others = [(b"PLTE", bytes(v for colour in palette for v in colour))] if palette else []
    others += [(b"tRNS", bytes(alphas))] if alphas else []
    write_chunks(name, width, height, bits, 3 if palette else 0, 0, packed, others)


def write_interlaced(name, width, height, levels):
    """Grey of 8 bits in the seven passes of Adam7."""
    passes = (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)
    found = []
    for x, dx, y, dy in passes:
        found += [bytes(levels[row * width + x : (row + 1) * width : dx]) for row in range(y, height, dy) if x < width]
    write_chunks(name, width, height, 8, 0, 1, found)
