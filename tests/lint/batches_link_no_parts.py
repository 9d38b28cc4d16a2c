#!/usr/bin/env python3
"""batches_link_no_parts.py NM LIBRARY SOURCES: nothing that an object of several files (unity_*.o) in LIBRARY needs may
define a part (MICRORT_PART in the folder SOURCES). A link that takes the batch for one of its files would take that part for
the others, and with it all that the program can do without. Exit code 1 if something does."""

import collections
import pathlib
import re
import subprocess
import sys

MEMBER = re.compile(r"[:\[(]([^:\[(\])]+\.o(?:bj)?)[\])]?:\s*[0-9a-f]*\s+([A-Za-z])\s+(.*)")


def symbols(nm, library):
    """The members that define each symbol, and the symbols that each member cannot do without."""
    defined, needed = collections.defaultdict(set), collections.defaultdict(set)
    listing = subprocess.run([nm, "-A", "-C", library], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        match = MEMBER.search(line)
        if not match:
            continue
        member, kind, name = match.groups()
        if kind in "TDRBC":
            defined[name].add(member)
        elif kind == "U":
            needed[member].add(name)
    return defined, needed


def part_names(sources):
    names = set()
    for folder in ("kernels", "runtime"):
        for path in pathlib.Path(sources, folder).rglob("*.cpp"):
            names.update(re.findall(r"^MICRORT_PART\((\w+)\);", path.read_text(encoding="utf-8"), re.M))
    return names


def way_to_part(batch, defined, needed, holders):
    """The members from the batch to one that defines a part, or None."""
    came_from = {batch: None}
    queue = collections.deque([batch])
    while queue:
        member = queue.popleft()
        if member in holders:
            way = [f"{member}, which defines {holders[member]}"]
            while came_from[member] is not None:
                member = came_from[member]
                way.append(member)
            return " <- ".join(way)
        for name in needed[member]:
            for other in defined.get(name, ()):
                if other not in came_from:
                    came_from[other] = member
                    queue.append(other)
    return None


def main():
    nm, library, sources = sys.argv[1:]
    defined, needed = symbols(nm, library)
    parts = part_names(sources)
    holders = {}
    for name, members in defined.items():
        plain = re.sub(r"\(.*", "", name).rsplit("::", 1)[-1]
        if plain in parts:
            holders.update((member, plain) for member in members)
    batches = sorted(member for member in needed if member.startswith("unity_"))
    if not holders:
        sys.exit(f"batches_link_no_parts: no part is defined in {library}")
    failed = False
    for batch in batches:
        way = way_to_part(batch, defined, needed, holders)
        if way:
            print(f"batches_link_no_parts: {way}: the file of the batch that needs it is to be an object of its own", file=sys.stderr)
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
