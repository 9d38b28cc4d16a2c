#!/usr/bin/env python3
"""Turns refusals of the sources off, one at a time, and runs the tests: every check needs a test that fails without it.

All of them are in one build, and a variable of the environment chooses: what takes long is done once. The tests run once as they
are, and note which of them reach a refusal, that is, are refused by it. Then each is turned off for those tests; one that no test
reaches needs no run. It survives if all of them pass. Those that no input can reach are listed, with the reason, in
unreachable.txt: FILE: CONDITION: REASON a line.

--arithmetic COUNT: instead, a sample of constants, comparisons and indices of the kernels, each of which becomes the next one.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys

import arithmetic
import refusals

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEFAULT_FILES = ["runtime/model", "runtime/plan", "runtime/ops"]
# Whose tests are to notice: the first folder that fits.
TESTS = [("runtime/offline/", ["converter", "offline"]), ("runtime/", ["runtime"]), ("kernels/", ["kernels", "runtime"]), ("tools/", ["tools", "converter"]),
         ("converter/", ["converter", "fuzz"])]
SHARDS = os.cpu_count()
TESTS_AT_A_TIME = 400
ALL_TESTS_SECONDS = 1800
MOST = 1 << 14  # as in mutant.h


def tracked(*paths):
    return subprocess.run(["git", "-C", ROOT, "ls-files", *paths], check=True, capture_output=True, text=True).stdout.split()


def sources(paths):
    return [file for file in tracked(*paths) if file.endswith((".cpp", ".h"))]


def write_if_changed(path, data):
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy_tree(tree, programs, mutated):
    """What git knows; files that have not changed keep their time, so that they are not built again."""
    for file in tracked():
        write_if_changed(tree / file, mutated.get(file) or (ROOT / file).read_bytes())
        shutil.copymode(ROOT / file, tree / file)
    for program in programs:
        write_if_changed(tree / "tests" / program / "mutant_listener_test.cpp", (HERE / "listener.cpp").read_bytes())


def mutate(mutants):
    """The texts of the files that mutants change, all of them in each."""
    by_file = collections.defaultdict(list)
    for i, mutant in enumerate(mutants):
        by_file[mutant.file].append((i, mutant))
    texts = {}
    for file, numbered in by_file.items():
        first = numbered[0][0]
        texts[file] = refusals.make_optional((ROOT / file).read_text(), [m for _, m in numbered], first).encode()
    return texts


def build(tree, folder, programs, sanitize):
    flags = f"-include {tree / 'tests/mutate/mutant.h'} -Wno-error -w -Wno-narrowing"
    options = ["-DMICRORT_BUILD_TESTS=ON", "-DMICRORT_BUILD_EXAMPLES=OFF", "-DMICRORT_BUILD_BENCH=OFF", "-DMICRORT_BUILD_SERVE=OFF",
               "-DMICRORT_BUILD_SEALED=OFF", "-DMICRORT_BUILD_JAVA=OFF", f"-DCMAKE_CXX_FLAGS={flags}"]
    preset = "asan" if sanitize else "release"
    subprocess.run(["cmake", "--preset", preset, "-B", folder, *options], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    targets = [f"{program}_tests" for program in programs]
    subprocess.run(["cmake", "--build", folder, "-j", str(os.cpu_count()), "--target", *targets], check=True, stdout=sys.stderr)


class Tests:
    def __init__(self, folder, programs, seconds):
        self.folder, self.programs, self.seconds = folder, programs, seconds

    def passes(self, program, seconds, **variables):
        environment = dict(os.environ, ASAN_OPTIONS="handle_sigill=1:detect_leaks=0", **variables)
        command = [self.folder / "bin" / f"{program}_tests", "--gtest_brief=1", "--gtest_fail_fast"]
        try:
            return subprocess.run(command, env=environment, capture_output=True, timeout=seconds).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def reaching(self):
        """For each mutant, the tests that reach it, as (program, name); they all pass as the sources are."""
        def run(program, shard):
            file = self.folder / f"reached.{program}.{shard}"
            file.write_text("")
            if not self.passes(program, ALL_TESTS_SECONDS, MICRORT_REACHED=str(file), GTEST_TOTAL_SHARDS=str(SHARDS), GTEST_SHARD_INDEX=str(shard)):
                sys.exit(f"mutate: error: {program}_tests fail with nothing changed")
            return [(int(line.split()[0]), (program, line.split()[1])) for line in file.read_text().splitlines()]

        reached = collections.defaultdict(list)
        with concurrent.futures.ThreadPoolExecutor(SHARDS) as pool:
            jobs = [pool.submit(run, program, shard) for program in self.programs for shard in range(SHARDS)]
            for job in jobs:
                for mutant, test in job.result():
                    reached[mutant].append(test)
        return reached

    def notice(self, mutant, tests):
        for program in self.programs:
            names = [name for owner, name in tests if owner == program]
            # A few first: most of what is noticed is noticed by each.
            for begin, end in [(0, 5), *((i, i + TESTS_AT_A_TIME) for i in range(5, len(names), TESTS_AT_A_TIME))]:
                some = names[begin:end]
                if some and not self.passes(program, self.seconds, MICRORT_MUTANT=str(mutant), GTEST_FILTER=":".join(some)):
                    return True
        return False


def known_unreachable():
    lines = (HERE / "unreachable.txt").read_text().splitlines()
    entries = [line.split(": ", 2) for line in lines if line and not line.startswith("#")]
    return {(file, condition): reason for file, condition, reason in entries}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help=f"files and folders of this repository; {' '.join(DEFAULT_FILES)} unless told otherwise")
    parser.add_argument("--arithmetic", type=int, metavar="COUNT", help="constants, comparisons and indices of kernels/")
    parser.add_argument("--seed", type=int, default=1, help="another one takes another sample")
    parser.add_argument("--no-sanitizers", action="store_true", help="faster, and blind for access outside of memory")
    parser.add_argument("--folder", default=ROOT / "build-mutate", type=pathlib.Path)
    parser.add_argument("--timeout", default=60, type=int, help="seconds after which a few tests have noticed something")
    parser.add_argument("--list", action="store_true", help="print what would be changed, and stop")
    arguments = parser.parse_args()
    arguments.paths = arguments.paths or (["kernels"] if arguments.arithmetic else DEFAULT_FILES)
    files = sources(arguments.paths)
    arguments.programs = next((programs for folder, programs in TESTS if files and all(f.startswith(folder) for f in files)), None)
    if arguments.programs is None:
        parser.error(f"expected sources of one of {', '.join(folder for folder, _ in TESTS)}")
    # Builds with sanitizers have no offline_tests.
    arguments.sanitize = not arguments.no_sanitizers and "offline" not in arguments.programs
    return arguments, files


def choose_mutants(arguments, files):
    texts = {file: (ROOT / file).read_text() for file in files}
    if arguments.arithmetic is None:
        return [m for file, text in texts.items() for m in refusals.find(file, text)]
    found = [m for file, text in texts.items() if "/reference/" not in file for m in arithmetic.find(file, text)]
    return arithmetic.sample(found, arguments.arithmetic, random.Random(arguments.seed))


def report(mutants, noticed, reached, arguments):
    names = [f"{m.file}:{m.line}: {m.condition}" for m in mutants]
    survivors = [i for i in range(len(mutants)) if i in reached and not noticed[i]]
    if arguments.arithmetic is not None:
        for i in survivors:
            print(f"{names[i]}: no test notices another one")
        print(f"{len(mutants)} places: {len(mutants) - len(reached)} run in no test or at compile time, "
              f"{len(reached) - len(survivors)} noticed, {len(survivors)} survive")
        return not survivors
    unreachable = known_unreachable()
    unnoticed = [i for i in range(len(mutants)) if not noticed[i]]
    unexplained = [i for i in unnoticed if (mutants[i].file, mutants[i].condition) not in unreachable]
    for i in unexplained:
        print(f"{names[i]}: {'no test fails without it' if i in reached else 'no test reaches it'}")
    print(f"{len(mutants)} refusals: {len(mutants) - len(unnoticed)} noticed, {len(unnoticed) - len(unexplained)} unreachable, "
          f"{len(unexplained)} survive")
    return not unexplained


def main():
    arguments, files = parse_arguments()
    mutants = choose_mutants(arguments, files)
    if len(mutants) > MOST:
        sys.exit(f"mutate: error: {len(mutants)} mutants; expected at most {MOST}")
    if arguments.list:
        for m in mutants:
            print(f"{m.file}:{m.line}: {m.condition}")
        return 0
    # A folder for each kind, for each has its own build.
    tree = arguments.folder / ("arithmetic" if arguments.arithmetic is not None else arguments.programs[0])
    folder = tree.with_name(f"{tree.name}-{'asan' if arguments.sanitize else 'release'}")
    copy_tree(tree, arguments.programs, mutate(mutants))
    build(tree, folder, arguments.programs, arguments.sanitize)
    tests = Tests(folder, arguments.programs, arguments.timeout)
    reached = tests.reaching()
    with concurrent.futures.ThreadPoolExecutor(SHARDS) as pool:
        noticed = list(pool.map(lambda i: i in reached and tests.notice(i, reached[i]), range(len(mutants))))
    return 0 if report(mutants, noticed, reached, arguments) else 1


if __name__ == "__main__":
    sys.exit(main())
