#include "converter/quantize/int4_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "converter/quantize/given_int4.h"
#include "converter/quantize/quantized_weights.h"
#include "converter/quantize/weight_memo.h"
#include "converter/simd/floats.h"
#include "converter/threads/each_range.h"
#include "kernels/base/checked_math.h"
#include "kernels/base/half.h"
#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/widen_int4.h"

namespace micrort::quantize {
namespace {

constexpr float kLowest = -8.0f, kHighest = 7.0f;

using Group = std::array<float, kInt4Group>;

using simd::Floats;

// f(i) over a group, for four elements from i on, in eight sums.
template <typename F>
float SumOver(F f) {
  constexpr size_t kFloats = simd::kFloats;
  static_assert(kInt4Group % (2 * kFloats) == 0);
  Floats even = {}, odd = {};
  for (size_t i = 0; i < kInt4Group; i += 2 * kFloats) {
    even += f(i);
    odd += f(i + kFloats);
  }
  const Floats sum = even + odd;
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Returns the squared error.
float Quantize(const Group& weights, float scale, Group* quantized) {
  const Floats by = simd::Broadcast(scale), low = simd::Broadcast(kLowest), high = simd::Broadcast(kHighest);
  return SumOver([&](size_t i) {
    const Floats weight = simd::Load(&weights[i]);
    const Floats q = simd::Round(simd::Min(simd::Max(weight / by, low), high));
    simd::Store(q, &(*quantized)[i]);
    const Floats difference = weight - by * q;
    return difference * difference;
  });
}

// The best scale for these integers: least squares; 0 if they are all 0.
float FittedScale(const Group& weights, const Group& q) {
  const auto product = [&](const Group& other) {
    return SumOver([&](size_t i) { return simd::Load(&q[i]) * simd::Load(&other[i]); });
  };
  const float energy = product(q);
  return energy == 0.0f ? 0.0f : product(weights) / energy;
}

// Expects weights the largest of which is 1.
float BestScale(const Group& weights, Group* quantized) {
  float best = 1.0f / -kLowest;
  float least = Quantize(weights, best, quantized);
  Group trial;
  const auto try_scale = [&](float scale) {  // leaves its integers in `trial`
    if (!(scale > 0.0f)) return;
    const float error = Quantize(weights, scale, &trial);
    if (error >= least) return;
    least = error;
    best = scale;
    *quantized = trial;
  };
  // Steps from far wider than the largest weight needs to some that clip it, each fitted to its integers.
  for (int step = 0; step <= 24; ++step) {
    const float scale = 1.0f / (5.0f + 0.25f * static_cast<float>(step));
    try_scale(scale);
    try_scale(FittedScale(weights, trial));
  }
  for (int round = 0; round < 4; ++round) try_scale(FittedScale(weights, *quantized));
  return best;
}

// One output channel a row, elements in the order in which the layer adds them up.
std::vector<float> Rows(const ir::Value& weights, bool transpose) {
  const float* w = weights.as<float>();
  const auto n = static_cast<size_t>(weights.elements());
  std::vector<float> rows(w, w + n);
  if (!transpose) return rows;
  const auto depth = static_cast<size_t>(weights.shape[0]), columns = static_cast<size_t>(weights.shape[1]);
  for (size_t k = 0; k < depth; ++k) {
    for (size_t j = 0; j < columns; ++j) rows[j * depth + k] = w[k * columns + j];
  }
  return rows;
}

// Weights of products keep their grid where these quantize their inputs; those of convolutions become int8.
bool BecomesInt8(const ir::Node& node, const WeightCorrection& tools) {
  return tools.dynamic_inputs && node.code != schema::OpCode::MatMul;
}

// "" if int4 can hold the layer's weights: see schema::DType.
std::string Obstacle(const ir::Graph& graph, const ir::Node& node, const Layer& layer) {
  const ir::Value& weights = graph.value(layer.weights);
  const bool is_table = node.code == schema::OpCode::Gather;
  if (is_table && !weights.source_quantization.zero_points.empty()) return "rows with zero points";
  if (!is_table && (!TraitsOf(node.code).int4 || weights.rank() != TraitsOf(node.code).weights_rank))
    return "no int4 form for this operator";
  if (layer.weights_per_channel < static_cast<int64_t>(kInt4Group))
    return "fewer weights a channel than a group has";
  const int64_t last = node.code == schema::OpCode::MatMul ? layer.weights_per_channel : weights.shape.back();
  return last % 2 == 0 ? "" : "an odd number of input channels";
}

ir::Bytes Packed(const std::vector<int8_t>& quantized) {
  ir::Bytes bytes(quantized.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto low = static_cast<uint8_t>(quantized[2 * i] & 15);
    const auto high = static_cast<uint8_t>(quantized[2 * i + 1] & 15);
    bytes[i] = static_cast<uint8_t>(low | high << 4);
  }
  return bytes;
}

// Rounds the step to 7 bits, so that its multiples up to 15 are halves, if they are in the range of halves.
float ShortStep(float step) {
  constexpr int kBits = 7;
  int exponent = 0;
  const float mantissa = std::frexp(step, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, kBits)), exponent - kBits);
}

// Products of integers make int8 of these weights, with one scale a channel. Scales that are multiples of it
// spare weights from being rounded once more, which would undo what AdjustWeights does for the layer's
// inputs.
void AlignScales(const std::vector<float>& rows, size_t depth, std::vector<float>* scales,
                 std::vector<int8_t>* quantized) {
  const size_t groups = CeilDiv(depth, kInt4Group);
  for (size_t channel = 0; channel < rows.size() / depth; ++channel) {
    float* of_channel = scales->data() + channel * groups;
    const float step = ShortStep(WidenedScale(Int4Grid::Of(of_channel, nullptr, nullptr, nullptr), groups));
    for (size_t k = 0; k < depth; ++k) {
      float& scale = of_channel[k / kInt4Group];
      if (k % kInt4Group == 0) scale = step * std::max(std::nearbyint(scale / step), 1.0f);
      const size_t i = channel * depth + k;
      (*quantized)[i] =
          static_cast<int8_t>(std::min(std::max(std::nearbyint(rows[i] / scale), kLowest), kHighest));
    }
  }
}

// Files and packed weights hold scales that are halves in half the bytes. All of a layer are, or none: some
// may be out of their range.
void HalveScales(const std::vector<float>& rows, size_t depth, std::vector<float>* scales,
                 std::vector<int8_t>* quantized) {
  constexpr float kLeast = 0x1p-14f, kMost = 65504.0f;  // with all bits
  const auto is_far = [](float scale) { return scale < kLeast || scale > kMost; };
  if (std::any_of(scales->begin(), scales->end(), is_far)) return;
  for (float& scale : *scales) scale = HalfToFloat(FloatToHalf(scale));
  const size_t groups = CeilDiv(depth, kInt4Group);
  for (size_t i = 0; i < rows.size(); ++i) {
    const float scale = (*scales)[i / depth * groups + i % depth / kInt4Group];
    (*quantized)[i] =
        static_cast<int8_t>(std::min(std::max(std::nearbyint(rows[i] / scale), kLowest), kHighest));
  }
}

}  // namespace

float BestInt4Scale(const float* weights, size_t n, int8_t* quantized) {
  float largest = 0.0f;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(weights[i]));
  if (largest <= -kLowest * kMinScale) {
    std::fill(quantized, quantized + n, int8_t{0});
    return kMinScale;
  }
  Group group = {}, integers = {};
  for (size_t i = 0; i < n; ++i) group[i] = weights[i] / largest;
  const float scale = BestScale(group, &integers) * largest;
  for (size_t i = 0; i < n; ++i) quantized[i] = static_cast<int8_t>(integers[i]);
  return scale;
}

namespace {

// `integers`: one output channel a row.
ir::Value Int4Value(const ir::Value& weights, const Layer& layer, bool is_product,
                    const std::vector<int8_t>& integers, ir::Quantization quantization) {
  ir::Value packed = weights;
  packed.dtype = DType::kInt4;
  packed.data = std::make_shared<const ir::Bytes>(Packed(integers));
  packed.quantization = std::move(quantization);
  packed.source_quantization = {};
  if (is_product) packed.shape = {layer.channels, layer.weights_per_channel};
  packed.shape.back() /= 2;
  return packed;
}

// Returns the scale of every group.
std::vector<float> BestInt4Scales(const std::vector<float>& rows, size_t depth,
                                  std::vector<int8_t>* quantized) {
  constexpr int64_t kTrials = 60, kWorkOfTrial = 2 * int64_t{kInt4Group};
  const size_t groups = CeilDiv(depth, kInt4Group), channels = rows.size() / depth;
  std::vector<float> scales(channels * groups);
  threads::ForEachRange(scales.size(), kTrials * kWorkOfTrial, [&](size_t first, size_t last) {
    for (size_t g = first; g < last; ++g) {
      const size_t k = g % groups * kInt4Group, at = g / groups * depth + k;
      scales[g] = BestInt4Scale(&rows[at], std::min<size_t>(kInt4Group, depth - k), &(*quantized)[at]);
    }
  });
  return scales;
}

WeightMemo::Int4 MakeInt4(const ir::Value& weights, const ir::Node& node, const Layer& layer,
                          const WeightCorrection& tools) {
  const bool is_product = node.code == schema::OpCode::MatMul;
  const std::vector<float> rows = Rows(weights, is_product && !node.as<schema::MatMulOptionsT>().transpose_b);
  WeightMemo::Int4 made;
  made.why_not = WhyNoScales(weights);
  if (!made.why_not.empty()) return made;
  const auto depth = static_cast<size_t>(layer.weights_per_channel);
  if (std::optional<GivenInt4> given = Int4AsGiven(weights, layer, rows)) {
    made.value = Int4Value(weights, layer, is_product, given->integers, std::move(given->quantization));
    return made;
  }
  if (tools.given_only) {
    made.why_not = "other weights than the source gives";
    return made;
  }
  std::vector<int8_t> quantized(rows.size());
  std::vector<float> scales = BestInt4Scales(rows, depth, &quantized);
  if (BecomesInt8(node, tools)) {
    AlignScales(rows, depth, &scales, &quantized);
  } else {
    HalveScales(rows, depth, &scales, &quantized);
  }
  const RoundedLayer rounded = {rows.data(), rows.size() / depth, depth, scales.data(), kInt4Group, -8,
                                7,           quantized.data()};
  const observe::InputMoments* moments = MomentsFor(tools, weights);
  made.mean_errors = AdjustWeights(rounded, tools.correction, moments);
  if (moments != nullptr) made.noise = NoiseOverSignal(rounded, *moments);
  made.value = Int4Value(weights, layer, is_product, quantized, {std::move(scales), {}, 0, kInt4Group});
  return made;
}

// What decides the integers beside the weights.
int FormOf(const ir::Node& node, const WeightCorrection& tools) {
  const bool is_product = node.code == schema::OpCode::MatMul;
  const bool transposes = is_product && !node.as<schema::MatMulOptionsT>().transpose_b;
  return BecomesInt8(node, tools) * 4 + is_product * 2 + transposes;
}

}  // namespace

std::string StoreAsInt4(ir::Graph* graph, ir::Node* node, const Layer& layer, const WeightCorrection& tools,
                        std::optional<double>* noise) {
  if (std::string why = Obstacle(*graph, *node, layer); !why.empty()) return why;
  const StoredWeights::Key key = {layer.weights, layer.channel_axis, LayerType::kInt4Weights,
                                  tools.dynamic_inputs};
  const StoredWeights::Entry* found = tools.stored->Find(key);
  if (found == nullptr) {
    const ir::Value& weights = graph->value(layer.weights);
    const auto make = [&] { return MakeInt4(weights, *node, layer, tools); };
    WeightMemo* const memo = tools.correction.memo;
    WeightMemo::Int4 made =
        memo == nullptr ? make() : memo->InFourBits(weights, layer.channel_axis, FormOf(*node, tools), make);
    if (!made.why_not.empty()) return made.why_not;
    found = &(tools.stored->entries[key] = {graph->AddValue(std::move(made.value)),
                                            std::move(made.mean_errors), made.noise});
  }
  if (node->code == schema::OpCode::MatMul) node->as<schema::MatMulOptionsT>().transpose_b = true;
  node->inputs[layer.place] = found->value;
  *noise = found->noise;
  TakeOffBias(graph, node, found->mean_errors);
  SetWeightCompute(node, schema::WeightCompute::Float);
  return "";
}

schema::WeightCompute DynamicComputeOfInt4(const ir::Graph& graph, const ir::Node& node) {
  const ir::Quantization& q = graph.value(node.inputs[Layer::kWeights]).quantization;
  const bool in_chunks = q.group % static_cast<int>(kInt4Chunk) == 0;
  if (node.code == schema::OpCode::MatMul && in_chunks) return schema::WeightCompute::GroupedInt8;
  return q.zero_points.empty() && node.code != schema::OpCode::MatMul ? schema::WeightCompute::DynamicInt8
                                                                      : schema::WeightCompute::Float;
}

}  // namespace micrort::quantize
