#include "converter/ir/size/sized_tensor.h"

#include <cmath>
#include <cstring>
#include <numeric>

#include "converter/ir/size/make_atom.h"
#include "kernels/base/checked_math.h"

namespace micrort::ir::size {

namespace {

// Finer fractions are not exact once they are multiplied by a size.
constexpr int kMostFractionBits = 16;

Number OfFloat(double value) {
  for (int bits = 0; bits <= kMostFractionBits; ++bits) {
    const double scaled = std::ldexp(value, bits);
    if (!(std::fabs(scaled) < 0x1p31)) break;
    if (scaled == std::floor(scaled)) return Number(static_cast<int64_t>(scaled), int64_t{1} << bits);
  }
  return Number();
}

template <typename T>
Numbers Read(const Bytes& data, int64_t count) {
  Numbers numbers;
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, data.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      numbers.push_back(OfFloat(static_cast<double>(value)));
    } else {
      numbers.emplace_back(Expr(static_cast<int64_t>(value)));
    }
  }
  return numbers;
}

}  // namespace

Number::Number(Expr n, int64_t d) : numerator(std::move(n)), denominator(d) {
  if (denominator == 1 || numerator.is_unknown()) return;
  const int64_t factor = std::gcd(CommonFactor(numerator.terms()), denominator);
  if (factor > 1) {
    numerator = *Divide(numerator, Expr(factor));
    denominator /= factor;
  }
  if (numerator.is(0)) denominator = 1;
}

Expr Number::integer() const { return denominator == 1 ? numerator : Expr::Unknown(); }

bool SizedTensor::is_constant_shape() const {
  for (const Expr& dim : shape) {
    if (!dim.constant()) return false;
  }
  return has_rank;
}

std::optional<int64_t> SizedTensor::elements() const {
  int64_t count = 1;
  for (const Expr& dim : shape) {
    if (!dim.constant() || !CheckedMul(count, *dim.constant(), &count)) return std::nullopt;
  }
  if (!has_rank) return std::nullopt;
  return count;
}

std::optional<Numbers> NumbersOf(DType dtype, const Bytes& data, int64_t count) {
  if (count < 0 || count > kMaxValues) return std::nullopt;
  if (data.size() < static_cast<size_t>(count) * SizeOf(dtype)) return std::nullopt;
  switch (dtype) {
    case DType::kInt64:
      return Read<int64_t>(data, count);
    case DType::kInt32:
      return Read<int32_t>(data, count);
    case DType::kInt16:
      return Read<int16_t>(data, count);
    case DType::kBool:
      return Read<uint8_t>(data, count);
    case DType::kFloat32:
      return Read<float>(data, count);
    case DType::kFloat64:
      return Read<double>(data, count);
    default:
      return std::nullopt;
  }
}

}  // namespace micrort::ir::size
