#!/usr/bin/env bash
# include_arrows.sh ROOT: reads the #include lines below ROOT and prints each that goes against the arrows
# converter -> runtime -> kernels <- arm, x86, wasm. Exit code 1 if there is one.
set -euo pipefail
cd "$1"

# Files below the folder (the first row that fits counts) | project headers that they may include, as path prefixes.
# What folders of formats may include besides their own: never each other's.
of_formats='converter/frontend/common/ converter/frontend/frontend.h converter/compose/ converter/lower/ converter/ir/ tools/io/ runtime/ micrort/ kernels/ schema/'
rules="
runtime/include | micrort/ kernels/base/
kernels         | kernels/
arm             | arm/ kernels/
x86             | x86/ kernels/
wasm            | wasm/ kernels/
xnnpack         | xnnpack/ kernels/
runtime         | runtime/ micrort/ kernels/ schema/
tools           | tools/ runtime/ micrort/ kernels/ schema/
converter/lower | converter/lower/ converter/ir/ runtime/ kernels/ schema/
converter/compose | converter/compose/ kernels/
converter/frontend/caffe | converter/frontend/caffe/ $of_formats
converter/frontend/onnx | converter/frontend/onnx/ $of_formats
converter/frontend/tflite | converter/frontend/tflite/ $of_formats
converter/frontend/tensorflow | converter/frontend/tensorflow/ $of_formats
converter/frontend/torchscript | converter/frontend/torchscript/ $of_formats
converter/frontend/common | $of_formats
converter       | converter/ tools/io/ tools/custom_ops/ runtime/ micrort/ kernels/ schema/
text            | text/ tools/io/ micrort/ kernels/base/ kernels/fourier/
serve           | serve/ converter/convert.h tools/io/ tools/custom_ops/ runtime/model/schema_text.h micrort/ kernels/base/ schema/
examples        | examples/ micrort/ serve/server/server.h
tests           | tests/ serve/ text/ converter/ tools/ runtime/ micrort/ kernels/ arm/ x86/ wasm/ schema/ bench/ examples/
bench           | bench/ tests/ serve/ converter/ tools/ runtime/ micrort/ kernels/ schema/
"

folders=()
for folder in kernels arm x86 wasm xnnpack runtime tools text converter serve examples tests bench; do
  [[ -d $folder ]] && folders+=("$folder")
done
includes=$(grep -rnE '^[[:space:]]*#[[:space:]]*include' --include='*.h' --include='*.cpp' --include='*.c' \
  --include='*.inc' "${folders[@]}" || true)
[[ -n $includes ]] || { echo "include_arrows: no #include lines below $1" >&2; exit 1; }

RULES=$rules awk '
  function starts_with(text, prefix) { return substr(text, 1, length(prefix)) == prefix }
  function complain(why) { print file ":" line ": " why ": " header; failed = 1 }
  BEGIN {
    rows = split(ENVIRON["RULES"], row, "\n")
    for (i = 1; i <= rows; ++i) {
      if (split(row[i], column, "|") != 2) continue
      gsub(/ /, "", column[1])
      folder[++rules] = column[1] "/"
      allowed[rules] = column[2]
    }
    # Inline code of other headers, compiled for a newer CPU, could replace the portable copy when linking.
    sealed = "^(cstddef|cstdint|stddef.h|stdint.h|[a-z0-9]*intrin.h|arm_neon.h|arm_mve.h|arm_acle.h|wasm_simd128.h)$"
    project = "^(schema|kernels|arm|x86|wasm|xnnpack|runtime|micrort|tools|text|converter|serve|tests|bench|examples)/"
  }
  {
    split($0, part, ":")
    file = part[1]; line = part[2]
    match($0, /["<][^">]*[">]/)
    header = substr($0, RSTART + 1, RLENGTH - 2)
    if (header ~ /(^|\/)\.\.?\//) complain("relative include")
    if (file ~ /^(arm|x86|wasm)\// && header !~ project && header !~ sealed) complain("not a header for sealed files")
    if (header ~ /^kernels\/reference\// && file !~ /^(tests|bench|kernels\/reference)\//) complain("the oracle is for tests")
    if (header !~ project) next
    for (i = 1; i <= rules && !starts_with(file, folder[i]); ++i) {}
    n = split(allowed[i], prefix, " ")
    for (p = 1; p <= n && !starts_with(header, prefix[p]); ++p) {}
    if (p > n) complain("against the arrows")
  }
  END { exit failed }
' <<<"$includes"
