#!/usr/bin/env bash
# shared_objects.sh ROOT: of two builds of ./dev test with objects in common, the second takes those of the first, and compiles what sees another
# option.
set -euo pipefail
root=$1
command -v ccache >/dev/null || { echo "shared_objects: skipped: no ccache"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source "$root/tests/dev/test.sh"
cd "$folder"
share_objects
export CCACHE_DIR=$folder/cache

mkdir build-on build-off
echo 'constexpr int kOption = 1;' >build-on/option.h
echo 'constexpr int kOption = 0;' >build-off/option.h
echo 'int Common() { return 7; }' >common.cpp
printf '#include "option.h"\nint Option() { return kOption; }\n' >option.cpp
for build in on off; do
  for file in common option; do
    (cd "build-$build" && ccache g++ -MD -MF "$file.d" -I"$folder/build-$build" -o "$file.o" -c "$folder/$file.cpp")
  done
done

# expect COUNTER COUNT
expect() {
  ccache --print-stats | grep -qx "$1[[:space:]]*$2" || { ccache --print-stats >&2; echo "shared_objects: expected $2 of $1" >&2; exit 1; }
}
expect direct_cache_hit 1
expect cache_miss 3
cmp build-on/common.o build-off/common.o
! cmp -s build-on/option.o build-off/option.o || { echo "shared_objects: the object of another option is taken" >&2; exit 1; }
