#!/usr/bin/env python3
"""Writes pyamg's example matrices as Matrix Market files, complex ones by their real parts.   tests/real_matrices.py FOLDER"""
import pathlib
import sys

import pyamg
import scipy.io
import scipy.sparse

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for path in sorted((pathlib.Path(pyamg.__file__).parent / "gallery" / "example_data").glob("*.mat")):
    for name, matrix in scipy.io.loadmat(path).items():
        if scipy.sparse.issparse(matrix):
            scipy.io.mmwrite(folder / f"{path.stem}_{name}.mtx", matrix.real)
