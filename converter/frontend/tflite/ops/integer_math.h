#pragma once
// What of formulas on integers of 64 bits is written often.

#include "converter/ir/build.h"

namespace micrort::frontend::tflite {

// T: int64_t or uint64_t.
template <typename T>
class IntegerMath {
 public:
  explicit IntegerMath(ir::Builder& b) : b_(b) {}

  ir::ValueId From(ir::ValueId x) { return b_.Cast(x, std::is_signed_v<T> ? DType::kInt64 : DType::kUInt64); }
  ir::ValueId Num(T v) { return b_.Constant<T>({}, {v}); }
  ir::ValueId Add(ir::ValueId a, ir::ValueId b) { return b_.Add(a, b); }
  ir::ValueId Sub(ir::ValueId a, ir::ValueId b) { return b_.Sub(a, b); }
  ir::ValueId Mul(ir::ValueId a, ir::ValueId b) { return b_.Mul(a, b); }
  ir::ValueId Min(ir::ValueId a, ir::ValueId b) { return b_.Min(a, b); }
  ir::ValueId Max(ir::ValueId a, ir::ValueId b) { return b_.Max(a, b); }
  ir::ValueId And(ir::ValueId a, T mask) { return b_.BitwiseAnd(a, Num(mask)); }
  ir::ValueId Left(ir::ValueId a, ir::ValueId bits) { return b_.ShiftLeft(a, bits); }
  ir::ValueId Right(ir::ValueId a, ir::ValueId bits) { return b_.ShiftRight(a, bits); }
  ir::ValueId Greater(ir::ValueId a, ir::ValueId b) { return b_.Greater(a, b); }
  ir::ValueId If(ir::ValueId p, ir::ValueId a, ir::ValueId b) { return b_.Select({p, a, b}); }
  // (a + half) >> bits
  ir::ValueId RoundedRight(ir::ValueId a, int bits) {
    return Right(Add(a, Num(T{1} << (bits - 1))), Num(static_cast<T>(bits)));
  }

 private:
  ir::Builder& b_;
};

}  // namespace micrort::frontend::tflite
