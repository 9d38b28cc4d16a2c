#!/usr/bin/env bash
# no_name_decisions.sh ROOT: what runs is decided by numbers (kernels/base/kernel_ids.h, kernels/conv2d/algorithm_ids.h); names of kernels and
# algorithms are for people. Prints each line of the kernels and of the runtime that compares text, but for the places
# where text comes in, which are stated here with what they compare. Exit code 1 if there is one.
set -euo pipefail
cd "$1"
stated=(
  kernels/base/cpu_features.cpp           # --isa
  kernels/base/target.cpp                 # --target
  kernels/conv2d/algorithm_variants.cpp   # a name in a file becomes a number
  runtime/interpreter/input_shapes.cpp    # names of a model's dimensions
  runtime/interpreter/kept_state.cpp      # the same
  runtime/interpreter/size_rules.cpp      # the same
  runtime/model/verify_states.cpp         # the same
)
failed=0
for file in "${stated[@]}"; do
  grep -q 'strcmp' "$file" || { echo "$file: compares no text any more"; failed=1; }
done
pattern=$(printf '%s:|' "${stated[@]}")
found=$(grep -rnE 'str(n|case|ncase)?cmp\(|string_view\(\) [!=]=' kernels runtime/{ops,interpreter,program,plan,model,offline} | grep -vE "^(${pattern%|})" || true)
if [[ -n $found ]]; then
  echo "$found"
  failed=1
fi
exit "$failed"
