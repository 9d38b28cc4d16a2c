#!/usr/bin/env python3
"""make_wheel.py BUILD OUTPUT_FOLDER: the built package and mnnconvert as a wheel for this Python and this machine.

Needs Debian's python3-wheel. The wheel is not "manylinux": mnnconvert needs the system's libprotobuf and libonnx.
"""

import pathlib
import re
import sys
import sysconfig

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


def is_packaged(file):
    return file.suffix in (".py", ".pyi", ".so") or file.name == "py.typed"


def main():
    build, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    source = pathlib.Path(__file__).resolve().parent.parent
    header = (source / "runtime/include/micrort/version.h").read_text()
    version = re.search(r'#define MICRORT_VERSION "(.+)"', header).group(1)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"micrort-{version}.dist-info"
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"micrort-{version}-{tag}.whl"
    path.unlink(missing_ok=True)
    with WheelFile(path, "w") as wheel:
        for file in sorted(filter(is_packaged, (build / "python" / "micrort").iterdir())):
            wheel.write(file, f"micrort/{file.name}")
        wheel.write(build / "bin" / "mnnconvert", "micrort/bin/mnnconvert")
        wheel.write(source / "LICENSE", f"{info}/LICENSE")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\nmnnconvert = micrort.conversion:run_mnnconvert\n")
        description = (source / "docs" / "python.md").read_text()
        wheel.writestr(f"{info}/METADATA", METADATA.format(version=version, description=description))
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n")
    print(path)


if __name__ == "__main__":
    main()
