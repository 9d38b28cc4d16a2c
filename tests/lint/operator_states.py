#!/usr/bin/env python3
"""operator_states.py READELF AR LIBRARY HEADER: what HEADER (runtime/memory/device_sizes.h) says of the states of operators is
what a library for a 32-bit device has in its registrations. Exit code 1 where it is not."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

readelf, ar, library, header = sys.argv[1:]
# OpRegistration begins with code, name and state_bytes, four bytes each.
CODE, STATE_BYTES = slice(0, 4), slice(8, 12)

text = Path(header).read_text()
stated = [int(n) for n in re.search(r"kStates\[\] = \{([^}]*)\}", text).group(1).split(",")]
found = {}
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([ar, "x", str(Path(library).resolve())], cwd=folder, check=True)
    for file in Path(folder).iterdir():
        sections = subprocess.run([readelf, "-SW", str(file)], capture_output=True, text=True, check=True).stdout
        for match in re.finditer(r"\s\S*kRegistration\S*\s+PROGBITS\s+\S+\s+(\S+)", sections):
            row = file.read_bytes()[int(match.group(1), 16):]
            found[int.from_bytes(row[CODE], "little")] = int.from_bytes(row[STATE_BYTES], "little")
if found != dict(enumerate(stated)):
    for code in sorted(set(found) | set(range(len(stated)))):
        here = stated[code] if code < len(stated) else None
        if found.get(code) != here:
            print(f"operator_states: operator {code}: expected {found.get(code)} bytes, {header} says {here}")
    sys.exit(1)
