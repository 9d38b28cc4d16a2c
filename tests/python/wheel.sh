#!/usr/bin/env bash
# wheel.sh PYTHON SOURCE BUILD: makes the wheel, installs it elsewhere and runs the package's tests there, with the wheel's own mnnconvert and
# libraries. What it is made of depends on no version of Python, and asks for nothing but the C library and those of the compiler.
set -euo pipefail
python=$1 source=$2 build=$3
"$python" -c 'import wheel' 2>/dev/null || { echo "skipped: python3-wheel is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wheel=$("$python" "$source/python/make_wheel.py" "$build" "$folder")
[[ $wheel == */micrort-*-py3-none-manylinux_2_*.whl ]] || { echo "expected a wheel for any Python, found $wheel"; exit 1; }
if "$python" -m pip --version >/dev/null 2>&1; then
  "$python" -m pip install --quiet --no-deps --no-index --target "$folder/site" "$wheel" 2>/dev/null
else
  "$python" -m wheel unpack --dest "$folder" "$wheel" >/dev/null
  mv "$folder"/micrort-*/ "$folder/site"
  chmod +x "$folder/site/micrort/bin/mnnconvert"  # which pip does
fi
package=$folder/site/micrort
# The command works where nothing else is: no NumPy, no libraries but those of the wheel.
if "$python" -m venv "$folder/clean" >/dev/null 2>&1; then
  "$folder/clean/bin/pip" install --quiet --no-index --no-deps "$wheel" 2>/dev/null
  env -i PATH=/usr/bin:/bin "$folder/clean/bin/mnnconvert" "$source/examples/meter_reader/meter_digits.onnx" -o "$folder/digits.fb" --quiet
  [[ -s $folder/digits.fb ]] || { echo "the wheel's mnnconvert wrote nothing"; exit 1; }
  message=$(env -i PATH=/usr/bin:/bin "$folder/clean/bin/python" -c 'import micrort' 2>&1) && { echo "expected an error without NumPy"; exit 1; }
  [[ $message == *'micrort needs NumPy: pip install numpy'* ]] || { echo "$message"; exit 1; }
fi
only_own_libraries() {
  awk -v package="$package" '
    $2 == "=>" && index($3, package) != 1 && $1 !~ /^(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)|ld-linux.*)\.so\.[0-9]+$/ { print "not in the wheel:", $0; bad = 1 }
    END { exit bad }'
}
ldd "$package"/*.so | only_own_libraries
LD_LIBRARY_PATH=$package/lib ldd "$package/bin/mnnconvert" | only_own_libraries
# The oldest Python that the wheel is for reads it.
"$python" - "$package" <<'EOF'
import ast, pathlib, sys
for file in pathlib.Path(sys.argv[1]).glob("*.py"):
    ast.parse(file.read_text(), str(file), feature_version=(3, 9))
EOF
export MICRORT_SOURCE=$source PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$folder/site
unset MICRORT_MNNCONVERT
"$python" "$source/tests/python/micrort_test.py"
if [[ -e $package/libmicrort_text.so ]]; then
  "$python" "$source/tests/python/text_test.py"
  "$python" "$source/tests/python/speech_test.py"
fi
