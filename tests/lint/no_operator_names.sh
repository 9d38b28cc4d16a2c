#!/usr/bin/env bash
# no_operator_names.sh ROOT: the interpreter and rewrites of programs know calls and what operators say of themselves
# in prepare (runtime/ops/op.h), but no operator. Prints each line that names one. Exit code 1 if there is one.
set -euo pipefail
cd "$1/runtime"
names=$(grep -rnE 'OpCode::[A-Z][a-z]|options_as_|ops::[A-Z]' interpreter program || true)
[[ -z $names ]] && exit 0
echo "$names"
echo "no_operator_names: see docs/program.md on how an operator says what may be done with it" >&2
exit 1
