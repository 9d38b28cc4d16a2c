#!/usr/bin/env bash
# custom_ops.sh WINE CC PROGRAMS ROOT MNNCONVERT: micrort-run.exe takes an operator from a DLL, and says so where there is none.
set -euo pipefail
wine=$1 cc=$2 programs=$3 root=$4 mnnconvert=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$mnnconvert" "$root/examples/custom_op/zero_out.onnx" -o "$folder/model.fb" --custom-domain com.acme --quiet
cd "$folder"
"$cc" -shared -Wall -Wextra -Werror "-I$root/runtime/include" "$root/examples/custom_op/zero_out.c" -o zero_out.dll
"$wine" "$programs/micrort-run.exe" model.fb --custom-ops zero_out.dll | tr -d '\r' >found
grep -qE '^y: 0 [0-9]+ 0 0$' found || { cat found >&2; echo "custom_ops: expected zeros but for one element" >&2; exit 1; }
if "$wine" "$programs/micrort-run.exe" model.fb --custom-ops absent.dll 2>error; then echo "custom_ops: a missing DLL is no error" >&2; exit 1; fi
grep -q -- '--custom-ops: absent.dll: cannot load it' error || { cat error >&2; exit 1; }
