#!/usr/bin/env python3
"""make_wheel.py BUILD OUTPUT_FOLDER: the built package and mnnconvert as a wheel, with the shared libraries that these need.

The wheel is for any Python from 3.9 and any Linux whose C library is as new as what was linked: its tag says so (PEP 600). Needs Debian's
python3-wheel and binutils.
"""

import logging
import pathlib
import platform
import re
import subprocess
import sys

from wheel.wheelfile import WheelFile

METADATA = """Metadata-Version: 2.1
Name: micrort
Version: {version}
Summary: A small, fast inference runtime for trained networks, and its converter
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown

{description}"""

# What every Linux has that a wheel may be for (auditwheel's list): the C library, and those of the compiler.
OF_THE_SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+|ld-linux.*\.so\.\d+|linux-vdso\.so\.1")


STARTER = "micrort_mnnconvert.py"


def is_packaged(file):
    return file.suffix in (".py", ".so") or file.name == "py.typed"


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed_libraries(programs):
    """{name: path} of shared libraries that are not of the system, also those that others of them need."""
    found = {}
    for program in programs:
        for name, path in re.findall(r"^\s*(\S+) => (not found|\S+)", output_of("ldd", program), re.MULTILINE):
            if path == "not found":
                sys.exit(f"make_wheel: {program}: {name} is not found")
            if not OF_THE_SYSTEM.fullmatch(name):
                found[name] = pathlib.Path(path).resolve()
    return found


def licences(libraries):
    """{file: path} of the copyright notices of Debian's packages that the libraries are from."""
    # By their names: /lib is a link to /usr/lib, and packages list either.
    packages = {output_of("dpkg", "-S", f"*/{path.name}").split(":")[0] for path in libraries}
    return {f"{package}.txt": pathlib.Path("/usr/share/doc", package, "copyright") for package in packages}


def c_library_version(files):
    """The newest version of a symbol of the C library that one of them asks for."""
    versions = {(2, 17)}  # of the oldest such wheels
    for file in files:
        versions |= {(int(a), int(b)) for a, b in re.findall(r"\(GLIBC_(\d+)\.(\d+)", output_of("objdump", "-T", file))}
    return max(versions)


def main():
    build, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    source = pathlib.Path(__file__).resolve().parent.parent
    header = (source / "runtime/include/micrort/version.h").read_text()
    version = re.search(r'#define MICRORT_VERSION "(.+)"', header).group(1)
    package = sorted(filter(is_packaged, (build / "python" / "micrort").iterdir()))
    converter = build / "bin" / "mnnconvert"
    linked = [file for file in package if file.suffix == ".so"] + [converter]
    libraries = needed_libraries(linked)
    major, minor = c_library_version([*linked, *libraries.values()])
    tag = f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"
    info = f"micrort-{version}.dist-info"
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"micrort-{version}-{tag}.whl"
    path.unlink(missing_ok=True)
    logging.getLogger("wheel").setLevel(logging.WARNING)  # without setuptools it prints each file
    with WheelFile(path, "w") as wheel:
        for file in package:
            wheel.write(file, f"micrort/{file.name}")
        wheel.write(build / "python" / STARTER, STARTER)
        wheel.write(converter, "micrort/bin/mnnconvert")
        for name, file in sorted(libraries.items()):
            wheel.write(file, f"micrort/lib/{name}")
        wheel.write(source / "LICENSE", f"{info}/LICENSE")
        for name, file in sorted(licences(libraries.values()).items()):
            wheel.write(file.resolve(), f"{info}/licenses/{name}")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\nmnnconvert = micrort_mnnconvert:main\n")
        description = (source / "docs" / "python.md").read_text()
        wheel.writestr(f"{info}/METADATA", METADATA.format(version=version, description=description))
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n")
    print(path)


if __name__ == "__main__":
    main()
