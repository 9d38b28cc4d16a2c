#!/usr/bin/env bash
# commands.sh ROOT BUILD: runs, as they stand, the command lines of README.md and docs/ that are marked by a comment
# "<!-- run: ... -->" before their block, in a folder with build/, whose programs are in PATH, a network model.onnx, its model.fb and pictures/.
set -euo pipefail
root=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/build"
ln -s "$build/bin" "$folder/build/bin"
ln -s "$root/examples/meter_reader/meter_digits.onnx" "$folder/model.onnx"
ln -s "$root/examples/meter_reader/calibration" "$folder/pictures"
cd "$folder"
export PATH=$folder/build/bin:$PATH
build/bin/mnnconvert model.onnx -o model.fb --quiet

# FILE:LINE:COMMAND of every marked line.
marked_commands() {
  awk '
    FNR == 1 { marked = inside = 0 }
    /^<!-- run: / { marked = 1; next }
    /^```/ { if (inside) { inside = marked = 0 } else if (marked) { inside = 1 }; next }
    inside && NF { print FILENAME ":" FNR ":" $0 }
    !inside && NF { marked = 0 }' "$root/README.md" "$root"/docs/*.md "$root"/docs/*/*.md
}

count=0
while IFS= read -r line; do
  command=${line#*:*:}
  bash -c "$command" >"$folder/log" 2>&1 </dev/null || { echo "${line#"$root"/}" >&2; cat "$folder/log" >&2; exit 1; }
  count=$((count + 1))
done < <(marked_commands)
((count >= 6)) || { echo "only $count marked command lines found" >&2; exit 1; }
echo "$count command lines"
