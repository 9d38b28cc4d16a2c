#include "kernels/layer_s8/epilogue_s8.h"

#include <cfloat>
#include <cmath>

#include "kernels/base/checked_math.h"
#include "kernels/base/fixed_point.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/part.h"
#include "kernels/gemm/widen_int4.h"

namespace micrort {

MICRORT_PART(RequantizeKernels);
MICRORT_PART(RequantizeFixedKernels);
MICRORT_PART(PlanFloatOutputS8);
MICRORT_PART(MakeFloatOutputS8);
MICRORT_PART(WidenedScale);

namespace {

size_t ColumnBytes(const Conv2DParams& p) {
  return AlignUp(static_cast<size_t>(p.out_c) * sizeof(int32_t), kAlignment);
}

// By which no sum and no residual becomes infinite: slopes may be 0. What is as large saturates.
constexpr float kLargestWithSlopes = FLT_MAX * 0x1p-33f;

float LargestFactor(const LayerTypes& t) {
  return t.activation.kind == ActivationKind::kPRelu ? kLargestWithSlopes : FLT_MAX;
}

// What the sums of channel o are multiplied by; the scale of dynamic inputs comes later.
float Multiplier(const LayerTypes& t, const ConvWeights& weights, int64_t o) {
  if (t.y == DType::kInt32) return 1.0f;
  const int64_t at = o * weights.scale_stride;
  if (kHasInt4Layers && t.weights == DType::kInt4) {
    const size_t groups = weights.scale_stride == 0 ? 1 : static_cast<size_t>(weights.scale_stride);
    return WidenedScale(weights.grid.From(at), groups);
  }
  const float weight_scale = weights.scales[at];
  if (t.dynamic) return weight_scale;
  if (t.y == DType::kFloat32) return t.x_scale * weight_scale;
  // Finite, so that a sum of 0 is 0 whatever an untrusted file says.
  const double multiplier =
      static_cast<double>(t.x_scale) * static_cast<double>(weight_scale) / static_cast<double>(t.y_scale);
  return multiplier < static_cast<double>(LargestFactor(t)) ? static_cast<float>(multiplier)
                                                            : LargestFactor(t);
}

// The multiplier in the types that TensorFlow Lite computes it in: its fully connected layers with one scale
// multiply floats.
FixedMultiplier MultiplierOfTflite(const LayerTypes& t, const ConvWeights& weights, int64_t o) {
  const float weight_scale = weights.scales[o * weights.scale_stride];
  const double product = t.float_product ? static_cast<double>(t.x_scale * weight_scale)
                                         : static_cast<double>(t.x_scale) * static_cast<double>(weight_scale);
  const double multiplier = product / static_cast<double>(t.y_scale);
  return NearestFixedMultiplier(multiplier < static_cast<double>(FLT_MAX) ? multiplier : FLT_MAX);
}

Span<const RequantizeKernel> KernelsToS8(const LayerTypes& types) {
  return types.rounding == Rounding::kTflite ? RequantizeFixedKernels() : RequantizeKernels();
}

// The sums as they are, wrapping where an untrusted file makes them too large.
void StoreSums(const AccumulatorTile& t, int32_t* y, size_t stride) {
  for (size_t i = 0; i < t.m; ++i) {
    const uint32_t row = t.row_zero_points == nullptr ? 0 : static_cast<uint32_t>(t.row_zero_points[i]);
    for (size_t j = 0; j < t.n; ++j) {
      const uint32_t sum =
          static_cast<uint32_t>(t.acc[i * t.acc_stride + j]) + static_cast<uint32_t>(t.bias[j]);
      y[i * stride + j] = static_cast<int32_t>(sum - row * static_cast<uint32_t>(t.column_sums[j]));
    }
  }
}

}  // namespace

ChannelTable::ChannelTable(const Conv2DParams& p, void* packed) {
  auto* bytes = static_cast<uint8_t*>(packed);
  multipliers = reinterpret_cast<float*>(bytes);
  bias = reinterpret_cast<int32_t*>(bytes + ColumnBytes(p));
  sums = reinterpret_cast<int32_t*>(bytes + 2 * ColumnBytes(p));
  const bool fixed = p.types.rounding == Rounding::kTflite;
  fixed_multipliers = fixed ? reinterpret_cast<int32_t*>(bytes) : nullptr;
  shifts = fixed ? reinterpret_cast<int32_t*>(bytes + 3 * ColumnBytes(p)) : nullptr;
}

size_t ChannelTable::Bytes(const Conv2DParams& p) {
  return (p.types.rounding == Rounding::kTflite ? 4 : 3) * ColumnBytes(p);
}

void ChannelTable::Fill(const Conv2DParams& p, const ConvWeights& weights, int32_t x_offset) {
  // That of dynamic inputs comes later.
  const int32_t zero_point = x_offset + (p.types.dynamic ? 0 : p.types.x_zero_point);
  for (int64_t o = 0; o < p.out_c; ++o) {
    if (shifts != nullptr) {
      const FixedMultiplier multiplier = MultiplierOfTflite(p.types, weights, o);
      fixed_multipliers[o] = multiplier.multiplier;
      shifts[o] = multiplier.shift;
    } else {
      multipliers[o] = Multiplier(p.types, weights, o);
    }
    // Unsigned, because the bias of an untrusted file may be anything.
    uint32_t b = weights.bias == nullptr ? 0 : static_cast<uint32_t>(weights.bias[o]);
    b -= static_cast<uint32_t>(zero_point) * static_cast<uint32_t>(sums[o]);
    bias[o] = static_cast<int32_t>(b);
    if (p.types.asymmetric) {
      sums[o] = weights.zero_points == nullptr ? 0 : weights.zero_points[o * weights.scale_stride];
    }
  }
}

bool HasEpilogueS8(const LayerTypes& types) {
  if (types.y == DType::kFloat32) return MICRORT_HAS_PART(MakeFloatOutputS8);
  const bool has_slopes = types.activation.kind == ActivationKind::kPRelu && types.y == DType::kInt8 &&
                          types.rounding == Rounding::kExact;
  if (!types.activation.is_clamp() && !has_slopes) return false;
  if (types.y == DType::kInt32) return true;
  return types.rounding == Rounding::kTflite ? MICRORT_HAS_PART(RequantizeFixedKernels)
                                             : MICRORT_HAS_PART(RequantizeKernels);
}

void PlanEpilogueS8(const Conv2DParams& p, CpuFeatures features, ConvPlan* plan) {
  if (p.types.y == DType::kFloat32) return PlanFloatOutputS8(p.types, features, plan);
  if (p.types.y != DType::kInt8) return;
  const Span<const RequantizeKernel> kernels = KernelsToS8(p.types);
  plan->requantize = kernels[SelectVariant(kernels, features)].id;
}

EpilogueS8::EpilogueS8(const Conv2DParams& p, const ConvPlan& plan, const ConvTensors& tensors,
                       GemmS8Result result)
    : p_(p),
      tensors_(tensors),
      table_(p, const_cast<void*>(tensors.packed)),
      lo_(p.types.activation.lo()),
      hi_(p.types.activation.hi()),
      residual_ratio_(0.0f),
      shifts_right_(table_.shifts != nullptr && AreAllRight(table_.shifts, static_cast<size_t>(p.out_c))),
      in_micro_kernel_(result == GemmS8Result::kOutputs && p.types.y == DType::kInt8 &&
                       tensors.residual == nullptr && tensors.slopes == nullptr && !p.types.dynamic &&
                       !p.types.asymmetric && table_.shifts == nullptr),
      output_() {
  if (p.types.y == DType::kFloat32) floats_ = MakeFloatOutputS8(p.types, plan);
  if (p.types.y != DType::kInt8) return;
  requantize_ = VariantOf(KernelsToS8(p.types), plan.requantize).run;
  residual_ratio_ =
      static_cast<float>(static_cast<double>(p.types.residual_scale) / static_cast<double>(p.types.y_scale));
  if (p.types.activation.kind == ActivationKind::kPRelu && !(residual_ratio_ < kLargestWithSlopes))
    residual_ratio_ = kLargestWithSlopes;
  // The output's range is a clamp too. Rounding keeps the order of numbers, so clamping first is the same.
  const float lowest = static_cast<float>(INT8_MIN - p.types.y_zero_point);
  const float highest = static_cast<float>(INT8_MAX - p.types.y_zero_point);
  lo_ = lo_ / p.types.y_scale;
  hi_ = hi_ / p.types.y_scale;
  if (p.types.rounding == Rounding::kTflite) {
    // Halves away from zero.
    lo_ = std::round(lo_);
    hi_ = std::round(hi_);
  }
  lo_ = lo_ > highest ? highest : lo_ > lowest ? lo_ : lowest;
  hi_ = hi_ < lowest ? lowest : hi_ < highest ? hi_ : highest;
  if (!in_micro_kernel_) return;
  // Rounding keeps the order of numbers: rounded bounds clamp rounded values.
  const int32_t zero_point = p.types.y_zero_point;
  output_ = {static_cast<int8_t*>(tensors.y),
             static_cast<size_t>(p.out_c),
             table_.bias,
             table_.multipliers,
             zero_point,
             zero_point + static_cast<int32_t>(std::nearbyint(lo_)),
             zero_point + static_cast<int32_t>(std::nearbyint(hi_))};
}

void EpilogueS8::Finish(const int32_t* acc, size_t acc_stride, size_t m, size_t n, int64_t row,
                        int64_t column, const float* row_scales, const int32_t* row_zero_points) const {
  const AccumulatorTile tile = {m,
                                n,
                                acc,
                                acc_stride,
                                table_.bias + column,
                                table_.multipliers + column,
                                row_zero_points,
                                row_scales,
                                table_.sums + column,
                                table_.shifts == nullptr ? nullptr : table_.fixed_multipliers + column,
                                table_.shifts == nullptr ? nullptr : table_.shifts + column,
                                shifts_right_};
  const LayerTypes& t = p_.types;
  const float* slopes = tensors_.slopes == nullptr ? nullptr : tensors_.slopes + column;
  const int64_t at = row * p_.out_c + column;
  const auto stride = static_cast<size_t>(p_.out_c);
  if (t.y == DType::kInt32) return StoreSums(tile, static_cast<int32_t*>(tensors_.y) + at, stride);
  if (t.y == DType::kInt8) {
    const auto* residual = static_cast<const int8_t*>(tensors_.residual);
    requantize_(tile, {static_cast<int8_t*>(tensors_.y) + at, residual == nullptr ? nullptr : residual + at,
                       stride, t.y_zero_point, t.residual_zero_point, residual_ratio_, lo_, hi_, slopes});
    return;
  }
  const auto* residual = static_cast<const float*>(tensors_.residual);
  float* y = static_cast<float*>(tensors_.y) + at;
  const float* bias = tensors_.bias == nullptr ? nullptr : tensors_.bias + column;
  floats_.Finish(tile, {y, bias, residual == nullptr ? nullptr : residual + at, stride, lo_, hi_}, slopes);
}

}  // namespace micrort
