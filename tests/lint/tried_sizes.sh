#!/usr/bin/env bash
# tried_sizes.sh ROOT: sizes that a graph is tried with (converter/ir/size/witness.h) decide nothing that is written to a file. Prints
# each line of the converter that asks for one outside of shape inference, which checks expressions against them. Exit code 1 if there is one.
set -euo pipefail
cd "$1"
allowed='converter/ir/(size/(witness|size_table|choose_sizes)|infer|infer_values|node_inference|fit_sizes|host_body)\.(h|cpp):'
# The witness, and what it gives.
found=$(grep -rnE 'witness\(\)|Witness|TriedSize' converter | grep -vE "^$allowed" || true)
[[ -z $found ]] || { echo "$found"; exit 1; }
grep -rqE 'witness\(\)' converter || { echo "nothing asks for tried sizes any more: this check has no subject"; exit 1; }
