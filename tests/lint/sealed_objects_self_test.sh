#!/usr/bin/env bash
# sealed_objects_self_test.sh NM CXX AR: does sealed_objects.sh find a weak symbol, and only in the named objects?
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
nm=$1 cxx=$2 ar=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo 'static int Twice(int x) { return x * 2; } int Sealed(int x) { return Twice(x); }' >sealed.cpp
echo 'inline int Twice(int x) { return x * 2; } int (*function)(int) = Twice;' >leaking.cpp
for name in sealed leaking; do "$cxx" -O1 -c "$name.cpp" -o "$name.cpp.o"; done
"$ar" rc library.a sealed.cpp.o leaking.cpp.o

# expect pass|fail SOURCE...
expect() {
  local wanted=$1 found=pass
  shift
  "$here/sealed_objects.sh" "$nm" library.a "$@" >output || found=fail
  [[ $found == "$wanted" ]] || { echo "sealed_objects_self_test: $*: expected $wanted, found $found" >&2; exit 1; }
}
expect pass x86/avx2/sealed.cpp
expect pass x86/avx2/sealed.cpp arm/neon/absent.cpp
expect fail x86/avx2/leaking.cpp
expect fail x86/avx2/sealed.cpp x86/avx2/leaking.cpp
expect fail arm/neon/absent.cpp
