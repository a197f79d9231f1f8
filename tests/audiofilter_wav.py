#!/usr/bin/env python3
"""WAV files for audiofilter, and whether it filtered them right: by formulas of its filters' gains, by biquads one sample
at a time, and by SciPy where it is installed. No library is needed.
  make FILE 8|16|24|float CHANNELS FRAMES impulse|noise|loud|nan|huge|least [RATE]
  same A B TOLERANCE               the same format, and samples that differ by no more, in the last bits of integers
  gain FILE once|zero RATE FILTER...     the answer to `impulse` has the gains of the filters, --lowpass 1000 say
  lowpass IN OUT ORDER FREQUENCY TOLERANCE     what biquads give
  scipy IN OUT once|zero KIND ORDER TOLERANCE FREQUENCY..."""
import cmath
import math
import random
import struct
import sys

WIDTHS = {"8": 1, "16": 2, "24": 3, "float": 4}


def encode(x, kind):
    if kind == "float":
        return struct.pack("<f", x)
    width = WIDTHS[kind]
    whole = max(-(2 ** (8 * width - 1)), min(2 ** (8 * width - 1) - 1, round(x * 2 ** (8 * width - 1))))
    return bytes([whole + 128]) if width == 1 else whole.to_bytes(width, "little", signed=True)


def decode(data, kind):
    if kind == "float":
        return [x for (x,) in struct.iter_unpack("<f", data)]
    width = WIDTHS[kind]
    if width == 1:
        return [b - 128 for b in data]
    return [int.from_bytes(data[i : i + width], "little", signed=True) for i in range(0, len(data), width)]


def read(name):
    """(kind, channels, rate), samples: integers as they are"""
    file = open(name, "rb").read()
    assert file[:4] == b"RIFF" and file[8:12] == b"WAVE" and struct.unpack("<I", file[4:8])[0] == len(file) - 8
    at, form, data = 12, None, None
    while at < len(file):
        name, length = struct.unpack_from("<4sI", file, at)
        if name == b"fmt ":
            tag, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", file, at + 8)
            if tag == 0xFFFE:
                tag = struct.unpack_from("<H", file, at + 8 + 24)[0]
            assert tag == (3 if bits == 32 else 1)
            form = ("float" if tag == 3 else str(bits), channels, rate)
        if name == b"data":
            data = file[at + 8 : at + 8 + length]
            assert len(data) == length
        at += 8 + length + length % 2
    return form, decode(data, form[0])


def make(name, kind, channels, frames, content, rate="48000"):
    channels, frames, rate, width = int(channels), int(frames), int(rate), WIDTHS[kind]
    random.seed(7)
    samples = []
    for t in range(frames):
        for c in range(channels):
            if content == "impulse":
                samples.append(1 if t == (frames // 2 if c else 0) else 0)
            elif content == "huge":
                samples.append(random.uniform(-3.4e38, 3.4e38))
            elif content == "least":  # multiples of the smallest float
                samples.append(random.randint(-40, 40) * 2.0**-149)
            elif content == "nan":
                samples.append(math.nan if (t, c) == (1000, 0) else random.uniform(-0.5, 0.5))
            else:
                tone = math.sin(2 * math.pi * 700 * (c + 1) * t / rate)
                samples.append(tone if content == "loud" else 0.4 * tone + random.uniform(-0.4, 0.4))
    data = b"".join(encode(x, kind) for x in samples)
    tag = 3 if kind == "float" else 1
    head = struct.pack("<HHIIHH", tag, channels, rate, rate * channels * width, channels * width, 8 * width)
    fact = struct.pack("<4sII", b"fact", 4, frames) if tag == 3 else b""
    chunks = b"WAVE" + struct.pack("<4sI", b"fmt ", 16) + head + fact + struct.pack("<4sI", b"data", len(data)) + data
    chunks += b"\0" * (len(data) % 2)
    open(name, "wb").write(struct.pack("<4sI", b"RIFF", len(chunks)) + chunks)


def close(a, b, tolerance):
    assert len(a) == len(b), (len(a), len(b))
    worst = max((abs(x - y) for x, y in zip(a, b)), default=0)
    assert worst <= tolerance, f"differs by {worst}"


def same(a, b, tolerance):
    (form_a, samples_a), (form_b, samples_b) = read(a), read(b)
    assert form_a == form_b, (form_a, form_b)
    close(samples_a, samples_b, float(tolerance))


def gain_of(option, numbers, order, f, rate):
    """The absolute value of the frequency response."""
    warp = lambda hz: math.tan(math.pi * hz / rate)
    w, first = warp(f), warp(numbers[0])
    if option in ("--lowpass", "--highpass", "--bandpass", "--bandstop"):
        if option == "--lowpass":
            x = w / first
        elif option == "--highpass":
            x = first / w
        else:
            second = warp(numbers[1])
            x = (w * w - first * second) / (w * (second - first))
            x = 1 / x if option == "--bandstop" else x
        return 1 / math.sqrt(1 + x ** (2 * order))
    if option == "--notch":
        wide = math.tan(math.pi * numbers[0] / numbers[1] / rate)
        around, middle = (math.cos(2 * math.pi * hz / rate) for hz in (f, numbers[0]))
        x = abs(around - middle)  # of |H|^2 = x^2/(x^2 + (wide·sin)^2)
        return x / math.hypot(x, wide * math.sin(2 * math.pi * f / rate))
    a, q = 10 ** (numbers[1] / 40), numbers[2]
    s = 1j * w / first
    if option == "--peak":
        return abs((s * s + s * a / q + 1) / (s * s + s / (a * q) + 1))
    if option == "--low-shelf":
        return abs(a * (s * s + math.sqrt(a) / q * s + a) / (a * s * s + math.sqrt(a) / q * s + 1))
    assert option == "--high-shelf"
    return abs(a * (a * s * s + math.sqrt(a) / q * s + 1) / (s * s + math.sqrt(a) / q * s + a))


def gain(name, way, rate, *filters):
    rate, order = float(rate), int(filters[filters.index("--order") + 1]) if "--order" in filters else 4
    (_, channels, own_rate), samples = read(name)
    assert own_rate == rate and channels == 2
    for c, start in ((0, 0), (1, len(samples) // 4)):  # where the impulse was
        if way == "zero" and c == 0:
            continue  # it is not far from the end
        x = samples[c::2]
        for k in range(1, 24):
            f = rate / 2 * (k / 24) ** 3
            expected = 1
            for option, text in zip(filters[::2], filters[1::2]):
                if option != "--order":
                    expected *= gain_of(option, [float(n) for n in text.split(":")], order, f, rate)
            turn, total = cmath.exp(-2j * math.pi * f / rate), 0
            for sample in reversed(x):
                total = total * turn + sample
            found = total * cmath.exp(2j * math.pi * f / rate * start)
            if way == "zero":
                assert abs(found - expected**2) < 2e-5, (f, found, expected**2)
            else:
                assert abs(abs(found) - expected) < 2e-5 * max(1, expected), (f, abs(found), expected)


def lowpass(source, result, order, frequency, tolerance):
    """Butterworth's as biquads of the audio cookbook, whose q are those of the poles: direct form I."""
    (form, samples), (form_out, out) = read(source), read(result)
    assert form == form_out and int(order) % 2 == 0
    angle = 2 * math.pi * float(frequency) / form[2]
    for c in range(form[1]):
        x = samples[c :: form[1]]
        for k in range(int(order) // 2):
            alpha = math.sin(angle) * math.cos(math.pi * (2 * k + 1) / (2 * int(order)))
            b, a1, a2 = (1 - math.cos(angle)) / 2, -2 * math.cos(angle), 1 - alpha
            y, x1, x2, y1, y2 = [], 0, 0, 0, 0
            for now in x:
                then = (b * (now + 2 * x1 + x2) - a1 * y1 - a2 * y2) / (1 + alpha)
                x1, x2, y1, y2 = now, x1, then, y1
                y.append(then)
            x = y
        close(x, out[c :: form[1]], float(tolerance))


def scipy(source, result, way, kind, order, tolerance, *frequencies):
    from scipy import signal

    (form, samples), (form_out, out) = read(source), read(result)
    band = [float(f) for f in frequencies]
    sos = signal.butter(int(order), band if len(band) > 1 else band[0], kind, output="sos", fs=form[2])
    for c in range(form[1]):
        x = [float(s) for s in samples[c :: form[1]]]
        y = signal.sosfiltfilt(sos, x) if way == "zero" else signal.sosfilt(sos, x)
        close(list(y), out[c :: form[1]], float(tolerance))


{f.__name__: f for f in (make, same, gain, lowpass, scipy)}[sys.argv[1]](*sys.argv[2:])
