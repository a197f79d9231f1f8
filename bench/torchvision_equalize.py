#!/usr/bin/env python3
"""torchvision's equalize beside ours: Gpixel/s of an image of random bytes.   bench/torchvision_equalize.py [SIDE]

Needs PyTorch and torchvision, and says so where they are missing; takes a GPU when there is one. No part of bench/run:
compare with the rows equalize/uint8_8192x8192 (its convention is the mode pil).
"""
import statistics
import sys
import time

try:
    import torch
    import torchvision
    from torchvision.transforms.v2.functional import equalize
except ImportError as error:
    sys.exit(f"torchvision_equalize: {error}; it comes with: pip install torchvision")

side = int(sys.argv[1]) if len(sys.argv) > 1 else 8192
device = "cuda" if torch.cuda.is_available() else "cpu"
synchronize = torch.cuda.synchronize if device == "cuda" else lambda: None
image = torch.randint(0, 256, (1, side, side), dtype=torch.uint8, device=device)


def seconds():
    synchronize()
    began = time.perf_counter()
    equalize(image)
    synchronize()
    return time.perf_counter() - began


for warm_up in range(3):
    seconds()
took = statistics.median(seconds() for round in range(15))
name = torch.cuda.get_device_name() if device == "cuda" else f"CPU, {torch.get_num_threads()} threads"
print(f"torchvision {torchvision.__version__}, PyTorch {torch.__version__}, {name}: "
      f"{side} x {side} uint8 in {took * 1e6:,.1f} us, {side * side / took * 1e-9:.2f} Gpixel/s")
