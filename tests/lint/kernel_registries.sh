#!/usr/bin/env bash
# kernel_registries.sh ROOT: kernel registries hold variants alone, the same for every build: a macro of the family for each variant, whose instruction set
# is one of kernels/base/kernel_registry.h. What a build knows of a set is decided there. Exit code 1 if one holds something else.
set -euo pipefail
root=$1
sets=$(sed -n 's/^constexpr CpuFeatures \([a-z0-9]*\) = .*/\1/p' "$root/kernels/base/kernel_registry.h" | paste -sd '|')
[[ -n $sets ]] || { echo "$root: no instruction sets"; exit 1; }

failed=0 count=0
for file in "$root"/kernels/*/*.inc; do
  # Algorithms are not of one instruction set.
  [[ $file == */kernels/conv2d/algorithms.inc ]] && continue
  count=$((count + 1))
  family=MICRORT_$(basename "$file" .inc | tr '[:lower:]' '[:upper:]')
  if others=$(grep -Evn "^//|^$family\([A-Za-z0-9_]+, ($sets)(, [A-Za-z0-9_]+)*\)$" "$file"); then
    printf '%s: not a variant of the family: %s\n' "$file" "$others"
    failed=1
  fi
done
((count > 0)) || { echo "$root: no kernel registries"; exit 1; }
exit "$failed"
