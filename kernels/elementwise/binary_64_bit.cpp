#include "kernels/elementwise/binary_64_bit.h"

#include <cmath>
#include <type_traits>

#include "kernels/elementwise/modulo.h"

namespace micrort {
namespace {

template <typename T>
constexpr bool kIsFloat = std::is_floating_point_v<T>;

// Integer arithmetic wraps: signed overflow is undefined in C++, unsigned is not.
template <typename T, typename Function>
inline T Wrapping(T a, T b, Function f) {
  if constexpr (kIsFloat<T>) {
    return f(a, b);
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(f(static_cast<U>(a), static_cast<U>(b)));
  }
}

template <typename T>
inline T Multiply(T a, T b) {
  return Wrapping(a, b, [](auto x, auto y) { return x * y; });
}

// b is not 0.
template <typename T>
inline T Divide(T a, T b) {
  if constexpr (std::is_signed_v<T> && !kIsFloat<T>) {
    if (b == -1) return Wrapping(T{0}, a, [](auto x, auto y) { return x - y; });
  }
  return a / b;
}

// b is not 0.
template <typename T>
inline T TruncatedModulo(T a, T b) {
  if constexpr (kIsFloat<T>) {
    return std::fmod(a, b);
  } else {
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return a % b;
  }
}

template <typename T>
inline T Power(T a, T b) {
  if constexpr (kIsFloat<T>) {
    return std::pow(a, b);
  } else {
    if constexpr (std::is_signed_v<T>) {
      if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
    }
    T result = 1;
    for (; b != 0; b = b / 2) {
      if (b % 2 != 0) result = Multiply(result, a);
      a = Multiply(a, a);
    }
    return result;
  }
}

template <typename T>
inline T Larger(T a, T b) {
  return a != a || a > b ? a : b;
}
template <typename T>
inline T Smaller(T a, T b) {
  return a != a || a < b ? a : b;
}

// Shifting by the width or more leaves nothing.
template <typename T>
inline T ShiftLeft(T a, T b) {
  return static_cast<uint64_t>(b) < 64 ? static_cast<T>(static_cast<uint64_t>(a) << b) : T{0};
}
template <typename T>
inline T ShiftRight(T a, T b) {
  return static_cast<uint64_t>(b) < 64 ? static_cast<T>(a >> b) : T{0};
}

template <typename T>
struct Operands {
  const T* a;
  size_t a_stride;
  const T* b;
  size_t b_stride;
  void* y;
  size_t n;

  template <typename Y, typename Function>
  bool Map(Function f) const {
    auto* out = static_cast<Y*>(y);
    for (size_t i = 0; i < n; ++i) out[i] = static_cast<Y>(f(a[i * a_stride], b[i * b_stride]));
    return true;
  }
  // The same, for functions that integers do not have where b is 0.
  template <typename Function>
  bool MapDivision(Function f) const {
    if constexpr (!kIsFloat<T>) {
      for (size_t i = 0; i < n; ++i) {
        if (b[i * b_stride] == 0) return false;
      }
    }
    return Map<T>(f);
  }
};

template <typename T>
bool Compare(BinaryKind kind, const Operands<T>& x) {
  switch (kind) {
    case BinaryKind::kEqual:
      return x.template Map<uint8_t>([](T a, T b) { return a == b; });
    case BinaryKind::kLess:
      return x.template Map<uint8_t>([](T a, T b) { return a < b; });
    case BinaryKind::kLessOrEqual:
      return x.template Map<uint8_t>([](T a, T b) { return a <= b; });
    case BinaryKind::kGreater:
      return x.template Map<uint8_t>([](T a, T b) { return a > b; });
    default:
      return x.template Map<uint8_t>([](T a, T b) { return a >= b; });
  }
}

template <typename T>
bool Bitwise(BinaryKind kind, const Operands<T>& x) {
  switch (kind) {
    case BinaryKind::kAnd:
    case BinaryKind::kBitwiseAnd:
      return x.template Map<T>([](T a, T b) { return a & b; });
    case BinaryKind::kOr:
    case BinaryKind::kBitwiseOr:
      return x.template Map<T>([](T a, T b) { return a | b; });
    case BinaryKind::kXor:
    case BinaryKind::kBitwiseXor:
      return x.template Map<T>([](T a, T b) { return a ^ b; });
    case BinaryKind::kShiftLeft:
      return x.template Map<T>([](T a, T b) { return ShiftLeft(a, b); });
    default:
      return x.template Map<T>([](T a, T b) { return ShiftRight(a, b); });
  }
}

template <typename T>
bool Arithmetic(BinaryKind kind, const Operands<T>& x) {
  switch (kind) {
    case BinaryKind::kAdd:
      return x.template Map<T>([](T a, T b) { return Wrapping(a, b, [](auto p, auto q) { return p + q; }); });
    case BinaryKind::kSub:
      return x.template Map<T>([](T a, T b) { return Wrapping(a, b, [](auto p, auto q) { return p - q; }); });
    case BinaryKind::kMul:
      return x.template Map<T>(Multiply<T>);
    case BinaryKind::kDiv:
      return x.MapDivision(Divide<T>);
    case BinaryKind::kPow:
      return x.template Map<T>(Power<T>);
    case BinaryKind::kMax:
      return x.template Map<T>(Larger<T>);
    case BinaryKind::kMin:
      return x.template Map<T>(Smaller<T>);
    case BinaryKind::kMod:
      return x.MapDivision(FlooredModulo<T>);
    case BinaryKind::kFmod:
      return x.MapDivision(TruncatedModulo<T>);
    default:
      return x.template Map<T>([](T a, T b) { return a < T{0} ? Multiply(a, b) : a; });
  }
}

template <typename T>
bool BinaryIn64Bits(BinaryKind kind, const void* a, size_t a_stride, const void* b, size_t b_stride, void* y,
                    size_t n) {
  const Operands<T> x = {static_cast<const T*>(a), a_stride, static_cast<const T*>(b), b_stride, y, n};
  if (IsComparison(kind)) return Compare(kind, x);
  if constexpr (!kIsFloat<T>) {
    if (IsLogical(kind) || IsBitwise(kind)) return Bitwise(kind, x);
  }
  return Arithmetic(kind, x);
}

}  // namespace

BinaryIn64BitsFn SelectBinaryIn64Bits(BinaryKind kind, ComputeType type) {
  switch (type) {
    case ComputeType::kF64:
      return IsLogical(kind) || IsBitwise(kind) ? nullptr : BinaryIn64Bits<double>;
    case ComputeType::kS64:
      return BinaryIn64Bits<int64_t>;
    case ComputeType::kU64:
      return BinaryIn64Bits<uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace micrort
