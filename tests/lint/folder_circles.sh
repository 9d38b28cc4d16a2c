#!/usr/bin/env bash
# folder_circles.sh ROOT: folders below kernels/, runtime/ and converter/ include each other in one direction only.
# Subfolders belong to theirs, and files right in the three to none. Prints the folders of every circle that is not
# known. Exit code 1 if there is one, or if a known one is gone and should leave the list.
set -euo pipefail
cd "$1"

# They are to be opened up; the list only shrinks.
known='
kernels/conv2d kernels/dwconv kernels/layer_s8 kernels/strassen kernels/winograd
converter/passes converter/qdq converter/quantize
'

# "from to" for each pair of folders, among kernels, runtime and converter, of which one includes the other.
edges=$(grep -rE '^[[:space:]]*#[[:space:]]*include "(kernels|runtime|converter)/[^/"]+/' --include='*.h' \
  --include='*.cpp' --include='*.inc' kernels runtime converter |
  sed -E 's|^([^/:]+/[^/:]+)/[^:]*:[^"]*"([^/]+/[^/]+)/.*|\1 \2|; t; d' | awk '$1 != $2' | sort -u)
[[ -n $edges ]] || { echo "folder_circles: no #include lines below $1" >&2; exit 1; }

EDGES=$edges KNOWN=$known awk '
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
    lists = split(ENVIRON["KNOWN"], line, "\n")
    for (i = 1; i <= lists; ++i) {
      members = split(line[i], part, " ")
      for (k = 1; k <= members; ++k) { circle[part[k]] = i; listed[part[k]] = 1 }
    }
    for (a in folders) {
      for (b in folders) {
        if (a >= b) continue
        split("", there); split("", back)
        if (!reaches(a, b, there) || !reaches(b, a, back)) continue
        found[a] = found[b] = 1
        if ((a in circle) && (b in circle) && circle[a] == circle[b]) continue
        print "circle: " a " and " b " include each other, maybe through others"
        failed = 1
      }
    }
    for (a in listed) {
      if (a in found) continue
      print "no circle any more: take " a " off the list in folder_circles.sh"
      failed = 1
    }
    exit failed
  }'
