#!/usr/bin/env python3
"""Prints how much of the runtime the tests run, and fails where that is less than it should be.

table.py EXPORT: what `llvm-cov export -summary-only` writes.
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Folder, what is counted, least share in percent.
LIMITS = [("runtime", "functions", 95), ("runtime/model", "lines", 85), ("runtime/plan", "lines", 85)]


def shares(export):
    """(folder, counted, covered, count, limit) of each limit."""
    files = [(pathlib.Path(file["filename"]).resolve(), file["summary"]) for file in export["data"][0]["files"]]
    for folder, counted, limit in LIMITS:
        inside = [summary[counted] for path, summary in files if ROOT / folder in path.parents]
        yield folder, counted, sum(s["covered"] for s in inside), sum(s["count"] for s in inside), limit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", type=pathlib.Path)
    arguments = parser.parse_args()
    enough = True
    for folder, counted, covered, count, limit in shares(json.loads(arguments.export.read_text())):
        if count == 0:
            sys.exit(f"coverage: error: expected sources of {folder}, found none")
        print(f"{folder}: {100 * covered / count:.1f} % of {count} {counted}; at least {limit} %")
        enough = enough and 100 * covered >= limit * count
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
