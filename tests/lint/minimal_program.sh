#!/usr/bin/env bash
# minimal_program.sh PROGRAM MODEL MODEL_OPS.h LIMIT: does examples/minimal link the operators that it names and no
# others, nothing for narrow weights and caches, which its model has not, and is it, stripped and without its model, at most
# LIMIT bytes long? Environment: NM, STRIP.
set -euo pipefail
program=$1 model=$2 model_ops=$3 limit=$4

named=$(grep -o 'Add[A-Za-z0-9]*(' "$model_ops" | sed 's/^Add//; s/$/)/' | sort -u)
linked=$("$NM" -C "$program" | sed -n 's/^.* micrort::ops::\([A-Za-z0-9]*()\)$/\1/p' | sort -u)
if [[ $named != "$linked" ]]; then
  diff <(echo "$named") <(echo "$linked") || true
  echo "minimal_program: named (<) and linked (>) operators differ" >&2
  exit 1
fi

# Parts (kernels/base/part.h) of programs whose layers have weights of int4, int8 or halves, and of those that append to caches.
unused='(DequantizeWeights|PackInt4|PackNarrow|ReadInt4Grid|HalfRowF32|WidenInt4|kDequantizingGemmF32|kInt4Gemm|GemmS4'
unused+='|ConvertF32|VerifyCaches|Caches::|CacheRows|AttendFew|RingOf|SaveRing|RestoreRing|GatherTable|AppendRows)'
if found=$("$NM" -C --defined-only "$program" | grep -E "micrort::(\(anonymous namespace\)::)?$unused"); then
  echo "$found"
  echo "minimal_program: it links parts that its model does not need" >&2
  exit 1
fi

stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
"$STRIP" -o "$stripped" "$program"
bytes=$(($(stat -c %s "$stripped") - $(stat -c %s "$model")))
echo "minimal: $bytes bytes without its model, limit $limit"
((bytes <= limit))
