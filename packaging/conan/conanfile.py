"""upsweep for Conan 2, from the tree that this file is in:
  conan create packaging/conan                  headers
  conan create packaging/conan -o cuda=True     with upsweep::cuda, which nvcc compiles
"""
import re
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Upsweep(ConanFile):
    name = "upsweep"
    description = "Data-parallel algorithms on one fused scan"
    license = "Apache-2.0"
    settings = "os", "compiler", "build_type", "arch"
    options = {"cuda": [True, False], "cuda_architectures": ["ANY"]}
    default_options = {"cuda": False, "cuda_architectures": "75;80;86;89;90;100"}

    def set_version(self):
        text = Path(self.recipe_folder, "../../core/upsweep/config.hpp").read_text()
        self.version = ".".join(re.findall(r"define UPSWEEP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))

    def export_sources(self):
        root = Path(self.recipe_folder, "../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "core/*", "algorithms/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        if not self.info.options.cuda:  # headers are the same everywhere
            self.info.clear()

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.blocks.remove("cppstd")  # upsweep asks for C++20 itself, and CMake 3.25.1 knows none of nvcc's
        for part in ("TESTS", "APPS", "BENCH"):
            toolchain.cache_variables[f"UPSWEEP_{part}"] = False
        toolchain.cache_variables["UPSWEEP_CUDA"] = "ON" if self.options.cuda else "OFF"
        toolchain.cache_variables["UPSWEEP_LIBRARY"] = bool(self.options.cuda)
        if self.options.cuda:
            toolchain.cache_variables["CMAKE_CUDA_ARCHITECTURES"] = str(self.options.cuda_architectures)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # find_package(upsweep) finds the package's own files, as after cmake --install.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append("share/cmake/upsweep")
        if not self.options.cuda:
            self.cpp_info.libdirs = []
