#!/usr/bin/env bash
# folder_circles.sh ROOT: folders below kernels/, runtime/ and converter/ include each other in one direction only.
# Subfolders belong to theirs, and files right in the three to none. Prints each pair of folders that is in a circle.
# Exit code 1 if there is one.
set -euo pipefail
cd "$1"

# "from to" for each pair of folders, among kernels, runtime and converter, of which one includes the other.
edges=$(grep -rE '^[[:space:]]*#[[:space:]]*include "(kernels|runtime|converter)/[^/"]+/' --include='*.h' \
  --include='*.cpp' --include='*.inc' kernels runtime converter |
  sed -E 's|^([^/:]+/[^/:]+)/[^:]*:[^"]*"([^/]+/[^/]+)/.*|\1 \2|; t; d' | awk '$1 != $2' | sort -u)
[[ -n $edges ]] || { echo "folder_circles: no #include lines below $1" >&2; exit 1; }

EDGES=$edges awk '
  # Whether a path leads from a to b.
  function reaches(a, b, seen, i) {
    for (i = 1; i <= count; ++i) {
      if (from[i] != a || (to[i] in seen)) continue
      seen[to[i]] = 1
      reaches(to[i], b, seen)
    }
    return b in seen
  }
  BEGIN {
    count = split(ENVIRON["EDGES"], line, "\n")
    for (i = 1; i <= count; ++i) {
      split(line[i], part, " ")
      from[i] = part[1]; to[i] = part[2]
      folders[part[1]] = folders[part[2]] = 1
    }
    for (a in folders) {
      for (b in folders) {
        if (a >= b) continue
        split("", there); split("", back)
        if (!reaches(a, b, there) || !reaches(b, a, back)) continue
        print "circle: " a " and " b " include each other, maybe through others"
        failed = 1
      }
    }
    exit failed
  }'
