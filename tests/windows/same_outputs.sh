#!/usr/bin/env bash
# same_outputs.sh WINE WINDOWS_PROGRAMS PROGRAMS MODEL.onnx...: micrort-run for Windows writes, under wine, the bytes that the one of this
# machine writes: in float and int8, for each instruction set, by two threads, in a folder whose name is not ASCII.
set -euo pipefail
wine=$1 windows=$2 here=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# compare NAME MODEL [argument of micrort-run...]
compare() {
  local name=$1 model=$2 windows_folder="$folder/modèle-模型-$1"
  shift 2
  "$here/micrort-run" "$model" --output-dir "$folder/linux-$name" --json - "$@" >"$folder/linux.json"
  "$wine" "$windows/micrort-run.exe" "$model" --output-dir "$windows_folder" --json - "$@" >"$folder/windows.json"
  diff -r "$folder/linux-$name" "$windows_folder" >&2 || { echo "same_outputs: $name $*: other outputs" >&2; exit 1; }
  compared=$((compared + 1))
}

compared=0
for source in "$@"; do
  name=$(basename "$source" .onnx)
  for quant in none int8; do
    model=$folder/$name-$quant-é.fb
    "$here/mnnconvert" "$source" -o "$model" --quant "$quant" --quiet
    for isa in scalar sse41 avx2 avx512 avx512vnni; do
      "$here/micrort-run" "$model" --isa "$isa" --output-dir "$folder/tried" >/dev/null 2>&1 || continue
      compare "$name-$quant-$isa" "$model" --isa "$isa"
    done
    compare "$name-$quant-threads" "$model" --threads 2
  done
  "$here/micrort-info" "$model" --plan >"$folder/linux.txt"
  "$wine" "$windows/micrort-info.exe" "$model" --plan >"$folder/windows.txt"
  cmp "$folder/linux.txt" "$folder/windows.txt"
done
"$wine" "$windows/micrort-bench.exe" "$model" --min-time 0 --runs 3 --json - >"$folder/bench.json"
python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); assert r["peak_rss_bytes"] > 0 and r["cpu_ms"] >= 0, r' "$folder/bench.json"
status=0
"$wine" "$windows/micrort-run.exe" "$folder/fehlt-ß.fb" 2>"$folder/error" || status=$?
[[ $status == 1 ]] && grep -q 'fehlt-ß.fb' "$folder/error" || { cat "$folder/error" >&2; exit 1; }
echo "same_outputs: $compared runs have the same outputs"
