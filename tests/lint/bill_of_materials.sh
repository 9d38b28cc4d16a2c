#!/usr/bin/env bash
# bill_of_materials.sh BILL THIRD_PARTY.md PROGRAM...: is BILL an SPDX document that holds together, does it name every library that the
# programs load, and nothing that THIRD_PARTY.md leaves out? Environment: READELF.
set -euo pipefail
bill=$1 third_party=$2
shift 2
command -v dpkg-query >/dev/null || { echo "skipped: no dpkg-query"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }

# Source packages of what is loaded.
for program in "$@"; do
  "$READELF" -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
done | sort -u | grep -v '^libmicrort' | while read -r library; do
  package=$(dpkg-query -S "*/$library" | head -n 1 | cut -d: -f1)
  dpkg-query -W -f '${source:Package}\n' "$package" | head -n 1
done | sort -u | python3 -c '
import json, sys
bill = json.load(open(sys.argv[1]))
assert bill["spdxVersion"] == "SPDX-2.3" and bill["dataLicense"] == "CC0-1.0"
ids = [package["SPDXID"] for package in bill["packages"]]
assert len(set(ids)) == len(ids), "two packages have one id"
for relation in bill["relationships"]:
    for end in (relation["spdxElementId"], relation["relatedSpdxElement"]):
        assert end in ids + ["SPDXRef-DOCUMENT"], end
listed = {ref["referenceLocator"].split("/")[2].split("@")[0] for p in bill["packages"] for ref in p.get("externalRefs", [])}
loaded = set(sys.stdin.read().split())
# Parts of one compiler: the libraries come from its newest version.
listed |= {name for name in loaded if name.startswith("gcc-")} if any(n.startswith("gcc-") for n in listed) else set()
assert loaded, "nothing was looked at"
assert loaded <= listed, f"the bill lacks {sorted(loaded - listed)}"
text = open(sys.argv[2]).read()
for package in bill["packages"][1:]:
    name = {"GCC runtime libraries": "GCC", "GNU C Library": "glibc"}.get(package["name"], package["name"])
    assert name in text, f"{sys.argv[2]} does not name {name}"
' "$bill" "$third_party"
