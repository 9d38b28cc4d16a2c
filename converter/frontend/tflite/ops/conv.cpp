// CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV. Our layouts are TFLite's.

#include "converter/frontend/tflite/ops/hybrid.h"
#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/window.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

namespace {

Status CheckLayer(OpContext& c, size_t x, size_t weights) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(x, 4));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(weights, 4));
  return c.x(weights).is_static() ? Status() : Unsupported("weights whose shape is not fixed");
}

template <typename OptionsT>
Status ReadWindow(OpContext& c, const OptionsT& o, int64_t kernel_h, int64_t kernel_w, ir::ValueId* x,
                  Window* out) {
  out->axes = {{kernel_h, o.stride_h, o.dilation_h_factor}, {kernel_w, o.stride_w, o.dilation_w_factor}};
  const Dilation* dilation = c.subgraph.dilated_convs().Of(c.op.stated());
  if (dilation == nullptr) return SettlePadding(c, o.padding, 0, x, out);
  out->height().dilation = dilation->h, out->width().dilation = dilation->w;
  MICRORT_RETURN_IF_ERROR(SettlePadding(fb::Padding::Valid, c.x(), out));
  out->height().pad_begin = dilation->top, out->height().pad_end = dilation->bottom;
  out->width().pad_begin = dilation->left, out->width().pad_end = dilation->right;
  return Status();
}

// [1,KH,KW,O] to [KH,KW,O].
ir::ValueId DepthwiseFilters(OpContext& c, ir::ValueId id) {
  ir::Value filters = c.value(id);
  filters.shape.erase(filters.shape.begin());
  if (filters.quantization.axis > 0) --filters.quantization.axis;
  return c.build.graph().AddValue(std::move(filters));
}

// The layer as it is on integers, or nothing. `is_padded`: its input is not what the operator reads.
std::optional<std::vector<ir::ValueId>> Int16Inputs(OpContext& c, const LayerPlaces& places, Int16Sums sums,
                                                    bool is_padded, fb::ActivationFunctionType activation) {
  if (is_padded || !Int16Clamp(activation)) return std::nullopt;
  return Int16Layer(c, places, sums);
}

Status ImportConv2D(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckLayer(c, 0, 1));
  const auto o = c.op.Options<fb::Conv2DOptionsT>();
  const std::vector<int64_t> weights = c.x(1).shape;
  const int64_t channels = c.x().shape[3];
  ir::ValueId x = c.input(0);
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, o, weights[1], weights[2], &x, &window));
  if (channels == ir::kDynamic) return Unsupported("a number of channels that is not fixed");
  if (weights[3] < 1 || channels % weights[3] != 0)
    return Invalid("weights for {} of {} channels", weights[3], channels);
  schema::Conv2DOptionsT options;
  window.CopyTo(&options);
  options.groups = static_cast<int32_t>(channels / weights[3]);
  const auto activation = o.fused_activation_function;
  if (auto inputs = Int16Inputs(c, {0, 1, 2}, Int16Sums::kNarrow, x != c.input(0), activation)) {
    options.activation = *Int16Clamp(activation);
    return ReturnInt16(c, std::move(options), std::move(*inputs));
  }
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId bias, ReadBias(c, 2, 0, 1));
  options.compute = HybridConvCompute(c, 0, 1);
  return c.Return(c.build.Add(std::move(options), ir::Present({x, LayerWeights(c, 0, 1), bias})), activation);
}

Status ImportDepthwiseConv2D(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckLayer(c, 0, 1));
  const auto o = c.op.Options<fb::DepthwiseConv2DOptionsT>();
  const std::vector<int64_t> weights = c.x(1).shape;
  const int64_t channels = c.x().shape[3];
  ir::ValueId x = c.input(0);
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, o, weights[1], weights[2], &x, &window));
  if (weights[0] != 1 || (channels > 0 && weights[3] % channels != 0))
    return Invalid("weights [{},...,{}] for {} channels", weights[0], weights[3], channels);
  schema::DepthwiseConv2DOptionsT options;
  window.CopyTo(&options);
  const auto activation = o.fused_activation_function;
  if (auto inputs = Int16Inputs(c, {0, 1, 2}, Int16Sums::kWide, x != c.input(0), activation)) {
    options.activation = *Int16Clamp(activation);
    (*inputs)[1] = DepthwiseFilters(c, (*inputs)[1]);
    return ReturnInt16(c, std::move(options), std::move(*inputs));
  }
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId bias, ReadBias(c, 2, 0, 1));
  options.compute = HybridConvCompute(c, 0, 1);
  const ir::ValueId w =
      c.build.Reshape(LayerWeights(c, 0, 1), {ir::CopyDim(1), ir::CopyDim(2), ir::CopyDim(3)});
  return c.Return(c.build.Add(std::move(options), ir::Present({x, w, bias})), activation);
}

// Rows and columns that transposed windows over x reach, less those that the model computes.
ir::ValueId TransposedExcess(OpContext& c, ir::ValueId x, const Window& window) {
  ir::Builder& b = c.build;
  const ir::ValueId steps = b.Mul(b.SizesOf(x, 1, 3),
                                  b.Integers({window.height().stride, window.width().stride})),
                    reached = b.Add(steps, b.Integers({window.height().span() - window.height().stride,
                                                       window.width().span() - window.width().stride}));
  return b.Sub(reached, b.Slice(c.Int64(0), 0, 1, 3));
}

// Padding of an image by rows and columns, which is cut off where they are negative.
ir::ValueId ImagePads(ir::Builder& b, ir::ValueId begin, ir::ValueId end) {
  const ir::ValueId none = b.Integers({0});
  return b.Concat({none, begin, none, none, end, none}, 0);
}

// Paddings of the image and of the result of transposed windows over it. Where no window reaches, the result
// is the bias, rounded as the sums are; so no padding of the result can add it. Zeros behind the image let
// windows reach all that the model computes; the result is only cut, by negative padding.
// SettleTransposedPadding does the same for a size that is known.
struct TransposedPads {
  ir::ValueId image, cuts;
};

TransposedPads PadsOfComputedShape(OpContext& c, const Window& window) {
  ir::Builder& b = c.build;
  const ir::ValueId both = b.Integers({0, 0}), excess = TransposedExcess(c, c.stored(2), window),
                    strides = b.Integers({window.height().stride, window.width().stride}),
                    spare = b.Integers({window.height().stride - 1, window.width().stride - 1});
  const ir::ValueId lacking = b.Div(b.Sub(spare, excess), strides);
  const ir::ValueId added = b.Max(lacking, both);
  const bool same = c.op.Options<fb::TransposeConvOptionsT>().padding == fb::Padding::Same;
  const ir::ValueId begin = same ? b.Div(b.Max(excess, both), b.Integers({2, 2})) : both;
  const ir::ValueId end = b.Sub(b.Sub(begin, excess), b.Mul(added, strides));
  return {ImagePads(b, both, added), ImagePads(b, b.Sub(both, begin), end)};
}

Status ReturnInt16Transposed(OpContext& c, schema::ConvTranspose2DOptionsT options,
                             const TransposedPads& pads, std::vector<ir::ValueId> inputs) {
  ir::Builder& b = c.build;
  const ir::Value image = c.value(inputs[0]);
  ir::Quantization of_y;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.output_tensor(0), &of_y));
  inputs[0] = b.AddFixed(schema::PadOptionsT(), {inputs[0], pads.image}, image.dtype, image.quantization);
  const ir::ValueId whole = b.AddFixed(std::move(options), std::move(inputs),
                                       DTypeOf(c.op.output_tensor(0).type()), std::move(of_y));
  return ReturnInt16(c, schema::PadOptionsT(), {whole, pads.cuts});
}

// Integers are cut after they are rounded, so that the layer is one of integers, too.
Status ReturnTransposed(OpContext& c, schema::ConvTranspose2DOptionsT options, const TransposedPads& pads) {
  ir::Builder& b = c.build;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId bias, ReadBias(c, 3, 2, 1));
  const ir::ValueId image = b.Add(schema::PadOptionsT(), {c.input(2), pads.image});
  ir::ValueId y = b.Add(std::move(options), ir::Present({image, c.input(1), bias}));
  MICRORT_RETURN_IF_ERROR(
      c.Activate(c.op.Options<fb::TransposeConvOptionsT>().fused_activation_function, &y));
  const fb::Tensor& tensor = c.op.output_tensor(0);
  if (!IsQuantizedActivation(tensor)) return c.Return(b.Add(schema::PadOptionsT(), {y, pads.cuts}));
  ir::Quantization quantization;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(tensor, &quantization));
  y = QuantizedTo(b, y, DTypeOf(tensor.type()), quantization);
  return ReturnInt16(c, schema::PadOptionsT(), {y, pads.cuts});
}

Status ImportTransposeConvOfComputedShape(OpContext& c) {
  const auto o = c.op.Options<fb::TransposeConvOptionsT>();
  const std::vector<int64_t> weights = c.x(1).shape;
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 1));
  if (c.x(0).shape[0] != 4)
    return Invalid("the shape of the output: expected 4 dimensions, found {}", c.x(0).shape[0]);
  Window window = {{{weights[1], o.stride_h}, {weights[2], o.stride_w}}};
  MICRORT_RETURN_IF_ERROR(SettlePadding(fb::Padding::Valid, c.x(2), &window));
  if (o.padding != fb::Padding::Valid && o.padding != fb::Padding::Same)
    return Invalid("padding {}", static_cast<int>(o.padding));
  schema::ConvTranspose2DOptionsT options;
  window.CopyTo(&options);
  const auto activation = o.fused_activation_function;
  const TransposedPads pads = PadsOfComputedShape(c, window);
  auto inputs = Int16Inputs(c, {2, 1, 3}, Int16Sums::kWide, false, activation);
  if (!inputs) return ReturnTransposed(c, std::move(options), pads);
  options.activation = *Int16Clamp(activation);
  return ReturnInt16Transposed(c, std::move(options), pads, std::move(*inputs));
}

Status ImportTransposeConv(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckLayer(c, 2, 1));
  if (!c.IsConstantInput(0)) return ImportTransposeConvOfComputedShape(c);
  const auto o = c.op.Options<fb::TransposeConvOptionsT>();
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> wanted, c.ConstantIntegers(0));
  if (wanted.size() != 4 || wanted[1] < 1 || wanted[2] < 1)
    return Invalid("the shape of the output: expected 4 dimensions, found {}", wanted.size());
  const ir::Value& weights = c.x(1);
  schema::ConvTranspose2DOptionsT options;
  Window window = {{{weights.shape[1], o.stride_h}, {weights.shape[2], o.stride_w}}};
  MICRORT_RETURN_IF_ERROR(SettleTransposedPadding(o.padding, c.x(2).shape[1], wanted[1], &window.height(),
                                                  &options.output_pad_h));
  MICRORT_RETURN_IF_ERROR(
      SettleTransposedPadding(o.padding, c.x(2).shape[2], wanted[2], &window.width(), &options.output_pad_w));
  window.CopyTo(&options);
  const auto activation = o.fused_activation_function;
  if (auto inputs = Int16Inputs(c, {2, 1, 3}, Int16Sums::kWide, false, activation)) {
    options.activation = *Int16Clamp(activation);
    return ReturnInt16(c, std::move(options), std::move(*inputs));
  }
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId bias, ReadBias(c, 3, 2, 1));
  return c.Return(c.build.Add(std::move(options), ir::Present({c.input(2), c.input(1), bias})),
                  o.fused_activation_function);
}

constexpr TypeSet kLayerTypes = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

const ImporterList ConvImporters = {
    {"CONV_2D", 2, 3, ImportConv2D, Types(kLayerTypes)},
    {"DEPTHWISE_CONV_2D", 2, 3, ImportDepthwiseConv2D, Types(kLayerTypes)},
    {"TRANSPOSE_CONV", 3, 4, ImportTransposeConv, Types(kLayerTypes)},
};

}  // namespace micrort::frontend::tflite
