#include "kernels/reference/unary.h"

#include <cmath>

namespace micrort::reference {
namespace {

constexpr double kPi = 3.14159265358979323846;

double Clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
double Sigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
double Softplus(double x) { return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x))); }

}  // namespace

double Unary(const UnaryOp& op, double x) {
  const double a = static_cast<double>(op.a), b = static_cast<double>(op.b);
  if (std::isnan(x)) return x;
  switch (op.kind) {
    case UnaryKind::kIdentity:
      return x;
    case UnaryKind::kClip:
      return Clamp(x, a, b);
    case UnaryKind::kLeakyRelu:
      return x < 0 ? a * x : x;
    case UnaryKind::kSigmoid:
      return Sigmoid(x);
    case UnaryKind::kTanh:
      return std::tanh(x);
    case UnaryKind::kHardSigmoid:
      return Clamp(a * x + b, 0, 1);
    case UnaryKind::kHardSwish:
      return x * Clamp(x / 6 + 0.5, 0, 1);
    case UnaryKind::kSilu:
      return x * Sigmoid(x);
    case UnaryKind::kAbs:
      return std::fabs(x);
    case UnaryKind::kNeg:
      return -x;
    case UnaryKind::kExp:
      return std::exp(x);
    case UnaryKind::kLog:
      return std::log(x);
    case UnaryKind::kSqrt:
      return std::sqrt(x);
    case UnaryKind::kReciprocal:
      return 1 / x;
    case UnaryKind::kFloor:
      return std::floor(x);
    case UnaryKind::kCeil:
      return std::ceil(x);
    case UnaryKind::kRound:
      return std::nearbyint(x);
    case UnaryKind::kSign:
      return x > 0 ? 1 : x < 0 ? -1 : 0;
    case UnaryKind::kErf:
      return std::erf(x);
    case UnaryKind::kElu:
      return x < 0 ? a * std::expm1(x) : x;
    case UnaryKind::kSelu:
      return b * (x < 0 ? a * std::expm1(x) : x);
    case UnaryKind::kSoftplus:
      return Softplus(x);
    case UnaryKind::kSoftsign:
      return x / (1 + std::fabs(x));
    case UnaryKind::kSin:
      return std::sin(x);
    case UnaryKind::kCos:
      return std::cos(x);
    case UnaryKind::kTan:
      return std::tan(x);
    case UnaryKind::kAsin:
      return std::asin(x);
    case UnaryKind::kAcos:
      return std::acos(x);
    case UnaryKind::kAtan:
      return std::atan(x);
    case UnaryKind::kSinh:
      return std::sinh(x);
    case UnaryKind::kCosh:
      return std::cosh(x);
    case UnaryKind::kAsinh:
      return std::asinh(x);
    case UnaryKind::kAcosh:
      return std::acosh(x);
    case UnaryKind::kAtanh:
      return std::atanh(x);
    case UnaryKind::kThresholdedRelu:
      return x > a ? x : 0;
    case UnaryKind::kCelu:
      return (x > 0 ? x : 0) + std::fmin(0, a * std::expm1(x / a));
    case UnaryKind::kShrink:
      return x < -b ? x + a : x > b ? x - a : 0;
    case UnaryKind::kGelu:
      return x / 2 * std::erfc(-x / std::sqrt(2.0));
    case UnaryKind::kGeluTanh:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / kPi) * (x + 0.044715 * x * x * x)));
    case UnaryKind::kMish:
      return x * std::tanh(Softplus(x));
    default:
      return std::nan("");
  }
}

}  // namespace micrort::reference
