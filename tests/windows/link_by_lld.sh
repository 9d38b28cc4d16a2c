#!/usr/bin/env bash
# link_by_lld.sh COMPILER ARGUMENT...: links as this g++ for Windows would, but by lld. GNU's linker takes over ten minutes for programs of
# tests, and Debian's g++ takes no other one: it knows its linker by a full path.
set -euo pipefail
libraries=$(dirname "$("$1" -print-libgcc-file-name)")
exec clang++ --target=x86_64-w64-mingw32 -fuse-ld=lld "-L$libraries" "-B$libraries" "${@:2}" -lstdc++ -lpthread
