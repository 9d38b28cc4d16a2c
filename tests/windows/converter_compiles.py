#!/usr/bin/env python3
"""converter_compiles.py CXX BUILD [PART]: compiles mnnconvert's own code for Windows as far as headers go.

Debian has protobuf, ONNX and snappy for this machine alone, so there is nothing to link; their headers are the same everywhere but for one
line. BUILD is a build for this machine, whose compile commands say what is compiled; PART is a part of their outputs' names.
"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
USR = pathlib.Path("/usr/include")
OURS = ("converter/CMakeFiles/micrort_converter", "converter/CMakeFiles/micrort_frontend", "converter/CMakeFiles/mnnconvert")


def lay_out_headers(folder):
    for name in ("google", "onnx"):
        (folder / name).symlink_to(USR / name)
    for name in ("snappy.h", "snappy-c.h", "snappy-sinksource.h"):
        shutil.copy(USR / name, folder)
    stubs = (USR / "snappy-stubs-public.h").read_text()
    changed = stubs.replace("#include <sys/uio.h>", "namespace snappy { struct iovec { void* iov_base; size_t iov_len; }; }")
    if changed == stubs:
        sys.exit("snappy-stubs-public.h includes no <sys/uio.h> any more; remove what stands for it here")
    (folder / "snappy-stubs-public.h").write_text(changed)


def kept(arguments):
    """Definitions, folders of headers and what is included first."""
    pairs = iter(arguments)
    for argument in pairs:
        if argument in ("-isystem", "-include"):
            yield from (argument, next(pairs))
        elif argument.startswith(("-D", "-I", "-std=")) and "_FORTIFY_SOURCE" not in argument:
            yield argument


def output_of(entry):
    arguments = shlex.split(entry["command"])
    return arguments[arguments.index("-o") + 1]


def main():
    cxx, build, part = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""
    with tempfile.TemporaryDirectory() as name:
        lay_out_headers(pathlib.Path(name))

        def compile_one(entry):
            command = [cxx, "-fsyntax-only", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-include", str(SOURCE / "kernels/base/platform/status_windows.h"),
                       *kept(shlex.split(entry["command"])), "-isystem", name, entry["file"]]
            return subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)

        entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
                   if output_of(entry).startswith(OURS) and part in output_of(entry) and "cmake_pch" not in entry["file"]]
        if not entries:
            sys.exit(f"{build} compiles nothing of the converter")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            failed = [(entry, done.stderr) for entry, done in zip(entries, pool.map(compile_one, entries)) if done.returncode != 0]
    for entry, errors in failed:
        print(f"{entry['file']}:\n{errors[:4000]}", file=sys.stderr)
    if failed:
        sys.exit(f"converter_compiles: {len(failed)} of {len(entries)} files do not compile for Windows")
    print(f"converter_compiles: {len(entries)} files compile for Windows")


main()
