"""What `conan create` does with the new package: a stranger's program is built with it, and run."""
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class Consumer(ConanFile):
    settings = "os", "compiler", "build_type", "arch"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self, build_folder="../../../build/conan")

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        of_library = self.dependencies["upsweep"].options.cuda
        cmake = CMake(self)
        cmake.configure(variables={"PROGRAMS": "plain"} if of_library else None,
                        build_script_folder="../../../tests/" + ("consumers" if of_library else "consumer"))
        cmake.build()
        self.program = Path(self.build_folder, "plain" if of_library else "consumer")

    def test(self):
        self.run(str(self.program), env="conanrun")
