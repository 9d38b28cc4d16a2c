#!/usr/bin/env bash
# sealed_objects.sh NM LIBRARY SOURCE...: no object of the SOURCEs in LIBRARY may define or use a weak symbol. Of an
# inline function the linker keeps one copy for the whole program, maybe the one for a newer CPU.
# Sources of other architectures are not in the library; at least one must be. Exit code 1 if a symbol is weak.
set -euo pipefail
nm=$1 library=$2
shift 2

# Bare-metal builds call their objects .obj.
members=$(for source in "${@##*/}"; do printf '%s.o\n%s.obj\n' "$source" "$source"; done)
MEMBERS=$members awk -v library="$library" '
  BEGIN { n = split(ENVIRON["MEMBERS"], name, "\n"); for (i = 1; i <= n; ++i) wanted[name[i]] = 1 }
  # "gemm_f32_avx2.cpp.o:" stands before the symbols of a member.
  /:$/ { member = substr($0, 1, length($0) - 1); sub(/.*[\[(]/, "", member); if (member in wanted) ++found; next }
  (member in wanted) && NF > 1 && $(NF - 1) ~ /^[wWvVu]$/ { print member ": weak symbol: " $0; failed = 1 }
  END {
    if (!found) { print "sealed_objects: " library " holds none of the objects"; failed = 1 }
    exit failed
  }
' < <("$nm" "$library")
