#!/usr/bin/env bash
# row_files.sh CXX ROOT ISA...: in every row file the rows of an instruction set exist exactly where its macro
# MICRORT_ISA_<ISA> does, so that a build can leave them out. Exit code 1 if one does not.
set -euo pipefail
cxx=$1 root=$2
shift 2

# rows FILE [flag...]: the rows, one a line, but the portable ones.
rows() {
  local file=$1
  shift
  "$cxx" -E -P -x c++ "$@" "$file" | grep '^MICRORT_' | grep -v 'kCpuScalar' || true
}

failed=0
complain() {
  echo "$1: $2"
  failed=1
}

count=0
for file in "$root"/kernels/*/*.inc; do
  count=$((count + 1))
  [[ -z $(rows "$file") ]] || complain "$file" "rows that no macro guards: $(rows "$file")"
  for isa in "$@"; do
    while read -r row; do
      # The feature that a row is for is the last that it requires.
      required=$(grep -o 'kCpu[A-Za-z0-9]*' <<<"$row" | tail -n 1)
      [[ ${required^^} == "KCPU$isa" ]] || complain "$file" "not a row of $isa: $row"
    done < <(rows "$file" "-DMICRORT_ISA_$isa=1")
  done
done
((count > 0)) || complain "$root" "no row files"
exit "$failed"
