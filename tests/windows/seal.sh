#!/usr/bin/env bash
# seal.sh WINE WINDOWS_PROGRAMS PROGRAMS MODEL.onnx: what micrort-seal for Windows seals by its keys, the one of this machine opens, and the other way
# round; a file that was changed is opened by neither.
set -euo pipefail
wine=$1 windows=$2/micrort-seal.exe here=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$here/mnnconvert" "$4" -o "$folder/model.fb" --quiet
cd "$folder"

"$wine" "$windows" keys schlüssel
"$here/micrort-seal" keys here
for keys in schlüssel here; do
  "$wine" "$windows" seal model.fb -o windows.sealed --sign "$keys.sign" --encrypt "$keys.secret"
  "$here/micrort-seal" open windows.sealed -o opened.fb --public "$keys.public" --encrypt "$keys.secret"
  cmp model.fb opened.fb
  "$here/micrort-seal" seal model.fb -o here.sealed --sign "$keys.sign" --encrypt "$keys.secret"
  "$wine" "$windows" open here.sealed -o opened-by-windows.fb --public "$keys.public" --encrypt "$keys.secret"
  cmp model.fb opened-by-windows.fb
done
printf '\377' | dd of=here.sealed bs=1 seek=200 conv=notrunc status=none
if "$wine" "$windows" open here.sealed -o none.fb --public here.public --encrypt here.secret 2>error; then
  echo "seal: a changed file was opened" >&2
  exit 1
fi
[[ ! -e none.fb ]]
grep -q 'here.sealed' error || { cat error >&2; exit 1; }
if "$wine" "$windows" keys here 2>error; then
  echo "seal: keys were replaced" >&2
  exit 1
fi
