#!/usr/bin/env bash
# no_heap.sh NM LIBRARY...: a library built with MICRORT_HEAP=OFF asks for nothing of a heap, of exceptions, of files or of a system.
# Exit code 1 if a symbol of these is referred to, or if a LIBRARY has no interpreter in it.
set -euo pipefail
nm=$1
shift

forbidden='malloc|calloc|realloc|free|aligned_alloc|posix_memalign|_Zn[wa].*|_Zd[la].*|__cxa_.*|__aeabi_atexit|_Unwind_.*|__gxx_.*'
forbidden+='|f?open|f?close|f?read|f?write|mmap|munmap|madvise|(v?f|v?sn?|v?)printf|puts|putchar|abort|exit|__errno.*'
forbidden+='|pthread_.*|clock_gettime|time|getenv'
failed=0
for library in "$@"; do
  symbols=$("$nm" "$library")
  if ! grep -q ' T .*Interpreter' <<<"$symbols"; then
    echo "no_heap: $library holds no interpreter"
    failed=1
  fi
  if grep -E " [UwW] ($forbidden)\$" <<<"$symbols" | sort -u | sed "s|^|no_heap: $library: |"; then failed=1; fi
  if grep ' [TtWw] .*9reference' <<<"$symbols" | sed "s|^|no_heap: $library holds the oracle of tests: |"; then failed=1; fi
done
exit "$failed"
