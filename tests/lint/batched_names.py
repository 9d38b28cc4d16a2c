#!/usr/bin/env python3
"""batched_names.py ROOT: files are compiled in batches, so that types and constants of anonymous namespaces meet
those of other files in the same namespace. Which files share a batch changes with every new file: a name that
two files of a folder's library give to different things is a build that breaks later. Prints each. Exit code 1
if there is one."""

import collections
import pathlib
import re
import sys

LIBRARIES = ("converter", "runtime", "serve", "text", "tools", "sealed")
ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.M | re.S)
AROUND = re.compile(r"^namespace ([\w:]+) \{", re.M)
NAME = re.compile(r"^(?:struct|class|enum class) (\w+)\b(?!;)|^constexpr [\w:<>, *]+? \*?(k[A-Z]\w*)\b", re.M)


def names_in(text):
    around = "::".join(AROUND.findall(text))
    for block in ANONYMOUS.findall(text):
        for match in NAME.finditer(block):
            yield around, match.group(1) or match.group(2)


def main(root):
    places = collections.defaultdict(set)
    for library in LIBRARIES:
        files = sorted((root / library).rglob("*.cpp"))
        assert files, f"no files in {library}"
        for path in files:
            # A program's own file, and files of one system each, are in no batch with their kind.
            if path.name == "main.cpp" or path.parent.name == "platform":
                continue
            for around, name in names_in(path.read_text(encoding="utf-8")):
                places[library, around, name].add(str(path.relative_to(root)))
    clashes = {key: paths for key, paths in places.items() if len(paths) > 1}
    for (_, around, name), paths in sorted(clashes.items()):
        print(f"{around}::{name}: {', '.join(sorted(paths))}")
    return 1 if clashes else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
