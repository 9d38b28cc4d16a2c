#include "kernels/elementwise/unary_64_bit.h"

#include <cmath>
#include <type_traits>

#include "kernels/elementwise/convert_element.h"
#include "kernels/elementwise/unary_library.h"

namespace micrort {
namespace {

template <typename T, typename Function>
void Map(const void* x, void* y, size_t n, Function f) {
  const auto* in = static_cast<const T*>(x);
  auto* out = static_cast<T*>(y);
  for (size_t i = 0; i < n; ++i) out[i] = f(in[i]);
}

template <typename T>
T Negate(T x) {
  return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(x));
}

template <typename T>
T Clamp(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}

template <typename T>
void UnaryInteger(const UnaryOp& op, const void* x, void* y, size_t n) {
  const T a = ConvertElement<T>(op.a), b = ConvertElement<T>(op.b);
  switch (op.kind) {
    case UnaryKind::kClip:
      return Map<T>(x, y, n, [=](T v) { return Clamp(v, a, b); });
    case UnaryKind::kAbs:
      return Map<T>(x, y, n, [](T v) { return v < T{0} ? Negate(v) : v; });
    case UnaryKind::kNeg:
      return Map<T>(x, y, n, Negate<T>);
    case UnaryKind::kSign:
      return Map<T>(x, y, n, [](T v) { return static_cast<T>((v > 0) - (v < T{0})); });
    case UnaryKind::kBitwiseNot:
      return Map<T>(x, y, n, [](T v) { return ~v; });
    default:
      return Map<T>(x, y, n, [](T v) { return v; });
  }
}

bool HasInteger(UnaryKind kind) {
  return kind == UnaryKind::kIdentity || kind == UnaryKind::kClip || kind == UnaryKind::kAbs ||
         kind == UnaryKind::kNeg || kind == UnaryKind::kSign || kind == UnaryKind::kBitwiseNot;
}

double Softplus(double x) { return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x))); }

double ScaledElu(double x, double alpha, double scale) { return scale * (x < 0 ? alpha * std::expm1(x) : x); }

// The functions that models seldom have of doubles: one loop serves them all, as their size counts.
double SeldomF64(const UnaryOp& op, double x) {
  const double a = static_cast<double>(op.a), b = static_cast<double>(op.b);
  switch (op.kind) {
    case UnaryKind::kHardSigmoid:
      return Clamp(a * x + b, 0.0, 1.0);
    case UnaryKind::kHardSwish:
      return x * Clamp(x / 6 + 0.5, 0.0, 1.0);
    case UnaryKind::kSilu:
      return x / (1 + std::exp(-x));
    case UnaryKind::kElu:
      return ScaledElu(x, a, 1);
    case UnaryKind::kSelu:
      return ScaledElu(x, a, b);
    case UnaryKind::kSoftplus:
      return Softplus(x);
    case UnaryKind::kSoftsign:
      return x / (1 + std::fabs(x));
    case UnaryKind::kThresholdedRelu:
      return x <= a ? 0 : x;
    case UnaryKind::kCelu:
      return x > 0 ? x : a * std::expm1(x / a);
    case UnaryKind::kShrink:
      return x < -b ? x + a : x <= b ? 0 : x - a;
    case UnaryKind::kGelu:
      return x / 2 * std::erfc(-x * 0.70710678118654752);
    case UnaryKind::kGeluTanh:
      return x / 2 * (1 + std::tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
    default:
      return x * std::tanh(Softplus(x));  // kMish
  }
}

bool IsSeldom(UnaryKind kind) {
  return (kind >= UnaryKind::kHardSigmoid && kind <= UnaryKind::kSilu) ||
         (kind >= UnaryKind::kElu && kind <= UnaryKind::kSoftsign) ||
         (kind >= UnaryKind::kThresholdedRelu && kind <= UnaryKind::kMish);
}

void UnaryF64(const UnaryOp& op, const void* x, void* y, size_t n) {
  if (IsSeldom(op.kind)) return Map<double>(x, y, n, [&](double v) { return SeldomF64(op, v); });
  const double a = static_cast<double>(op.a), b = static_cast<double>(op.b);
  switch (op.kind) {
    case UnaryKind::kIdentity:
      return Map<double>(x, y, n, [](double v) { return v; });
    case UnaryKind::kClip:
      return Map<double>(x, y, n, [=](double v) { return Clamp(v, a, b); });
    case UnaryKind::kLeakyRelu:
      return Map<double>(x, y, n, [=](double v) { return v < 0 ? a * v : v; });
    case UnaryKind::kSigmoid:
      return Map<double>(x, y, n, [](double v) { return 1 / (1 + std::exp(-v)); });
    case UnaryKind::kNeg:
      return Map<double>(x, y, n, [](double v) { return -v; });
    case UnaryKind::kReciprocal:
      return Map<double>(x, y, n, [](double v) { return 1 / v; });
    case UnaryKind::kSign:
      return Map<double>(x, y, n, [](double v) { return v > 0 ? 1 : v < 0 ? -1 : v; });
    default:
      return Map<double>(x, y, n, LibraryUnary(op.kind));
  }
}

bool HasF64(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::kIdentity:
    case UnaryKind::kClip:
    case UnaryKind::kLeakyRelu:
    case UnaryKind::kSigmoid:
    case UnaryKind::kNeg:
    case UnaryKind::kReciprocal:
    case UnaryKind::kSign:
      return true;
    default:
      return IsSeldom(kind) || LibraryUnary(kind) != nullptr;
  }
}

template <typename T>
void Classify(UnaryKind kind, const void* x, uint8_t* y, size_t n) {
  const auto* in = static_cast<const T*>(x);
  for (size_t i = 0; i < n; ++i) y[i] = kind == UnaryKind::kIsNaN ? std::isnan(in[i]) : std::isinf(in[i]);
}

}  // namespace

UnaryIn64BitsFn SelectUnaryIn64Bits(UnaryKind kind, ComputeType type) {
  switch (type) {
    case ComputeType::kF64:
      return HasF64(kind) ? UnaryF64 : nullptr;
    case ComputeType::kS64:
      return HasInteger(kind) ? UnaryInteger<int64_t> : nullptr;
    case ComputeType::kU64:
      return HasInteger(kind) ? UnaryInteger<uint64_t> : nullptr;
    default:
      return nullptr;
  }
}

void ClassifyFloats(UnaryKind kind, ComputeType type, const void* x, uint8_t* y, size_t n) {
  if (type == ComputeType::kF64) {
    Classify<double>(kind, x, y, n);
  } else {
    Classify<float>(kind, x, y, n);
  }
}

}  // namespace micrort
