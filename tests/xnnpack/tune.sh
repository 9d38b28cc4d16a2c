#!/usr/bin/env bash
# tune.sh MNNCONVERT MICRORT_BENCH MODEL.onnx: a micrort-bench with XNNPACK and cpuinfo measures XNNPACK's operators, runs by what
# it has measured, and tells the cores.
set -euo pipefail
converter=$1 bench=$2 model=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$converter" "$model" -o "$folder/model.fb" --quiet
"$bench" "$folder/model.fb" --runs 2 --profile=candidates --tune "$folder/tuned" --json "$folder/measured.json" >"$folder/log" 2>&1
grep -q '"xnnpack_f32/operator"' "$folder/measured.json" || { echo "not among the candidates" >&2; exit 1; }
# Virtual machines may hide their caches; then nobody knows their size.
size='[0-9]'
[[ ! -e /sys/devices/system/cpu/cpu0/cache/index0 ]] || size='[1-9]'
grep -q "\"l1d_bytes\": $size" "$folder/measured.json" || { echo "no cores" >&2; exit 1; }
"$bench" "$folder/model.fb" --runs 2 --tuned "$folder/tuned" >"$folder/log"
