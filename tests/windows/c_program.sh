#!/usr/bin/env bash
# c_program.sh WINE CC WINDOWS_BUILD SOURCE MNNCONVERT: micrort.dll exports what micrort_c.h declares and nothing else, needs only libraries that
# every Windows has, and a program in C runs with it.
set -euo pipefail
wine=$1 cc=$2 build=$3 source=$4 mnnconvert=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dll=$build/bin/micrort.dll

x86_64-w64-mingw32-objdump -p "$dll" | sed -n 's/^.*[[:space:]]\(micrort_[A-Za-z0-9_]*\)$/\1/p' | sort -u >"$folder/exported"
echo '#include "micrort/micrort_c.h"' | "$cc" -E -P -I"$source/runtime/include" -I"$source" - | grep -oE '\bmicrort_\w+\(' |
  tr -d '(' | sort -u >"$folder/declared"
diff "$folder/declared" "$folder/exported" || { echo "micrort.dll does not export what micrort_c.h declares" >&2; exit 1; }
if x86_64-w64-mingw32-objdump -p "$dll" | grep 'DLL Name' | grep -viE '(kernel32|msvcrt|user32|advapi32|shell32)\.dll'; then
  echo "micrort.dll needs more than Windows has" >&2
  exit 1
fi

"$cc" -std=c99 -Wall -Wextra -Werror -I"$source/runtime/include" -I"$source" "$source/tests/install/consumer/consumer.c" -o "$folder/program.exe" \
  "$build/runtime/libmicrort.dll.a"
cp "$dll" "$folder"
"$mnnconvert" "$source/examples/meter_reader/meter_digits.onnx" -o "$folder/digits.fb" --quiet
[[ $("$wine" "$folder/program.exe" "$folder/digits.fb" | tr -d '\r') == *float32* ]]
