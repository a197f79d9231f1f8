"""What NumPy sorts in bench/python_peers: the keys, kinds of keys and sizes that our rows of sorts on a CPU have (data.hpp says
what each kind is)."""
import numpy

SIZES = (0, 4, 8, 10, 12, 14, 16, 18, 20, 22, 24)
OF_KINDS = 22  # log2 of how many keys there are of each kind


def of_all_values(random, kind, n):
    """Floats as large as their bits are, which only double has rows of."""
    integer = "uint64" if kind == "float64" else kind
    bounds = numpy.iinfo(integer)
    return random.integers(bounds.min, bounds.max, n, integer, endpoint=True).astype(kind)


def nearly_sorted(random, n):
    """One of a hundred stands anywhere."""
    keys = numpy.arange(n, dtype="uint32")
    moved = random.integers(0, 100, n) == 0
    keys[moved] = random.integers(0, n, moved.sum())
    return keys


def of_odd_size(random, n):
    return of_all_values(random, "uint32", (n - n // 7 - 13) | 1)


def time_stamps(random, n):
    """Microseconds of a day's events, as they arrive: a second late at most."""
    return 1790000000000000 + numpy.arange(n, dtype="int64") * 86400000000 // n + random.integers(0, 1000000, n)


def zipf(random, n):
    """Ranks of exponent 1 among a million."""
    return numpy.exp(random.random(n) * 13.815510557964274).astype("uint32")


def scattered_zipf(random, n):
    """Such ranks, each a random number."""
    return of_all_values(random, "uint32", 1_000_001)[zipf(random, n)]


def anded(words):
    return lambda random, n: numpy.bitwise_and.reduce([of_all_values(random, "uint32", n) for _ in range(words)])


WORDS = {
    "_sorted": lambda random, n: numpy.arange(n, dtype="uint32"),
    "_reversed": lambda random, n: numpy.arange(n, 0, -1, dtype="uint32"),
    "_equal": lambda random, n: numpy.full(n, 77, "uint32"),
    "_few_distinct": lambda random, n: (random.integers(0, 16, n) * 1000003).astype("uint32"),
    "_nearly_sorted": nearly_sorted,
    "_zipf": zipf,
    "_scattered_zipf": scattered_zipf,
    **{f"_and_of_{words}": anded(words) for words in (2, 3, 4, 5)},
    "_misaligned": lambda random, n: of_all_values(random, "uint32", n + 1)[1:],
    "_odd_size": of_odd_size,
}


def unit_floats(random, n):
    return random.random(n, numpy.float32)


def normal_floats(random, n):
    return random.standard_normal(n, numpy.float32)


def keys(kind):
    return lambda random, n: of_all_values(random, kind, n)


def sorts():
    """(what our row is called, log2 of how many keys, a function that makes them): a sort each."""
    for name in ("radix_sort/uint32", "quicksort/uint32", "quicksort/uint32_by_function"):
        yield from ((name, log2n, keys("uint32")) for log2n in SIZES)
    for kind in ("uint8", "int8", "uint16", "int16", "int32", "int64", "uint64", "float64"):
        yield from ((f"radix_sort/{kind}", log2n, keys(kind)) for log2n in SIZES if log2n <= 22)
    yield from (("radix_sort/float32", log2n, normal_floats) for log2n in SIZES if log2n <= 22)
    yield "radix_sort/float32", 24, unit_floats
    yield "radix_sort/float32_normal", 24, normal_floats
    yield "radix_sort/uint64", 23, keys("uint64")
    yield "radix_sort/int8", 24, keys("int8")
    yield "radix_sort/int16", 24, keys("int16")
    yield "radix_sort/int64_time_stamps", OF_KINDS, time_stamps
    for name in ("radix_sort/uint32", "quicksort/uint32_by_function"):
        yield from ((f"{name}{kind}", OF_KINDS, make) for kind, make in WORDS.items())
    yield from (("radix_sort/uint32_scattered_zipf", log2n, scattered_zipf) for log2n in (20, 24))


def sorts_of_pairs():
    """The same of keys with values: a stable argsort, and both fetched by it."""
    yield from (("radix_sort_by_key/uint32_uint32", log2n, keys("uint32")) for log2n in SIZES)
    for kind in ("_few_distinct", "_zipf", "_scattered_zipf"):
        yield f"radix_sort_by_key/uint32_uint32{kind}", OF_KINDS, WORDS[kind]
