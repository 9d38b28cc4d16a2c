#!/usr/bin/env bash
# vector_spills.sh OBJDUMP LOOPS OBJECT...: no innermost loop that multiplies and adds may have vectors on the stack. There
# must be at least LOOPS such loops, or the test would find nothing. Functions with "Any" in their names, for shapes that are
# rare, may. Exit code 1 if a loop spills.
set -euo pipefail
objdump=$1 loops=$2
shift 2

"$objdump" -d --no-show-raw-insn "$@" | awk -v wanted="$loops" '
  function is_product(text) { return text ~ /^(fmla|fmul|sdot|smmla|smull2?|smlal2?|vmla|vmlal|vmull|vfma)[. \t]/ }
  function is_spill(text) { return text ~ /^v?(ld|st)[a-z0-9.]*[ \t]+\{?[qdsv][0-9].*\[(sp|x29|fp)/ }
  function finish(  i, j, inner, products, spills) {
    for (i = 1; i <= branches; ++i) {
      inner = 1
      for (j = 1; j <= branches; ++j) {
        if (j != i && to[j] >= to[i] && from[j] <= from[i] && (to[j] > to[i] || from[j] < from[i])) inner = 0
      }
      if (!inner) continue
      products = spills = 0
      for (j = to[i]; j <= from[i]; ++j) {
        products += is_product(code[j])
        if (is_spill(code[j])) { ++spills; example = code[j] }
      }
      if (products < 12 || name ~ /Any/) continue
      ++found
      if (spills) { print name ": " spills " accesses of vectors on the stack in a loop, as: " example; failed = 1 }
    }
    lines = branches = 0
    delete index_of
  }
  /^[0-9a-f]+ <.*>:$/ { finish(); name = $2; next }
  /^ *[0-9a-f]+:\t/ {
    address = $1
    sub(/:$/, "", address)
    text = $0
    sub(/^ *[0-9a-f]+:\t/, "", text)
    code[++lines] = text
    index_of[address] = lines
    # A branch to an address before it, in this function.
    if (text ~ /^(b|cb|tb)[a-z.]*[ \t]/ && text !~ /^(bl|bic|bfi|bfc|bfx|bsl)/) {
      n = split(text, part, /[ \t,]+/)
      for (i = 2; i <= n; ++i) {
        if (part[i] in index_of) { from[++branches] = lines; to[branches] = index_of[part[i]]; break }
      }
    }
  }
  END {
    finish()
    if (found < wanted) { print "vector_spills: " found " loops that multiply and add, expected " wanted; failed = 1 }
    exit failed
  }
'
