#include "runtime/ops/layer_operands.h"

#include <cinttypes>
#include <cmath>

#include "kernels/base/checked_math.h"
#include "kernels/base/has_int16.h"
#include "kernels/base/int4.h"
#include "kernels/base/part.h"
#include "kernels/gemm/pack_narrow.h"
#include "kernels/layer_s16/epilogue_s16.h"
#include "runtime/ops/per_tensor_quantization.h"
#include "runtime/ops/read_int4_grid.h"

namespace micrort {

MICRORT_PART(PackNarrowBF32);
MICRORT_PART(PackInt4BF32);
MICRORT_PART(ReadInt4Grid);

namespace {

// More than one if groups of weights have their own.
int64_t ScalesAChannel(const Tensor& w, int64_t channels) {
  if (w.dtype != DType::kInt4 || w.quantization.group <= 0) return 1;
  return CeilDiv(2 * w.shape.elements() / channels, int64_t{w.quantization.group});
}

// Dynamic inputs have none: their sums of weights are of bare integers.
bool TakesZeroPoints(const LayerTypes& types) {
  return types.x == DType::kInt8 || (types.weights == DType::kInt4 && !types.dynamic);
}

// Sums of bare integers need no scales.
Status ReadWeightQuantization(const Tensor& w, int axis, int64_t channels, LayerTypes* types) {
  const QuantizationView& q = w.quantization;
  if (q.empty() && types->y == DType::kInt32) return Status();
  const bool per_channel =
      q.axis == axis && static_cast<int64_t>(q.count) == channels * ScalesAChannel(w, channels);
  if (!per_channel && (q.count != 1 || q.group != 0)) {
    return MICRORT_ERROR(kInvalidModel,
                         "weights '%s': expected one scale, or %" PRId64
                         " along axis %d, found %zu along axis %d",
                         w.name, channels * ScalesAChannel(w, channels), axis, q.count, q.axis);
  }
  const bool takes_zero_points = TakesZeroPoints(*types);
  types->weight_group = q.group;
  if (kHasInt4Layers && w.dtype == DType::kInt4) return ReadInt4Grid(w, takes_zero_points, types);
  for (size_t i = 0; i < q.count; ++i) {
    const int32_t zero_point = q.zero_point(i);
    types->asymmetric |= zero_point != 0;
    if (zero_point == 0 || (takes_zero_points && zero_point >= INT8_MIN && zero_point <= INT8_MAX)) continue;
    return MICRORT_ERROR(kInvalidModel, "weights '%s': zero point %d must be %s", w.name,
                         static_cast<int>(zero_point), takes_zero_points ? "an int8" : "0");
  }
  return CheckScales(w);
}

// Whether the program has the parts that the weights need (micrort/op_types.h).
Status CheckNarrowWeights(const LayerTypes& types) {
  const bool in_int8 = types.dynamic || types.grouped;
  if (types.weights == DType::kInt4) {
    const bool has_parts = MICRORT_HAS_PART(ReadInt4Grid) && (in_int8 || MICRORT_HAS_PART(PackInt4BF32));
    return has_parts ? Status() : NotLinked("kInt4Weights");
  }
  const bool has_parts = in_int8 || types.weights == DType::kFloat32 || MICRORT_HAS_PART(PackNarrowBF32);
  return has_parts ? Status() : NotLinked("kNarrowWeights");
}

Status ReadFloatLayer(const PrepareContext& context, schema::WeightCompute compute, LayerTypes* types) {
  const bool known = types->weights == DType::kFloat32 || types->weights == DType::kFloat16 ||
                     types->weights == DType::kInt8 || types->weights == DType::kInt4;
  if (!known) {
    return MICRORT_ERROR(kUnsupported, "weights '%s': expected float32, float16, int8 or int4, found %s",
                         context.input(kLayerWeights).name, Name(types->weights));
  }
  types->y = DType::kFloat32;
  types->symmetric = compute == schema::WeightCompute::SymmetricInt8 && types->weights == DType::kInt8;
  const bool has_integers =
      types->weights == DType::kInt8 || (kHasInt4Layers && types->weights == DType::kInt4);
  types->dynamic = types->symmetric || (compute == schema::WeightCompute::DynamicInt8 && has_integers);
  types->grouped =
      kHasInt4Layers && compute == schema::WeightCompute::GroupedInt8 && types->weights == DType::kInt4;
  return kHasInt4Layers ? CheckNarrowWeights(*types) : Status();
}

// Half activations are multiplied by half weights.
Status ReadHalfLayer(const PrepareContext& context, schema::WeightCompute compute, LayerTypes* types) {
  const bool want_dynamic = compute != schema::WeightCompute::Float && compute != schema::WeightCompute::Half;
  if (types->weights != DType::kFloat16 || want_dynamic) {
    return MICRORT_ERROR(kUnsupported, "float16 input needs float16 weights%s, '%s' is %s",
                         want_dynamic ? " that are not multiplied in int8" : "",
                         context.input(kLayerWeights).name, Name(types->weights));
  }
  types->y = context.output(0).dtype == DType::kFloat32 ? DType::kFloat32 : DType::kFloat16;
  return Status();
}

Status ReadSums(const PrepareContext& context, LayerTypes* types) {
  types->y = DType::kInt32;
  if (context.has_input(kLayerResidual) || types->activation.kind != ActivationKind::kNone) {
    return MICRORT_ERROR(kInvalidModel, "an int32 output takes neither residual nor activation");
  }
  const Tensor& x = context.input(kLayerX);
  return x.quantization.empty() ? Status() : ReadPerTensor(x, &types->x_scale, &types->x_zero_point);
}

Status ReadIntegerLayer(const PrepareContext& context, LayerTypes* types) {
  if (types->weights != DType::kInt8) {
    return MICRORT_ERROR(kInvalidModel, "int8 input needs int8 weights, '%s' is %s",
                         context.input(kLayerWeights).name, Name(types->weights));
  }
  const Tensor& y = context.output(0);
  const bool sums = y.dtype == DType::kInt32 || (y.dtype == DType::kUnknown && y.quantization.empty());
  if (sums) return ReadSums(context, types);
  types->y = y.dtype == DType::kFloat32 ? DType::kFloat32 : DType::kInt8;
  MICRORT_RETURN_IF_ERROR(ReadPerTensor(context.input(kLayerX), &types->x_scale, &types->x_zero_point));
  if (types->y != DType::kInt8) return Status();
  MICRORT_RETURN_IF_ERROR(ReadPerTensor(y, &types->y_scale, &types->y_zero_point));
  if (!context.has_input(kLayerResidual)) return Status();
  return ReadPerTensor(context.input(kLayerResidual), &types->residual_scale, &types->residual_zero_point);
}

// TensorFlow Lite's scheme of int16 activations and int8 weights.
Status ReadInt16Layer(const PrepareContext& context, LayerTypes* types) {
  const Tensor& y = context.output(0);
  if (types->rounding != Rounding::kTflite || types->weights != DType::kInt8 ||
      (y.dtype != DType::kInt16 && y.dtype != DType::kUnknown)) {
    return MICRORT_ERROR(kUnsupported,
                         "int16 input needs int8 weights, int16 output and TensorFlow Lite's rounding, found "
                         "weights of %s, output of %s and %s rounding",
                         Name(types->weights), Name(y.dtype),
                         types->rounding == Rounding::kExact ? "exact" : "TensorFlow Lite's");
  }
  types->y = DType::kInt16;
  types->narrow_sums = context.has_input(kLayerBias) && context.input(kLayerBias).dtype == DType::kInt32;
  MICRORT_RETURN_IF_ERROR(ReadSymmetric(context.input(kLayerX), &types->x_scale));
  return ReadSymmetric(y, &types->y_scale);
}

// Behind the weights' own checks. Products of two floats are exact; divisions would take long where doubles
// are computed in software.
Status CheckInt16Scales(const QuantizationView& weights, const LayerTypes& types) {
  const double limit = kMaxScaleRatioS16 * static_cast<double>(types.y_scale);
  for (size_t i = 0; i < weights.count; ++i) {
    const double scale = static_cast<double>(types.x_scale) * static_cast<double>(weights.scale(i));
    if (scale < limit) continue;
    return MICRORT_ERROR(
        kUnsupported,
        "int16 sums of channel %zu: the scale of the output must be more than a %dth of %g, found %g", i,
        static_cast<int>(kMaxScaleRatioS16), scale, static_cast<double>(types.y_scale));
  }
  return Status();
}

Status CheckRounding(const PrepareContext& context, LayerTypes* types) {
  if (types->rounding == Rounding::kExact) return Status();
  const bool has_form = types->y == DType::kInt8 || (kHasInt16 && types->y == DType::kInt16);
  if (!has_form || context.has_input(kLayerResidual)) {
    return MICRORT_ERROR(
        kInvalidModel, "TensorFlow Lite's rounding needs an int8 or int16 output and no residual, found %s%s",
        Name(types->y), context.has_input(kLayerResidual) ? " and a residual" : "");
  }
  return Status();
}

Status CheckHalf(const PrepareContext& context, const LayerTypes& types) {
  if (!types.half || (!types.is_s8() && types.weights == DType::kFloat16)) return Status();
  return MICRORT_ERROR(kInvalidModel,
                       "to compute in half needs input of floats or halves and float16 weights, '%s' is %s",
                       context.input(kLayerWeights).name, Name(types.weights));
}

Status CheckBias(const PrepareContext& context, const LayerTypes& types, int64_t channels) {
  if (!context.has_input(kLayerBias)) return Status();
  const Tensor& bias = context.input(kLayerBias);
  const DType expected = types.x == DType::kInt8 || types.narrow_sums ? DType::kInt32
                         : kHasInt16 && types.is_s16()                ? DType::kInt64
                                                                      : DType::kFloat32;
  if (bias.dtype == expected && bias.shape == Shape::Of(channels)) return Status();
  return MICRORT_ERROR(kInvalidModel, "bias '%s': expected %s of %" PRId64 " elements, found %s of shape %s",
                       bias.name, Name(expected), channels, Name(bias.dtype),
                       ShapeString(bias.shape).c_str());
}

bool AreFinite(const Tensor& t) {
  for (size_t i = 0; i < t.elements(); ++i) {
    if (!std::isfinite(t.as<float>()[i])) return false;
  }
  return true;
}

// Integer epilogues need finite ones.
Status CheckSlopes(const PrepareContext& context, const LayerTypes& types, int64_t channels) {
  const bool wanted = types.activation.kind == ActivationKind::kPRelu;
  if (wanted != context.has_input(kLayerSlopes)) {
    return MICRORT_ERROR(kInvalidModel,
                         "PRelu and no other activation has slopes, found activation %d %s slopes",
                         static_cast<int>(types.activation.kind), wanted ? "without" : "with");
  }
  if (!wanted) return Status();
  const Tensor& slopes = context.input(kLayerSlopes);
  if (slopes.dtype != DType::kFloat32 || !(slopes.shape == Shape::Of(channels)) || !slopes.constant) {
    return MICRORT_ERROR(
        kInvalidModel,
        "slopes '%s': expected constant float32 of %" PRId64 " elements, found %s%s of shape %s", slopes.name,
        channels, slopes.constant ? "" : "computed ", Name(slopes.dtype), ShapeString(slopes.shape).c_str());
  }
  if (types.y == DType::kFloat32 || slopes.data == nullptr || AreFinite(slopes)) return Status();
  return MICRORT_ERROR(kInvalidModel, "slopes '%s' are not finite", slopes.name);
}

}  // namespace

Status ReadLayerTypes(const PrepareContext& context, int axis, int64_t channels,
                      schema::WeightCompute compute, LayerTypes* types) {
  const Activation activation = types->activation;
  const Rounding rounding = types->rounding;
  *types = LayerTypes{};
  types->activation = activation;
  types->rounding = rounding;
  types->half = compute == schema::WeightCompute::Half;
  types->x = context.input(kLayerX).dtype;
  types->weights = context.input(kLayerWeights).dtype;
  types->x_scale = types->y_scale = types->residual_scale = 1.0f;
  if (types->x == DType::kFloat32) {
    MICRORT_RETURN_IF_ERROR(ReadFloatLayer(context, compute, types));
  } else if (types->x == DType::kInt8) {
    MICRORT_RETURN_IF_ERROR(ReadIntegerLayer(context, types));
  } else if (types->x == DType::kFloat16) {
    MICRORT_RETURN_IF_ERROR(ReadHalfLayer(context, compute, types));
  } else if (kHasInt16 && types->x == DType::kInt16) {
    MICRORT_RETURN_IF_ERROR(ReadInt16Layer(context, types));
  } else {
    return MICRORT_ERROR(kUnsupported, "input '%s': expected float32, float16, int8 or int16, found %s",
                         context.input(kLayerX).name, Name(types->x));
  }
  if (types->weights == DType::kInt8 || types->weights == DType::kInt4) {
    MICRORT_RETURN_IF_ERROR(ReadWeightQuantization(context.input(kLayerWeights), axis, channels, types));
  }
  if (kHasInt16 && types->is_s16())
    MICRORT_RETURN_IF_ERROR(CheckInt16Scales(context.input(kLayerWeights).quantization, *types));
  MICRORT_RETURN_IF_ERROR(CheckRounding(context, types));
  MICRORT_RETURN_IF_ERROR(CheckHalf(context, *types));
  MICRORT_RETURN_IF_ERROR(CheckBias(context, *types, channels));
  return CheckSlopes(context, *types, channels);
}

Status SetLayerOutput(PrepareContext& context, const LayerTypes& types, const Shape& shape) {
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, types.y, shape));
  if (!context.has_input(kLayerResidual)) return Status();
  const Tensor& residual = context.input(kLayerResidual);
  if (residual.dtype == types.y && residual.shape == shape) {
    context.AllowInPlace(0, kLayerResidual);
    return Status();
  }
  return MICRORT_ERROR(kInvalidModel,
                       "residual '%s': expected %s of shape %s as the output, found %s of shape %s",
                       residual.name, Name(types.y), ShapeString(shape).c_str(), Name(residual.dtype),
                       ShapeString(residual.shape).c_str());
}

int64_t ScaleStride(const QuantizationView& q, int64_t channels) {
  return q.count > 1 ? static_cast<int64_t>(q.count) / channels : 0;
}

bool HasConstantWeights(const PrepareContext& context) {
  return context.input(kLayerWeights).constant &&
         (!context.has_input(kLayerBias) || context.input(kLayerBias).constant);
}

Status ExpectRank(const Tensor& t, const char* what, int rank) {
  if (t.shape.rank == rank) return Status();
  return MICRORT_ERROR(kInvalidModel, "%s '%s': expected %d dimensions, found shape %s", what, t.name, rank,
                       ShapeString(t.shape).c_str());
}

Status CheckedSize(uint64_t bytes, const char* what, size_t* out) {
  if (bytes > PTRDIFF_MAX) {
    return MICRORT_ERROR(kOutOfMemory, "%s of %" PRIu64 " bytes exceed the address space", what, bytes);
  }
  *out = static_cast<size_t>(bytes);
  return Status();
}

namespace {

const Tensor* OptionalInput(Span<Tensor* const> inputs, size_t i) {
  return i < inputs.size() ? inputs[i] : nullptr;
}

}  // namespace

const float* FloatBias(Span<Tensor* const> inputs) {
  const Tensor* bias = OptionalInput(inputs, kLayerBias);
  return bias != nullptr && bias->dtype == DType::kFloat32 ? bias->as<float>() : nullptr;
}

const int32_t* IntegerBias(Span<Tensor* const> inputs) {
  const Tensor* bias = OptionalInput(inputs, kLayerBias);
  return bias != nullptr && bias->dtype == DType::kInt32 ? bias->as<int32_t>() : nullptr;
}

const int64_t* WideBias(Span<Tensor* const> inputs) {
  const Tensor* bias = OptionalInput(inputs, kLayerBias);
  return kHasInt16 && bias != nullptr && bias->dtype == DType::kInt64 ? bias->as<int64_t>() : nullptr;
}

const void* ResidualData(Span<Tensor* const> inputs) {
  const Tensor* residual = OptionalInput(inputs, kLayerResidual);
  return residual == nullptr ? nullptr : residual->data;
}

const float* SlopesData(Span<Tensor* const> inputs) {
  const Tensor* slopes = OptionalInput(inputs, kLayerSlopes);
  return slopes == nullptr ? nullptr : slopes->as<float>();
}

}  // namespace micrort
