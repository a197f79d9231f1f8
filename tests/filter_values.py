#!/usr/bin/python3
"""Writes filter_values.hpp and, with its numbers, values/*.hpp: what SciPy says of designs, states, responses and
outputs. For Debian's python3-scipy.

Another SciPy, or another processor, may give other last digits.   tests/filter_values.py
"""
import os
import textwrap

import numpy as np
import scipy
from scipy import signal

HEAD = """\
// What SciPy says of filters. Written by tests/filter_values.py with SciPy {scipy} and NumPy {numpy}: change it there.
// Numbers have the digits that give back the same double.
// clang-format off
#pragma once
#include <span>

{includes}
namespace filter_values {{
using values = std::span<const double>;

// butter(order, low or {{low, high}}, kind, output='sos', fs=sample_rate) and, up to order 6, its sosfilt_zi. A low-pass or
// high-pass has its cut-off in `low`.
struct design {{
  const char* kind;
  int order;
  double low, high, sample_rate;
  values sos, zi;
}};
// zpk2sos(zeros, poles, gain) of roots in rows of two, real and imaginary part, without those below the real axis.
struct pairing {{
  values zeros, poles;
  double gain;
  values sos;
}};
// A section of the cookbook: its analog prototype, by signal.bilinear. A notch: signal.iirnotch.
struct biquad {{
  const char* kind;
  double frequency, gain_db, q, sample_rate;
  values sos;
}};
// sosfreqz: rows of three, the frequency and the real and the imaginary part of the response.
struct response {{
  values sos;
  double sample_rate;
  values rows;
}};

// The signal that all outputs below are of. Its items are exact in float too.
inline constexpr int samples = 200;
constexpr double input(int i) {{ return ((37 * i * i + 101 * i) % 1009 - 504) / 512.; }}

// y, zf: sosfilt(sos, x, zi=zeros). y_zi, zf_zi: sosfilt(sos, x, zi=sosfilt_zi(sos) * x[0]). y_both: sosfiltfilt(sos, x).
struct sosfilt_case {{
  const char* name;
  values sos, zi, y, zf, y_zi, zf_zi, y_both;
}};
// The same of lfilter(b, a, x), lfilter_zi(b, a) and filtfilt(b, a, x).
struct lfilter_case {{
  const char* name;
  values b, a, zi, y, zf, y_zi, zf_zi, y_both;
}};
"""
NUMBERS = """\
// Numbers of filter_values.hpp, written by filter_values.py.
// clang-format off
#pragma once

namespace filter_values {{
{arrays}}}  // namespace filter_values
"""

# kind, order, cut-offs, sample rate
DESIGNS = [
    ("lowpass", 1, [4800], 48000), ("lowpass", 2, [0.25], 1), ("lowpass", 3, [100], 8000),
    ("lowpass", 4, [1000], 44100), ("lowpass", 5, [0.05], 1), ("lowpass", 8, [0.1], 1),
    ("lowpass", 12, [0.3], 1), ("lowpass", 2, [1e-4], 1), ("lowpass", 5, [1e-4], 1),
    ("lowpass", 7, [20], 20000), ("lowpass", 3, [0.49], 1), ("lowpass", 30, [0.2], 1),
    ("highpass", 1, [0.1], 1), ("highpass", 2, [1e-4], 1), ("highpass", 3, [0.4], 1),
    ("highpass", 5, [9600], 48000), ("highpass", 6, [0.02], 1), ("highpass", 11, [0.1], 1),
    ("bandpass", 1, [0.1, 0.2], 1), ("bandpass", 2, [300, 3400], 16000), ("bandpass", 3, [1e-4, 2e-4], 1),
    ("bandpass", 4, [0.05, 0.3], 1), ("bandpass", 5, [0.001, 0.49], 1), ("bandpass", 6, [0.2, 0.22], 1),
    ("bandpass", 9, [0.1, 0.15], 1), ("bandpass", 12, [0.3, 0.45], 1),
    ("bandstop", 1, [49, 51], 1000), ("bandstop", 2, [0.1, 0.2], 1), ("bandstop", 3, [0.01, 0.45], 1),
    ("bandstop", 4, [0.2, 0.35], 1), ("bandstop", 5, [0.12, 0.13], 1), ("bandstop", 10, [0.1, 0.2], 1),
]
# Bands around a quarter of the sample rate: the order of their sections falls by rounding.
SYMMETRIC = [("bandpass", 4, [0.2, 0.3], 1), ("bandpass", 3, [0.1, 0.4], 1), ("bandstop", 4, [0.15, 0.35], 1)]

# zeros, poles, gain: of pairs the one above the real axis
PAIRINGS = [
    ([1, -1, 0.5, 0.2, 0.6 + 0.8j], [0.8, 0.3, -0.5, 0.1, 0.8 + 0.4j], 0.25),
    ([1j, 0.8 + 0.6j, -0.3 + 0.9j], [0.9, 0.7, -0.95, -0.2, 0.1 + 0.3j], -2),
    ([0.9, 0.7, -0.95, -0.2, 0.1, 0.3], [0.5 + 0.8j, -0.4 + 0.1j, 0.99j], 1),
]

# kind, frequency, gain in dB, q, sample rate
BIQUADS = [
    ("low_shelf", 200, 6, 0.7, 48000), ("low_shelf", 1000, -12, 2**-0.5, 44100), ("low_shelf", 0.3, 24, 2, 1),
    ("high_shelf", 8000, 6, 0.7, 48000), ("high_shelf", 1000, -12, 2**-0.5, 44100), ("high_shelf", 0.01, 3, 0.3, 1),
    ("peak", 1000, 6, 1, 48000), ("peak", 60, -20, 10, 8000), ("peak", 0.45, 12, 0.5, 1),
    ("notch", 50, 0, 30, 1000), ("notch", 0.4, 0, 1, 1), ("notch", 1e-4, 0, 2, 1),
]


def butter(kind, order, edges, rate):
    return signal.butter(order, edges if len(edges) == 2 else edges[0], kind, output="sos", fs=rate)


def biquad(kind, frequency, gain, q, rate):
    if kind == "notch":
        return np.concatenate(signal.iirnotch(frequency, q, rate))
    a = 10 ** (gain / 40)
    numerator, denominator = {
        "low_shelf": ([a, a**1.5 / q, a * a], [a, a**0.5 / q, 1]),
        "high_shelf": ([a * a, a**1.5 / q, a], [1, a**0.5 / q, a]),
        "peak": ([1, a / q, 1], [1, 1 / (a * q), 1]),
    }[kind]
    # A rate at which the prototype's frequency, 1, comes to lie where it shall.
    return np.concatenate(signal.bilinear(numerator, denominator, 0.5 / np.tan(np.pi * frequency / rate)))


def input_signal():
    i = np.arange(200)
    return ((37 * i * i + 101 * i) % 1009 - 504) / 512


class Header:
    def __init__(self):
        self.tables = ""
        self.arrays = {}  # by the file in values/ that has them
        self.file = "designs"

    def numbers(self, name, values):
        """An array of that name, which it returns."""
        digits = ", ".join(repr(float(x) + 0.0) for x in np.ravel(values))  # + 0.0: no -0.0
        text = f"inline constexpr double {name}[] = {{{digits}}};"
        text = textwrap.fill(text, 120, subsequent_indent="    ", break_on_hyphens=False) + "\n"
        self.arrays[self.file] = self.arrays.get(self.file, "") + text
        return name

    def table(self, type, name, rows):
        lines = "".join("    {" + ", ".join(x if isinstance(x, str) else repr(x) for x in row) + "},\n" for row in rows)
        self.tables += f"inline constexpr {type} {name}[] = {{\n{lines}}};\n\n"

    def designs(self, name, cases):
        rows = []
        for n, (kind, order, edges, rate) in enumerate(cases):
            sos = butter(kind, order, edges, rate)
            edges = map(float, (edges + [0])[:2])
            zi = self.numbers(f"{name}_{n}_zi", signal.sosfilt_zi(sos)) if order <= 6 else "{}"
            rows.append([f'"{kind}"', order, *edges, float(rate), self.numbers(f"{name}_{n}_sos", sos), zi])
        self.table("design", name, rows)

    def pairings(self):
        rows = []
        for n, (*roots, gain) in enumerate(PAIRINGS):
            full = [[w for v in part for w in ([v, v.conjugate()] if complex(v).imag else [v])] for part in roots]
            sos = signal.zpk2sos(*full, gain)
            arrays = [self.numbers(f"pairings_{n}_{name}", [[complex(v).real, complex(v).imag] for v in part])
                      for name, part in zip(["zeros", "poles"], roots)]
            rows.append([*arrays, float(gain), self.numbers(f"pairings_{n}_sos", sos)])
        self.table("pairing", "pairings", rows)

    def biquads(self):
        rows = []
        for n, case in enumerate(BIQUADS):
            rows.append([f'"{case[0]}"', *map(float, case[1:]), self.numbers(f"biquads_{n}_sos", biquad(*case))])
        self.table("biquad", "biquads", rows)

    def responses(self):
        rows = []
        for n, case in enumerate([DESIGNS[3], DESIGNS[19], DESIGNS[27]]):
            rate = case[3]
            sos = butter(*case)
            w, h = signal.sosfreqz(sos, np.array([0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.49]) * rate, fs=rate)
            rows.append([self.numbers(f"responses_{n}_sos", sos), float(rate),
                         self.numbers(f"responses_{n}_rows", np.stack([w, h.real, h.imag], 1))])
        self.table("response", "responses", rows)

    def outputs(self, type, cases, filter, steady, both_ways):
        x, rows = input_signal(), []
        for name, coefficients in cases.items():
            self.file = f"{type}_{name}"
            zi = steady(*coefficients)
            y, zf = filter(*coefficients, x, zi=0 * zi)
            y_zi, zf_zi = filter(*coefficients, x, zi=zi * x[0])
            fields = {"zi": zi, "y": y, "zf": zf, "y_zi": y_zi, "zf_zi": zf_zi, "y_both": both_ways(*coefficients, x)}
            names = ["sos"] if len(coefficients) == 1 else ["b", "a"]
            fields = dict(zip(names, coefficients)) | fields
            arrays = [self.numbers(f"{type}_{name}_{field}", values) for field, values in fields.items()]
            rows.append([f'"{name}"', *arrays])
        self.table(f"{type}_case", f"{type}_cases", rows)

    def write(self, folder):
        includes = "".join(f'#include "values/{file}.hpp"\n' for file in self.arrays)
        os.makedirs(os.path.join(folder, "values"), exist_ok=True)
        for file, arrays in self.arrays.items():
            with open(os.path.join(folder, "values", file + ".hpp"), "w") as out:
                out.write(NUMBERS.format(arrays=arrays))
        with open(os.path.join(folder, "filter_values.hpp"), "w") as out:
            out.write(HEAD.format(scipy=scipy.__version__, numpy=np.__version__, includes=includes))
            out.write(self.tables + "}  // namespace filter_values\n")


def main():
    header = Header()
    header.designs("designs", DESIGNS)
    header.designs("symmetric_designs", SYMMETRIC)
    header.pairings()
    header.biquads()
    header.responses()
    header.outputs("sosfilt", {
        "lowpass_4": [butter("lowpass", 4, [0.1], 1)],
        "lowpass_3_slow": [butter("lowpass", 3, [0.001], 1)],
        "bandpass_3": [butter("bandpass", 3, [0.1, 0.2], 1)],
    }, signal.sosfilt, signal.sosfilt_zi, signal.sosfiltfilt)
    scaled = [2.5 * c for c in signal.butter(3, 0.1, fs=1)]  # a[0] is not 1
    header.outputs("lfilter", {
        "order_1": signal.butter(1, 0.05, fs=1),
        "order_3_scaled": scaled,
        "order_5": signal.butter(5, 0.15, "highpass", fs=1),
        "order_8": signal.butter(8, 0.2, fs=1),
        "short_a": [[0.5, -0.25, 0.125, 0.75], [1, -0.5]],
        "fir_12": [signal.firwin(12, 0.2, fs=1), [1]],
    }, signal.lfilter, signal.lfilter_zi, signal.filtfilt)
    header.write(os.path.dirname(os.path.abspath(__file__)))


if __name__ == "__main__":
    main()
