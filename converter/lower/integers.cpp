#include "converter/lower/integers.h"

#include <algorithm>
#include <vector>

#include "converter/ir/constant_values.h"

namespace micrort::lower {

namespace {

bool IsUnsigned(DType dtype) {
  return dtype == DType::kUInt8 || dtype == DType::kUInt16 || dtype == DType::kUInt32 ||
         dtype == DType::kUInt64;
}

ir::ValueId NumberOf(ir::Builder& build, DType dtype, int64_t v) {
  const ir::ValueId number = build.Constant<int64_t>({}, {v});
  return dtype == DType::kInt64 ? number : build.Cast(number, dtype);
}

int64_t BitsOf(DType dtype) { return static_cast<int64_t>(8 * SizeOf(dtype)); }

bool IsPositive(const ir::Value& value) {
  std::vector<int64_t> elements;
  return ir::AnyIntegersOf(value, &elements) &&
         std::all_of(elements.begin(), elements.end(), [](int64_t v) { return v > 0; });
}

}  // namespace

// The remainder, which has the sign of y, goes first. Where the quotient is negative that leads away from 0,
// maybe out of the type, so the multiple of y that is one nearer to 0 is divided there.
ir::ValueId FloorQuotient(ir::Builder& build, ir::ValueId x, ir::ValueId y) {
  const DType dtype = build.graph().value(x).dtype;
  if (IsUnsigned(dtype)) return build.Div(x, y);
  const ir::ValueId zero = NumberOf(build, dtype, 0);
  const ir::ValueId whole = build.Sub(x, build.Mod(x, y));
  const ir::ValueId quotient = build.Div(whole, y);
  const ir::ValueId one_more = build.Div(build.Add(whole, y), y);
  ir::ValueId is_negative = build.Less(x, zero);
  if (!IsPositive(build.graph().value(y))) is_negative = build.Xor(is_negative, build.Less(y, zero));
  return build.If(is_negative, build.Sub(one_more, NumberOf(build, dtype, 1)), quotient);
}

ir::ValueId ShiftInType(ir::Builder& build, ir::ValueId by) {
  const DType dtype = build.graph().value(by).dtype;
  return build.Min(build.Max(by, NumberOf(build, dtype, 0)), NumberOf(build, dtype, BitsOf(dtype) - 1));
}

// A shift of the file gives 0 for what is out of range.
ir::ValueId ShiftRightOut(ir::Builder& build, ir::ValueId x, ir::ValueId by) {
  const DType dtype = build.graph().value(x).dtype;
  if (IsUnsigned(dtype)) return build.ShiftRight(x, by);
  const ir::ValueId last = NumberOf(build, dtype, BitsOf(dtype) - 1);
  const ir::ValueId is_out = build.Or(build.Less(by, NumberOf(build, dtype, 0)), build.Greater(by, last));
  return build.ShiftRight(x, build.If(is_out, last, by));
}

}  // namespace micrort::lower
