#!/usr/bin/env bash
# wheel.sh PYTHON SOURCE BUILD: makes the wheel, unpacks it elsewhere and runs the package's tests there, with the wheel's own
# mnnconvert.
set -euo pipefail
python=$1 source=$2 build=$3
"$python" -c 'import wheel' 2>/dev/null || { echo "skipped: python3-wheel is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wheel=$("$python" "$source/python/make_wheel.py" "$build" "$folder")
"$python" -m wheel unpack --dest "$folder" "$wheel" >/dev/null
package=$(dirname "$(find "$folder" -path '*/micrort/__init__.py')")
chmod +x "$package/bin/mnnconvert"  # which pip does
MICRORT_SOURCE=$source PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(dirname "$package") "$python" "$source/tests/python/micrort_test.py"
