// MatMul: batched matrix product with bias, residual and activation. One product is a 1x1 convolution whose
// batch items are the rows of a.

#include "kernels/mat_mul/mat_mul.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/gemm/plain_product.h"
#include "kernels/layer_s16/epilogue_s16.h"
#include "kernels/layer_s16/product_s16.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/activation.h"
#include "runtime/ops/conv_layer.h"
#include "runtime/ops/layer_operands.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/parse_rounding.h"
#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {

MICRORT_PART(RunProductS16);

namespace mat_mul_op {
namespace {

struct State {
  schema::WeightCompute compute;
  bool is_empty;  // sums of no products, or no sums
  MatMulCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::MatMulOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.call.transpose_b = options->transpose_b();
  s.compute = options->compute();
  MICRORT_RETURN_IF_ERROR(ParseRounding(op, &s.call.layer.params.types.rounding));
  return ParseActivation(options->activation(), Slopes::kInput, &s.call.layer.params.types.activation);
}

// Dimension i of the `rank` leading ones, counted from the front of the longer shape; 1 where `shape` is
// shorter.
int64_t LeadingDim(const Shape& shape, int rank, int i) {
  const int at = i - (rank - (shape.rank - 2));
  return at < 0 ? 1 : shape[at];
}

Status PlanBatch(const Shape& a, const Shape& b, State* s) {
  s->call.batch_rank = (a.rank > b.rank ? a.rank : b.rank) - 2;
  int64_t a_step = 1, b_step = 1, products = 1;
  for (int i = s->call.batch_rank - 1; i >= 0; --i) {
    const int64_t da = LeadingDim(a, s->call.batch_rank, i), db = LeadingDim(b, s->call.batch_rank, i);
    if (da != db && da != 1 && db != 1) {
      return MICRORT_ERROR(kInvalidModel, "shapes %s and %s do not broadcast", ShapeString(a).c_str(),
                           ShapeString(b).c_str());
    }
    s->call.batch_dims[i] = da == 1 ? db : da;
    s->call.a_steps[i] = da == 1 ? 0 : a_step;
    s->call.b_steps[i] = db == 1 ? 0 : b_step;
    // Also where another dimension is 0, so that the size of the tensor says nothing about this one.
    if (!CheckedMul(a_step, da, &a_step) || !CheckedMul(b_step, db, &b_step) ||
        !CheckedMul(products, s->call.batch_dims[i], &products)) {
      return MICRORT_ERROR(kInvalidModel, "shapes %s and %s are too large", ShapeString(a).c_str(),
                           ShapeString(b).c_str());
    }
  }
  s->call.b_matrices = b_step;
  s->call.products = products;
  return Status();
}

Status ReadShapes(const PrepareContext& context, State* s, Shape* output) {
  const Tensor& a = context.input(kLayerX);
  const Tensor& b = context.input(kLayerWeights);
  if (a.shape.rank < 2 || b.shape.rank < 2) {
    return MICRORT_ERROR(kInvalidModel, "expected matrices, found shapes %s and %s",
                         ShapeString(a.shape).c_str(), ShapeString(b.shape).c_str());
  }
  if (b.dtype == DType::kInt4 && (b.shape.rank != 2 || !s->call.transpose_b)) {
    return MICRORT_ERROR(kUnsupported, "int4 weights of shape %s%s: expected one matrix, transposed",
                         ShapeString(b.shape).c_str(), s->call.transpose_b ? "" : ", not transposed");
  }
  const int64_t m = a.shape[a.shape.rank - 2], k = a.shape[a.shape.rank - 1];
  const int64_t b_rows = b.shape[b.shape.rank - 2];
  const int64_t b_columns = b.shape[b.shape.rank - 1] * WeightsInElement(b);
  const int64_t n = s->call.transpose_b ? b_rows : b_columns;
  if ((s->call.transpose_b ? b_columns : b_rows) != k) {
    return MICRORT_ERROR(kInvalidModel, "cannot multiply %s and %s%s", ShapeString(a.shape).c_str(),
                         ShapeString(b.shape).c_str(), s->call.transpose_b ? " transposed" : "");
  }
  MICRORT_RETURN_IF_ERROR(PlanBatch(a.shape, b.shape, s));
  output->rank = s->call.batch_rank + 2;
  for (int i = 0; i < s->call.batch_rank; ++i) (*output)[i] = s->call.batch_dims[i];
  (*output)[s->call.batch_rank] = m;
  (*output)[s->call.batch_rank + 1] = n;
  Conv2DParams& p = s->call.layer.params;
  p.in_c = k;
  p.out_c = n;
  s->is_empty = k == 0 || n == 0;
  return Status();
}

// After the output's size has been checked.
void PlanProducts(const Shape& output, State* s) {
  s->call.rows = output[s->call.batch_rank];
  if (s->call.b_matrices == 1) {
    s->call.rows *= s->call.products;
    s->call.products = 1;
  }
  Conv2DParams& p = s->call.layer.params;
  p.batch = s->call.rows;
  p.in_h = p.in_w = p.out_h = p.out_w = p.kernel_h = p.kernel_w = 1;
  p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = p.groups = 1;
}

bool IsInt16Product(const PrepareContext& context, Rounding rounding) {
  return kHasInt16 && rounding == Rounding::kTflite && context.input(kLayerX).dtype == DType::kInt16 &&
         context.input(kLayerWeights).dtype == DType::kInt16;
}

// After SetOutput.
Status ReadInt16Product(const PrepareContext& context, Conv2DParams* p) {
  LayerTypes& types = p->types;
  float b_scale = 0;
  MICRORT_RETURN_IF_ERROR(ReadSymmetric(context.input(kLayerX), &types.x_scale));
  MICRORT_RETURN_IF_ERROR(ReadSymmetric(context.input(kLayerWeights), &b_scale));
  MICRORT_RETURN_IF_ERROR(ReadSymmetric(context.output(0), &types.y_scale));
  const double ratio = static_cast<double>(types.x_scale * b_scale) / static_cast<double>(types.y_scale);
  if (!(ratio < kMaxScaleRatioS16) || p->in_c > kMaxProductS16Depth) {
    return MICRORT_ERROR(
        kUnsupported,
        "a product of int16 has rows of at most %lld elements, and its scales less than %d times that of "
        "the output; found %lld and %g",
        static_cast<long long>(kMaxProductS16Depth), static_cast<int>(kMaxScaleRatioS16),
        static_cast<long long>(p->in_c), ratio);
  }
  return MICRORT_HAS_PART(RunProductS16) ? Status() : NotLinked("kInt16");
}

// The types that no layer computes in: plain products, without bias, residual and activation.
Status PreparePlain(PrepareContext& context, const Shape& output, State* s) {
  const DType dtype = context.input(kLayerX).dtype;
  LayerTypes& types = s->call.layer.params.types;
  if (context.input(kLayerWeights).dtype != dtype) {
    return MICRORT_ERROR(kInvalidModel, "expected factors of one type, found %s and %s", Name(dtype),
                         Name(context.input(kLayerWeights).dtype));
  }
  if (context.has_input(kLayerBias) || context.has_input(kLayerResidual) || context.has_input(kLayerSlopes) ||
      types.activation.kind != ActivationKind::kNone) {
    return MICRORT_ERROR(kUnsupported, "a product of %s with bias, residual or activation", Name(dtype));
  }
  types.x = types.y = dtype;
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, dtype, output));
  if (kHasInt16 && dtype == DType::kInt16)
    MICRORT_RETURN_IF_ERROR(ReadInt16Product(context, &s->call.layer.params));
  PlanProducts(output, s);
  context.SetMultiplyAdds(output.elements() * s->call.layer.params.in_c);
  context.SetCall(&s->call);
  return Status();
}

// Layers are planned for one channel at least. Activations that are no clamp would link their kernels into
// each program with a product.
Status PrepareEmpty(PrepareContext& context, const Shape& output, State* s) {
  const Tensor &x = context.input(kLayerX), &weights = context.input(kLayerWeights);
  LayerTypes& types = s->call.layer.params.types;
  if (x.dtype != DType::kFloat32 || weights.dtype != DType::kFloat32 || !types.activation.is_clamp()) {
    return MICRORT_ERROR(kUnsupported,
                         "cannot multiply %s and %s, which have no elements, as %s or with this activation",
                         ShapeString(x.shape).c_str(), ShapeString(weights.shape).c_str(), Name(x.dtype));
  }
  MICRORT_RETURN_IF_ERROR(ReadLayerTypes(context, 0, s->call.layer.params.out_c, s->compute, &types));
  return SetLayerOutput(context, types, output);
}

// Each sum of no products is its bias and residual, in whose memory the output may lie.
void RunEmpty(const RunContext& context, const State& s) {
  const Tensor& output = context.output(0);
  if (s.call.is_plain) {
    std::memset(output.data, 0, output.bytes());
    return;
  }
  const float* bias = FloatBias(context.inputs);
  const auto* residual = static_cast<const float*>(ResidualData(context.inputs));
  const Activation& activation = s.call.layer.params.types.activation;
  const int64_t count = output.shape.elements(), columns = s.call.layer.params.out_c;
  auto* y = static_cast<float*>(output.data);
  for (int64_t i = 0; i < count; ++i) {
    float sum = bias == nullptr ? 0.0f : bias[i % columns];
    if (residual != nullptr) sum += residual[i];
    y[i] =
        activation.kind == ActivationKind::kClip ? std::min(std::max(sum, activation.a), activation.b) : sum;
  }
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 5, 1));
  State& s = context.state<State>();
  Shape output;
  MICRORT_RETURN_IF_ERROR(ReadShapes(context, &s, &output));
  s.call.is_plain = HasPlainProduct(context.input(kLayerX).dtype) ||
                    IsInt16Product(context, s.call.layer.params.types.rounding);
  if (s.call.is_plain) return PreparePlain(context, output, &s);
  if (s.is_empty) return PrepareEmpty(context, output, &s);
  Conv2DParams& p = s.call.layer.params;
  const int b_rank = context.input(kLayerWeights).shape.rank;
  const int channel_axis = s.call.transpose_b ? b_rank - 2 : b_rank - 1;
  MICRORT_RETURN_IF_ERROR(ReadLayerTypes(context, channel_axis, p.out_c, s.compute, &p.types));
  p.types.float_product = context.input(kLayerWeights).quantization.count == 1;
  MICRORT_RETURN_IF_ERROR(SetLayerOutput(context, p.types, output));
  PlanProducts(output, &s);
  MICRORT_RETURN_IF_ERROR(PlanConvLayer(context, s.call.b_matrices, &s.call.layer));
  context.SetMultiplyAdds(output.elements() * p.in_c);
  context.SetCall(&s.call);
  context.SetCost(static_cast<double>(s.call.products) *
                  s.call.layer.algorithm->cost(p, s.call.layer.target));
  return Status();
}

ConvWeights Weights(const State& s, Span<Tensor* const> inputs) {
  const Tensor& b = *inputs[kLayerWeights];
  ConvWeights w = {};
  w.data = b.packed_only ? nullptr : b.data;
  SetMatrixStrides(s.call, &w);
  w.scales = b.quantization.scales;
  w.grid = b.grid;
  w.scale_stride = ScaleStride(b.quantization, s.call.layer.params.out_c);
  w.group = b.quantization.group;
  w.bias = IntegerBias(inputs);
  w.zero_points = b.quantization.zero_points;
  w.wide_bias = WideBias(inputs);
  return w;
}

Status Pack(const PackContext& context) {
  const State& s = context.get<State>();
  const ConvWeights weights = Weights(s, context.inputs);
  for (int64_t i = 0; i < s.call.b_matrices; ++i) {
    PackConvLayer(s.call.layer, MatrixOf(s.call, weights, i), i, context.destination);
  }
  return Status();
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  if (s.is_empty) {
    RunEmpty(context, s);
    return Status();
  }
  ConvTensors tensors = {};
  tensors.x = context.input(kLayerX).data;
  tensors.packed = context.packed[0];
  tensors.bias = FloatBias(context.inputs);
  tensors.residual = ResidualData(context.inputs);
  tensors.slopes = SlopesData(context.inputs);
  tensors.y = context.output(0).data;
  tensors.scratch = context.scratch;
  RunMatMul(s.call, Weights(s, context.inputs), tensors, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace mat_mul_op

MICRORT_OPERATOR(MatMul, mat_mul_op, sizeof(State), Parse, Prepare, Pack, Run)

}  // namespace micrort
