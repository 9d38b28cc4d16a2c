#pragma once
// What fixed-point functions over a vector type F of eight lanes (kernels/base/simd/vec8.h) have in common.

#include <cstddef>
#include <type_traits>

#include "kernels/base/fixed_point.h"
#include "kernels/base/simd/vec8.h"

namespace micrort {
namespace {

template <typename I>
inline typename I::Shift ShiftOf(int n) {
  if constexpr (std::is_same_v<typename I::Shift, int>) {
    return n;
  } else {
    return I::Broadcast(n);
  }
}

template <typename F>
struct FixedScale {
  using I = typename F::Int;
  I multiplier;
  typename I::Shift left, right;

  explicit FixedScale(FixedMultiplier by)
      : multiplier(I::Broadcast(by.multiplier)),
        left(ShiftOf<I>(by.shift > 0 ? by.shift : 0)),
        right(ShiftOf<I>(by.shift > 0 ? 0 : -by.shift)) {}
  I operator()(I x) const { return FixedMultiply(x, multiplier, left, right); }
};

// An operand less its zero point; one element that meets all is read once.
template <typename F, typename T>
class FixedOperand {
 public:
  using I = typename F::Int;

  FixedOperand(const T* data, size_t stride, int32_t zero)
      : data_(stride == 0 ? nullptr : data), zero_(I::Broadcast(zero)), all_(I::Broadcast(*data - zero)) {}
  I At(size_t i) const { return data_ == nullptr ? all_ : I::Load(data_ + i) - zero_; }
  I At(size_t i, size_t n) const { return data_ == nullptr ? all_ : I::LoadPartial(data_ + i, n) - zero_; }

 private:
  const T* data_;
  I zero_, all_;
};

}  // namespace
}  // namespace micrort
