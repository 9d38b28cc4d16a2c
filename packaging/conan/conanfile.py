"""A recipe of this source tree for Conan 2: conan create packaging/conan. The library; the converter comes with Debian's packages."""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy


class MicroRTConan(ConanFile):
    name = "micrort"
    version = "0.2.0"
    license = "Apache-2.0"
    description = "A small, fast inference runtime for trained networks"
    package_type = "static-library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"threads": [True, False], "error_strings": [True, False]}
    default_options = {"threads": True, "error_strings": True}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "cmake/*", "kernels/*", "arm/*", "x86/*", "wasm/*", "runtime/*", "schema/*", "LICENSE", "THIRD_PARTY.md"):
            copy(self, pattern, root, self.export_sources_folder)

    def requirements(self):
        self.requires("flatbuffers/[>=2.0.8]")

    def build_requirements(self):
        self.tool_requires("flatbuffers/<host_version>")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("BUILD_CONVERTER", "BUILD_PROGRAMS", "BUILD_PYTHON", "SHARED", "WERROR"):
            toolchain.cache_variables["MICRORT_" + name] = False
        toolchain.cache_variables["MICRORT_THREADS"] = bool(self.options.threads)
        toolchain.cache_variables["MICRORT_ERROR_STRINGS"] = bool(self.options.error_strings)
        toolchain.cache_variables["MICRORT_HEADER_LIBS_FROM"] = self.dependencies["flatbuffers"].cpp_info.includedirs[0]
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        for name in ("LICENSE", "THIRD_PARTY.md"):
            copy(self, name, self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # MicroRTConfig.cmake of the library itself
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "MicroRT"))
        self.cpp_info.set_property("pkg_config_name", "none")
