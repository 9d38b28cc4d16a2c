#!/usr/bin/env python3
"""stages.py STAGES RESULTS BUILDING ELAPSED CPU: the table of docs/measurements/tests.md, from what ./dev test kept.

STAGES has a line for each build: its folder, and seconds of configuring, of compiling, and of processors while compiling.
RESULTS is CTest's, in JUnit's format; BUILDING are the seconds of all builds, two of which run at a time; ELAPSED and CPU are those of
testing."""

import sys
import xml.etree.ElementTree as ElementTree


def read_builds(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return {row[0].removeprefix("build-"): [int(cell) for cell in row[1:]] for row in rows}


def owner(test, builds):
    """The build whose programs a test runs: aarch64.xnnpack.0 is of aarch64-xnnpack; what names none is of this machine's."""
    parts = test.split(".")
    for count in (2, 1):
        if "-".join(parts[:count]) in builds:
            return "-".join(parts[:count])
    return "build"


def main():
    stages, results, building, elapsed, cpu = sys.argv[1:]
    builds = read_builds(stages)
    tests, seconds = dict.fromkeys(builds, 0), dict.fromkeys(builds, 0.0)
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        build = owner(case.get("name"), builds)
        tests[build] += 1
        seconds[build] += float(case.get("time"))
    print("| build | configure s | compile s | compile CPU s | entries of CTest | test s |\n| --- | --- | --- | --- | --- | --- |")
    for name, cells in builds.items():
        print(f"| {name} | {' | '.join(map(str, cells))} | {tests[name]} | {seconds[name]:.0f} |")
    sums = [sum(column) for column in zip(*builds.values())]
    print(f"| all | {' | '.join(map(str, sums))} | {sum(tests.values())} | {sum(seconds.values()):.0f} |")
    print(f"\nBuilding, two at a time, took {building} s, testing {elapsed} s ({cpu} s of processors); together {int(building) + int(elapsed)} s.")


if __name__ == "__main__":
    main()
