#pragma once
// Sizes of tensors as a model knows them: numbers where they are fixed, else computed for each run.

#include <cstdint>
#include <vector>

#include "converter/ir/build.h"

namespace micrort::frontend {

struct Size {
  int64_t fixed = ir::kDynamic;
  ir::ValueId computed = ir::kNoValue;  // int64[1], where it is not fixed

  Size() = default;
  Size(int64_t size) : fixed(size) {}  // NOLINT(google-explicit-constructor): lists of both read better
  bool is_fixed() const { return fixed != ir::kDynamic; }
};

class Sizes {
 public:
  explicit Sizes(ir::Builder& build) : build_(build) {}

  Size Of(ir::ValueId x, int axis);
  Size Times(const Size& size, int64_t factor) { return With(schema::BinaryKind::Mul, size, factor); }
  Size Over(const Size& size, int64_t divisor) { return With(schema::BinaryKind::Div, size, divisor); }
  Size Plus(const Size& size, int64_t more) { return With(schema::BinaryKind::Add, size, more); }

  // int64[1]
  ir::ValueId Computed(const Size& size);
  // kInvalidModel for a fixed size beyond 32 bits.
  Result<ir::ValueId> Reshape(ir::ValueId x, const std::vector<Size>& shape);

 private:
  Size With(schema::BinaryKind kind, const Size& size, int64_t by);

  ir::Builder& build_;
};

}  // namespace micrort::frontend
