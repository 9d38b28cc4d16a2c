#!/usr/bin/env bash
# run.sh BUILD ONNX: the Java package, as a program uses it.
set -euo pipefail
build=$1 onnx=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$build/bin/mnnconvert" "$onnx" -o "$folder/digits.fb" --quiet
"$build/bin/mnnconvert" "$onnx" -o "$folder/open.fb" --input-shape 'input=?x1x32x24' --quiet
pictures=(--calib "$(dirname "$onnx")/calibration" --mean 127 --scale 0.0078125 --color gray --resize crop --quiet)
"$build/bin/mnnconvert" "$onnx" -o "$folder/pictures.fb" --quant int8-weights "${pictures[@]}"
"$build/bin/mnnconvert" "$onnx" -o "$folder/int8.fb" --quant int8 --io-type int8 "${pictures[@]}"
javac -cp "$build/java/micrort.jar" -d "$folder" "$(dirname "$0")/MicroRTTest.java"
[[ $(java -Xcheck:jni -Djava.library.path="$build/java" -cp "$build/java/micrort.jar:$folder" MicroRTTest "$folder/digits.fb" \
  "$folder/open.fb" "$folder/pictures.fb" "$folder/int8.fb" | tee "$folder/out" | tail -n 1) == Success ]] || { cat "$folder/out" >&2; exit 1; }
# What -Xcheck:jni found.
! grep -i warning "$folder/out"
