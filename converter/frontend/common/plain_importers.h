#pragma once
// Importers that are the same in several formats: of the node, only its inputs count.

#include "converter/frontend/common/special_functions.h"
#include "converter/lower/integers.h"

namespace micrort::frontend {

template <schema::UnaryKind kind, int a = 0, int b = 0, typename Context>
Status ImportUnary(Context& c) {
  return c.Return(c.build.Unary(kind, c.input(0), a, b));
}

template <schema::BinaryKind kind, typename Context>
Status ImportBinary(Context& c) {
  return c.Return(c.build.Binary(kind, c.input(0), c.input(1)));
}

template <typename Context>
Status ImportNotEqual(Context& c) {
  return c.Return(c.build.Not(c.build.Equal(c.input(0), c.input(1))));
}

template <typename Context>
Status ImportFloorDiv(Context& c) {
  if (IsFloat(c.x(0).dtype)) return c.Return(c.build.Floor(c.build.Div(c.input(0), c.input(1))));
  return c.Return(lower::FloorQuotient(c.build, c.input(0), c.input(1)));
}

template <typename Context>
Status ImportRsqrt(Context& c) {
  return c.Return(c.build.Reciprocal(c.build.Sqrt(c.input(0))));
}

template <typename Context>
Status ImportSquare(Context& c) {
  return c.Return(c.build.Mul(c.input(0), c.input(0)));
}

// inputs: y, x
template <typename Context>
Status ImportAtan2(Context& c) {
  return c.Return(Atan2(c.build, c.input(0), c.input(1)));
}

// inputs: condition, then what is chosen from
template <typename Context>
Status ImportChoice(Context& c) {
  return c.Return(c.build.Select({c.input(0), c.input(1), c.input(2)}));
}

// The coordinates of the elements that are not zero, one a row.
template <typename Context>
Status ImportNonZeros(Context& c) {
  return c.Return(c.build.Transpose(c.build.Add(schema::NonZeroOptionsT(), {c.input(0)}), {1, 0}));
}

}  // namespace micrort::frontend
