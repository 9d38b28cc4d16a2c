#!/usr/bin/env bash
# benchmarked_variants.sh ROOT KERNEL_BENCH DEFINITION...: every variant of every kernel registry whose set is built (MICRORT_KERNELS_<set>=1 is among
# the definitions) has a benchmark "family/variant..." or "family/family_variant..." in the program KERNEL_BENCH. Exit code 1 if one has
# none.
set -euo pipefail
root=$1 program=$2
shift 2
built=$(printf '%s\n' "$@" | sed -n 's/^MICRORT_KERNELS_\(.*\)=1$/\1/p' | paste -sd '|')

# variants FILE: the names, one a line. In those of pooling the set is a part of the name.
variants() { sed -En "/^MICRORT_POOL/ { s/, /_/; s/_([a-z0-9]*)\)/_\1, \1)/ }; s/^MICRORT_[A-Z0-9_]*\(([A-Za-z0-9_]*), ($built)[,)].*/\1/p" "$1"; }

benchmarks=$("$program" --benchmark_list_tests)
count=0 failed=0
for file in "$root"/kernels/*/*.inc; do
  family=$(basename "$file" .inc)
  [[ $family == pool_* ]] && family=pool
  while read -r row; do
    count=$((count + 1))
    grep -Eq "^$family/(${family}_)?$row(/|$)" <<<"$benchmarks" && continue
    echo "$file: no benchmark of $row"
    failed=1
  done < <(variants "$file")
done
((count > 0)) || { echo "$root: no rows"; exit 1; }
exit "$failed"
