#!/usr/bin/env python3
"""Turns refusals of the sources off, one at a time, and runs the tests: every check needs a test that fails without it.

All refusals are in one build, and a variable of the environment chooses: what takes long is done once. A refusal survives if all tests
pass without it. Those that no input can reach are listed, with the reason, in unreachable.txt: FILE: CONDITION: REASON a line.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

import refusals

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEFAULT_FILES = ["runtime/model", "runtime/plan", "runtime/ops"]
# Whose tests are to notice: the first folder that fits.
TESTS = [("runtime/", ["runtime"]), ("kernels/", ["kernels", "runtime"]), ("tools/", ["tools"]), ("converter/", ["converter", "fuzz"])]


def sources(paths):
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", *paths], check=True, capture_output=True, text=True).stdout.split()
    return [file for file in listed if file.endswith((".cpp", ".h"))]


def copy_tree(tree):
    """What git knows; files that have not changed keep their time, so that they are not built again."""
    for file in subprocess.run(["git", "-C", ROOT, "ls-files"], check=True, capture_output=True, text=True).stdout.split():
        write_if_changed(tree / file, (ROOT / file).read_bytes())
        shutil.copymode(ROOT / file, tree / file)


def write_if_changed(path, data):
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def mutate(tree, files):
    found = []
    for file in files:
        text = (ROOT / file).read_text()
        here = list(refusals.find(file, text))
        if here:
            write_if_changed(tree / file, refusals.make_optional(text, here, len(found)).encode())
            found += here
    return found


def build(tree, folder, programs, sanitize):
    flags = f"-include {HERE / 'mutant.h'}"
    options = ["-DMICRORT_BUILD_TESTS=ON", "-DMICRORT_BUILD_EXAMPLES=OFF", "-DMICRORT_BUILD_BENCH=OFF", f"-DCMAKE_CXX_FLAGS={flags}"]
    preset = "asan" if sanitize else "release"
    subprocess.run(["cmake", "--preset", preset, "-B", folder, *options], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    targets = [f"{program}_tests" for program in programs]
    subprocess.run(["cmake", "--build", folder, "-j", str(os.cpu_count()), "--target", *targets], check=True, stdout=sys.stderr)


def is_noticed(folder, programs, mutant, seconds):
    environment = dict(os.environ, MICRORT_MUTANT=str(mutant), ASAN_OPTIONS="handle_sigill=1")
    for program in programs:
        command = [folder / "bin" / f"{program}_tests", "--gtest_brief=1", "--gtest_fail_fast"]
        try:
            run = subprocess.run(command, env=environment, capture_output=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return True
        if run.returncode != 0:
            return True
    return False


def known_unreachable():
    lines = (HERE / "unreachable.txt").read_text().splitlines()
    entries = [line.split(": ", 2) for line in lines if line and not line.startswith("#")]
    return {(file, condition): reason for file, condition, reason in entries}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", default=DEFAULT_FILES, help="files and folders of this repository")
    parser.add_argument("--no-sanitizers", action="store_true", help="faster, and blind for access outside of memory")
    parser.add_argument("--folder", default=ROOT / "build-mutate", type=pathlib.Path)
    parser.add_argument("--timeout", default=600, type=int, help="seconds a test program may take")
    parser.add_argument("--list", action="store_true", help="print what would be turned off, and stop")
    arguments = parser.parse_args()

    files = sources(arguments.paths)
    programs = next((programs for folder, programs in TESTS if files and all(file.startswith(folder) for file in files)), None)
    if programs is None:
        parser.error(f"expected sources of one of {', '.join(folder for folder, _ in TESTS)}")
    tree, folder = arguments.folder / "tree", arguments.folder / ("release" if arguments.no_sanitizers else "asan")
    copy_tree(tree)
    found = mutate(tree, files)
    if arguments.list:
        for refusal in found:
            print(f"{refusal.file}:{refusal.line}: {refusal.condition}")
        return 0
    build(tree, folder, programs, not arguments.no_sanitizers)
    if is_noticed(folder, programs, -1, arguments.timeout):
        sys.exit("mutate: error: the tests fail with all refusals in place")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        noticed = list(pool.map(lambda i: is_noticed(folder, programs, i, arguments.timeout), range(len(found))))
    unreachable = known_unreachable()
    survivors = [refusal for refusal, seen in zip(found, noticed) if not seen]
    unexplained = [refusal for refusal in survivors if (refusal.file, refusal.condition) not in unreachable]
    for refusal in unexplained:
        print(f"{refusal.file}:{refusal.line}: nothing notices that this is not refused: {refusal.condition}")
    print(f"{len(found)} refusals: {len(found) - len(survivors)} noticed, {len(survivors) - len(unexplained)} unreachable, "
          f"{len(unexplained)} survive")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
