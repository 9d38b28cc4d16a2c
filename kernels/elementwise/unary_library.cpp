#include "kernels/elementwise/unary_library.h"

#include <cmath>

namespace micrort {

double (*LibraryUnary(UnaryKind kind))(double) {
  switch (kind) {
    case UnaryKind::kTanh:
      return std::tanh;
    case UnaryKind::kAbs:
      return std::fabs;
    case UnaryKind::kExp:
      return std::exp;
    case UnaryKind::kLog:
      return std::log;
    case UnaryKind::kSqrt:
      return std::sqrt;
    case UnaryKind::kFloor:
      return std::floor;
    case UnaryKind::kCeil:
      return std::ceil;
    case UnaryKind::kRound:
      return std::nearbyint;
    case UnaryKind::kErf:
      return std::erf;
    case UnaryKind::kSin:
      return std::sin;
    case UnaryKind::kCos:
      return std::cos;
    case UnaryKind::kTan:
      return std::tan;
    case UnaryKind::kAsin:
      return std::asin;
    case UnaryKind::kAcos:
      return std::acos;
    case UnaryKind::kAtan:
      return std::atan;
    case UnaryKind::kSinh:
      return std::sinh;
    case UnaryKind::kCosh:
      return std::cosh;
    case UnaryKind::kAsinh:
      return std::asinh;
    case UnaryKind::kAcosh:
      return std::acosh;
    case UnaryKind::kAtanh:
      return std::atanh;
    default:
      return nullptr;
  }
}

}  // namespace micrort
