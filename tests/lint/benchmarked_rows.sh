#!/usr/bin/env bash
# benchmarked_rows.sh CXX ROOT KERNEL_BENCH DEFINITION...: every row of every row file, with these macros, has a benchmark
# "family/row..." or "family/family_row..." in the program KERNEL_BENCH. Exit code 1 if one has none.
set -euo pipefail
cxx=$1 root=$2 program=$3
shift 3

# rows FILE: the names, one a line. A name of two parts has a _ between them.
rows() { "$cxx" -E -P -x c++ "${definitions[@]}" "$1" | sed -n '/^MICRORT_/ { s/^[^(]*(//; s/, kCpu.*//; s/, /_/; p }'; }

definitions=("${@/#/-D}")
benchmarks=$("$program" --benchmark_list_tests)
count=0 failed=0
for file in "$root"/kernels/*/*.inc; do
  family=$(basename "$file" .inc)
  while read -r row; do
    count=$((count + 1))
    grep -Eq "^$family/(${family}_)?$row(/|$)" <<<"$benchmarks" && continue
    echo "$file: no benchmark of $row"
    failed=1
  done < <(rows "$file")
done
((count > 0)) || { echo "$root: no rows"; exit 1; }
exit "$failed"
