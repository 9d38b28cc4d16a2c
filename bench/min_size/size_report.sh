#!/usr/bin/env bash
# size_report.sh SOURCE PROGRAMS MODEL.onnx WORK: builds examples/minimal with the model inside, for size, and prints
# its stripped bytes. PROGRAMS holds mnnconvert; WORK keeps the libraries for the next time.
# Environment: CMAKE, CXX.
set -euo pipefail
source=$1 programs=$2 onnx=$3 work=$4

model=$work/model.fb
mkdir -p "$work"
"$programs/mnnconvert" "$onnx" -o "$model" --quiet
"$programs/mnnconvert" --emit resolver "$model" -o "$work/model_ops.h" --quiet

# build_library FOLDER [cmake option...]
build_library() {
  local folder=$1
  shift
  "$CMAKE" -S "$source" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_CXX_COMPILER="$CXX" \
    -DMICRORT_BUILD_CONVERTER=OFF -DMICRORT_BUILD_PROGRAMS=OFF "$@" >&2
  "$CMAKE" --build "$folder" --target micrort >&2
}

# report TITLE LIBRARY_FOLDER
report() {
  local program=$2/minimal
  "$CXX" -std=c++17 -Os -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections -fvisibility=hidden \
    -DEMBEDDED_MODEL_FILE="\"$model\"" -I"$source" -I"$source/runtime/include" -I"$work" \
    "$source/examples/minimal/main.cpp" "$source/examples/minimal/embedded_model.cpp" "$2/runtime/libmicrort.a" \
    -pthread -Wl,--gc-sections,--as-needed -s -o "$program"
  "$program" >&2
  local total model_bytes
  total=$(stat -c %s "$program")
  model_bytes=$(stat -c %s "$model")
  printf '%-40s %12d %12d %12d\n' "$1" $((total - model_bytes)) "$model_bytes" "$total"
}

avx2_only=(-DMICRORT_ISA_SSE41=OFF -DMICRORT_ISA_AVXVNNI=OFF -DMICRORT_ISA_AVX512=OFF -DMICRORT_ISA_AVX512VNNI=OFF)
build_library "$work/default"
build_library "$work/smallest" -DMICRORT_ERROR_STRINGS=OFF -DMICRORT_THREADS=OFF
build_library "$work/avx2" "${avx2_only[@]}"
echo "$(basename "$onnx"), $("$CXX" --version | head -n 1), $(uname -m)"
sed -n 's/^ *\.Add/Add/p' "$work/model_ops.h"
printf '%-40s %12s %12s %12s\n' 'stripped bytes' program model total
report 'every option' "$work/default"
report 'no error texts, no threads' "$work/smallest"
report 'AVX2 alone' "$work/avx2"
