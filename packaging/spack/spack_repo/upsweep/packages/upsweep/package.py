# upsweep for Spack, from the tree that this file is in:
#   spack repo add packaging/spack/spack_repo/upsweep
#   spack install upsweep                               headers
#   spack install upsweep +cuda cuda_arch=90            with upsweep::cuda, which nvcc compiles
from pathlib import Path

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
    from spack_repo.builtin.build_systems.cuda import CudaPackage
except ImportError:
    pass  # Spack before 1.0 has them among the next

from spack.package import *


class Upsweep(CMakePackage, CudaPackage):
    """Data-parallel algorithms on one fused scan: C++20 headers for the CPU and NVIDIA GPUs, and a library of
    common types for programs without nvcc."""

    git = Path(__file__).resolve().parents[6].as_uri()

    license("Apache-2.0")
    version("main", branch="main")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("cuda@12.4:", when="+cuda")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=90, say")

    def cmake_args(self):
        args = [self.define(f"UPSWEEP_{part}", False) for part in ("TESTS", "APPS", "BENCH")]
        cuda = self.spec.satisfies("+cuda")
        args += [self.define("UPSWEEP_CUDA", "ON" if cuda else "OFF"), self.define("UPSWEEP_LIBRARY", cuda)]
        if cuda:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
