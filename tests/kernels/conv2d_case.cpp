#include "tests/kernels/conv2d_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/base/checked_math.h"
#include "kernels/base/target.h"
#include "kernels/conv/read_weight.h"
#include "kernels/conv2d/algorithm_ids.h"
#include "kernels/dwconv/dwconv_s8.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/layer_s8/dynamic_input_s8.h"
#include "tests/kernels/run_conv.h"

namespace micrort::testing {

Conv2DParams MakeParams(const ConvShape& s) {
  Conv2DParams p = {};
  p.batch = s.batch, p.in_h = s.height, p.in_w = s.width, p.in_c = s.channels, p.out_c = s.columns;
  p.kernel_h = p.kernel_w = s.kernel;
  p.stride_h = p.stride_w = s.stride;
  p.dilation_h = p.dilation_w = s.dilation;
  p.pad_top = p.pad_left = s.pad;
  p.groups = s.groups;
  const int64_t extent = s.dilation * (s.kernel - 1) + 1;
  p.out_h = (s.height + 2 * s.pad - extent) / s.stride + 1;
  p.out_w = (s.width + 2 * s.pad - extent) / s.stride + 1;
  p.types.x = p.types.weights = p.types.y = DType::kFloat32;
  p.types.x_scale = p.types.y_scale = p.types.residual_scale = 1.0f;
  return p;
}

ConvShape RandomShape(Random& random) {
  const int64_t groups = random.Integer(1, 3);
  const int64_t kernel = random.Integer(1, 4), dilation = random.Integer(1, 2), pad = random.Integer(0, 3);
  const int64_t smallest = std::max<int64_t>(1, dilation * (kernel - 1) + 1 - 2 * pad);
  ConvShape s = {};
  s.batch = random.Integer(1, 3);
  s.height = random.Integer(smallest, smallest + 10);
  s.width = random.Integer(smallest, smallest + 10);
  s.channels = groups * random.Integer(1, 20);
  s.columns = groups * random.Integer(1, 20);
  s.kernel = kernel, s.stride = random.Integer(1, 3), s.dilation = dilation, s.pad = pad, s.groups = groups;
  if (random.Integer(0, 2) == 0) s.columns = s.groups = s.channels;
  return s;
}

std::string Describe(const Conv2DParams& p) {
  const auto dims = [](std::initializer_list<int64_t> list) {
    std::string s;
    for (int64_t d : list) s += (s.empty() ? "" : "x") + std::to_string(d);
    return s;
  };
  return dims({p.batch, p.in_h, p.in_w, p.in_c}) + " to " + dims({p.out_h, p.out_w, p.out_c}) + ", kernel " +
         dims({p.kernel_h, p.kernel_w}) + ", stride " + dims({p.stride_h, p.stride_w}) + ", dilation " +
         dims({p.dilation_h, p.dilation_w}) + ", pad " + dims({p.pad_top, p.pad_left}) + ", groups " +
         std::to_string(p.groups);
}

std::vector<const Conv2DAlgorithm*> BuiltAlgorithms() {
  std::vector<const Conv2DAlgorithm*> algorithms;
  for (size_t id = 1; id <= kMaxConv2DAlgorithms; ++id) {
    const Conv2DAlgorithm* const algorithm = FindAlgorithm(static_cast<Conv2DAlgorithmId>(id));
    if (algorithm != nullptr) algorithms.push_back(algorithm);
  }
  return algorithms;
}

namespace {

// With what this machine always has, as interpreters ask.
std::vector<CpuFeatures> Available(const std::set<CpuFeatures>& sets) {
  std::set<CpuFeatures> available;
  for (CpuFeatures set : sets) {
    if ((set & DetectCpuFeatures()) == set) available.insert(AvailableFeatures(set));
  }
  return {available.begin(), available.end()};
}

}  // namespace

std::vector<CpuFeatures> FeatureSets() {
  std::set<CpuFeatures> sets;
  for (const GemmF32Kernel& kernel : GemmF32Kernels()) sets.insert(kernel.features);
  for (const GemmS8Kernel& kernel : GemmS8Kernels()) sets.insert(kernel.features);
  for (const DwConvS8Kernel& kernel : DwConvS8Kernels()) sets.insert(kernel.features);
  return Available(sets);
}

std::vector<CpuFeatures> FloatFeatureSets() {
  std::set<CpuFeatures> sets;
  for (const GemmF32Kernel& kernel : GemmF32Kernels()) sets.insert(kernel.features);
  return Available(sets);
}

namespace {

template <typename Case>
const float* SlopesOf(const Case& c) {
  return c.p.types.activation.kind == ActivationKind::kPRelu ? c.slopes.data() : nullptr;
}

}  // namespace

FloatConvCase::FloatConvCase(const Conv2DParams& params, uint32_t seed)
    : p(params),
      x(static_cast<size_t>(p.batch * p.in_h * p.in_w * p.in_c)),
      weights(static_cast<size_t>(p.out_c * p.depth())),
      bias(static_cast<size_t>(p.out_c)),
      residual(static_cast<size_t>(p.rows() * p.out_c)) {
  Random random(seed);
  random.Fill(x, -1, 1);
  random.Fill(weights, -1, 1);
  random.Fill(bias, -1, 1);
  random.Fill(residual, -1, 1);
  narrow_weights.resize(2 * weights.size());
  scales.resize(weights.size());
  random.Fill(narrow_weights, 0, 59);  // halves of less than 1
  random.Fill(scales, 0.001, 0.01);
  slopes.resize(bias.size());
  random.Fill(slopes, -0.5, 1.5);
}

void FloatConvCase::UseNarrow(DType type) {
  p.types.weights = type;
  p.types.weight_group = type == DType::kInt4 ? 32 : 0;
}

void FloatConvCase::UseFloatsOfNarrow() {
  const ConvWeights narrow = Weights();
  for (int64_t i = 0; i < p.out_c * p.depth(); ++i) {
    weights[static_cast<size_t>(i)] = ReadWeight(p, narrow, i / p.depth(), i % p.depth());
  }
  UseNarrow(DType::kFloat32);
}

ConvWeights FloatConvCase::Weights() const {
  if (p.types.weights == DType::kFloat32) {
    return {weights.data(), p.depth(), 1, nullptr, {}, 0, nullptr, nullptr};
  }
  const int64_t group = p.types.weight_group;
  return {narrow_weights.data(),
          p.depth(),
          1,
          scales.data(),
          Int4Grid::Of(scales.data(), nullptr, nullptr, nullptr),
          group == 0 ? 1 : CeilDiv(p.depth(), group),
          nullptr,
          nullptr,
          group};
}

std::vector<float> FloatConvCase::Expected() const {
  std::vector<float> y(residual.size());
  reference::Conv2DF32(p, {x.data(), weights.data(), nullptr, nullptr, has_bias ? bias.data() : nullptr,
                           nullptr, has_residual ? residual.data() : nullptr, y.data(), SlopesOf(*this)});
  return y;
}

std::vector<float> FloatConvCase::Run(const Conv2DAlgorithm& algorithm, CpuFeatures features, int workers,
                                      bool in_place) const {
  std::vector<float> y = residual;
  ConvTensors tensors = {};
  tensors.x = x.data();
  tensors.bias = has_bias ? bias.data() : nullptr;
  tensors.residual = !has_residual ? nullptr : in_place ? y.data() : residual.data();
  tensors.slopes = SlopesOf(*this);
  RunConv(p, algorithm, {features, workers}, Weights(), tensors, y);
  return y;
}

template <typename T>
IntegerConvCase<T>::IntegerConvCase(const Conv2DParams& params, uint32_t seed)
    : p(params),
      x(static_cast<size_t>(p.batch * p.in_h * p.in_w * p.in_c)),
      weights(static_cast<size_t>(p.out_c * p.depth())),
      float_x(x.size()),
      float_bias(static_cast<size_t>(p.out_c)),
      scales(float_bias.size()),
      bias(float_bias.size()),
      zero_points(float_bias.size()),
      residual(static_cast<size_t>(p.rows() * p.out_c)) {
  p.types.x = p.types.dynamic ? DType::kFloat32 : DType::kInt8;
  p.types.weights = DType::kInt8;
  p.types.y = kDTypeOf<T>;
  p.types.x_scale = 0.037f, p.types.x_zero_point = -11;
  p.types.residual_scale = 0.25f, p.types.residual_zero_point = 5;
  // About a third of the outputs saturate.
  p.types.y_scale = 0.01f * std::sqrt(static_cast<float>(p.depth())), p.types.y_zero_point = 9;
  Random random(seed);
  random.Fill(x, -128, 127);
  random.Fill(float_x, -3, 7);
  random.Fill(weights, -127, 127);
  random.Fill(scales, 0.001, 0.01);
  random.Fill(bias, -5000, 5000);
  random.Fill(zero_points, -128, 127);
  random.Fill(float_bias, -1, 1);
  random.Fill(residual, -100, 100);
  slopes.resize(float_bias.size());
  random.Fill(slopes, -0.5, 1.5);
}

// The int8 that weights of groups become whose scales are the largest one of a column, 7/8 and half of it.
template <typename T>
void IntegerConvCase<T>::UseInt4() {
  constexpr int64_t kGroup = 32;
  p.types.weights = DType::kInt4;
  p.types.weight_group = kGroup;
  const int64_t depth = p.depth(), groups = CeilDiv(depth, kGroup);
  int4_weights.assign(weights.size() / 2, 0);
  group_scales.resize(static_cast<size_t>(p.out_c * groups));
  int left = 0;  // of what rounding took off
  for (int64_t i = 0; i < p.out_c * depth; ++i) {
    if (i % depth % kGroup == 0) left = 0;
    const int64_t column = i / depth, group = i % depth / kGroup;
    const int eighths = group % 3 == 0 ? 8 : group % 3 == 1 ? 7 : 4;
    auto& weight = weights[static_cast<size_t>(i)];
    const int int4 = weight >> 4;
    int4_weights[static_cast<size_t>(i / 2)] |= static_cast<uint8_t>((int4 & 15) << (i % 2 * 4));
    left += int4 * 15 * eighths;
    weight = static_cast<int8_t>(std::floor(static_cast<float>(left) / 8 + 0.5f));
    left -= 8 * weight;
    group_scales[static_cast<size_t>(column * groups + group)] =
        scales[static_cast<size_t>(column)] * static_cast<float>(eighths) / 8;
  }
  for (float& scale : scales) scale /= 15;
}

template <typename T>
std::vector<T> IntegerConvCase<T>::Expected() const {
  if (p.types.dynamic) return ExpectedDynamic();
  std::vector<T> y(residual.size());
  reference::Conv2DS8(
      p, {x.data(), weights.data(), scales.data(), p.types.asymmetric ? zero_points.data() : nullptr, nullptr,
          bias.data(), has_residual ? residual.data() : nullptr, y.data(), SlopesOf(*this)});
  return y;
}

// Each item as a layer of its own whose x has the item's quantization.
template <typename T>
std::vector<T> IntegerConvCase<T>::ExpectedDynamic() const {
  std::vector<T> y(residual.size());
  Conv2DParams item = p;
  item.batch = 1;
  const size_t x_size = x.size() / static_cast<size_t>(p.batch),
               y_size = y.size() / static_cast<size_t>(p.batch);
  for (size_t i = 0; i < static_cast<size_t>(p.batch); ++i) {
    const float* values = float_x.data() + i * x_size;
    const auto range = std::minmax_element(values, values + x_size);
    const QuantizationParams q = ChooseQuantization({*range.first, *range.second}, p.types.symmetric);
    std::vector<int8_t> quantized(x_size);
    for (size_t k = 0; k < x_size; ++k) {
      const float rounded = std::nearbyint(values[k] / q.scale) + static_cast<float>(q.zero_point);
      quantized[k] = static_cast<int8_t>(std::min(127.0f, std::max(-128.0f, rounded)));
    }
    item.types.x_scale = q.scale;
    item.types.x_zero_point = q.zero_point;
    reference::Conv2DS8(item, {quantized.data(), weights.data(), scales.data(), nullptr, float_bias.data(),
                               nullptr, has_residual ? residual.data() + i * y_size : nullptr,
                               y.data() + i * y_size, SlopesOf(*this)});
  }
  return y;
}

template <typename T>
std::vector<T> IntegerConvCase<T>::Run(const Conv2DAlgorithm& algorithm, CpuFeatures features, int workers,
                                       bool in_place) const {
  std::vector<T> y = residual;
  ConvTensors tensors = {};
  tensors.x = p.types.dynamic ? static_cast<const void*>(float_x.data()) : x.data();
  tensors.bias = p.types.dynamic ? float_bias.data() : nullptr;
  tensors.slopes = SlopesOf(*this);
  tensors.residual = !has_residual ? nullptr : in_place ? y.data() : residual.data();
  ConvWeights w = {weights.data(),
                   p.depth(),
                   1,
                   scales.data(),
                   {},
                   1,
                   p.types.dynamic ? nullptr : bias.data(),
                   p.types.asymmetric ? zero_points.data() : nullptr};
  if (p.types.weights == DType::kInt4) {
    w.data = int4_weights.data();
    w.grid = Int4Grid::Of(group_scales.data(), nullptr, nullptr, nullptr);
    w.scale_stride = CeilDiv(p.depth(), int64_t{p.types.weight_group});
    w.group = p.types.weight_group;
  }
  RunConv(p, algorithm, {features, workers}, w, tensors, y);
  return y;
}

template struct IntegerConvCase<int8_t>;
template struct IntegerConvCase<float>;
template struct IntegerConvCase<int32_t>;

}  // namespace micrort::testing
