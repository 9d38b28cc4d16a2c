#include "tests/aot/networks.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace micrort::test::aot {
namespace {

using testing::OnnxBuilder;
using Dims = std::vector<int64_t>;

class Layers {
 public:
  explicit Layers(const std::vector<std::string>& input_dims) : builder_(17) {
    builder_.Input("x", input_dims);
  }

  // The name of a node's output.
  std::string Node(const std::string& op, const std::vector<std::string>& inputs) {
    const std::string output = NewName("v");
    builder_.Node(op, inputs, {output});
    return output;
  }

  // Uniform, so that sums over `inputs` of them keep the variance of what they weigh.
  std::string Weights(const Dims& dims, int64_t inputs) {
    const float limit = std::sqrt(6.0f / static_cast<float>(inputs));
    const int64_t count = std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
    std::vector<float> elements;
    for (int64_t i = 0; i < count; ++i) elements.push_back(limit * Random());
    const std::string name = NewName("w");
    builder_.Floats(name, dims, elements);
    return name;
  }

  std::string Constant(const Dims& dims, float value) {
    const int64_t count = std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
    const std::string name = NewName("c");
    builder_.Floats(name, dims, std::vector<float>(static_cast<size_t>(count), value));
    return name;
  }

  // Padded by half its kernel.
  std::string Conv(const std::string& x, const Dims& kernel, int64_t stride, int64_t groups) {
    const int64_t inputs = kernel[1] * kernel[2] * kernel[3], pad = kernel[2] / 2;
    const std::string y = Node("Conv", {x, Weights(kernel, inputs), Weights({kernel[0]}, 100)});
    builder_.Ints("strides", {stride, stride}).Ints("pads", {pad, pad, pad, pad}).Int("group", groups);
    return y;
  }

  std::string Relu6(const std::string& x) { return Node("Clip", {x, Constant({}, 0), Constant({}, 6)}); }

  std::string Classes(const std::string& x, int64_t channels, int64_t classes = 100) {
    const std::string flat = Node("Flatten", {Node("GlobalAveragePool", {x})});
    return Node("Gemm", {flat, Weights({channels, classes}, channels), Weights({classes}, 100)});
  }

  std::string MatMul(const std::string& x, int64_t from, int64_t to) {
    return Node("Add", {Node("MatMul", {x, Weights({from, to}, 2 * from)}), Weights({to}, 100)});
  }

  std::string LayerNorm(const std::string& x, int64_t width) {
    return Node("LayerNormalization", {x, Weights({width}, 6), Weights({width}, 100)});
  }

  std::string Reshape(const std::string& x, const Dims& dims) {
    const std::string shape = NewName("s");
    builder_.Integers(shape, {static_cast<int64_t>(dims.size())}, dims);
    return Node("Reshape", {x, shape});
  }

  std::string Transpose(const std::string& x, const Dims& order) {
    const std::string y = Node("Transpose", {x});
    builder_.Ints("perm", order);
    return y;
  }

  // Numbers from -1 to 1 as some of `count` tokens.
  std::string Tokens(const std::string& x, int64_t count) {
    const std::string most = Constant({}, static_cast<float>(count - 1));
    const std::string wide = Node("Mul", {Node("Abs", {x}), most});
    const std::string tokens = Node("Cast", {Node("Min", {wide, most})});
    builder_.Int("to", ::onnx::TensorProto::INT64);
    return tokens;
  }

  OnnxBuilder End(const std::string& x) { return builder_.Node("Identity", {x}, {"y"}).Output("y"); }

 private:
  std::string NewName(const char* kind) { return kind + std::to_string(names_++); }
  float Random() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 8) / 8388608.0f - 1.0f;
  }

  OnnxBuilder builder_;
  int names_ = 0;
  uint32_t state_ = 1;
};

struct Stage {
  int64_t expansion, channels, repeats, stride;
};

std::string InvertedResidual(Layers* net, const std::string& x, int64_t from, const Stage& stage,
                             int64_t stride) {
  const int64_t wide = from * stage.expansion;
  std::string y = x;
  if (stage.expansion != 1) y = net->Relu6(net->Conv(y, {wide, from, 1, 1}, 1, 1));
  y = net->Relu6(net->Conv(y, {wide, 1, 3, 3}, stride, wide));
  y = net->Conv(y, {stage.channels, wide, 1, 1}, 1, 1);
  return stride == 1 && from == stage.channels ? net->Node("Add", {x, y}) : y;
}

constexpr int64_t kTokens = 16, kWidth = 64, kHeads = 4;

std::string Attention(Layers* net, const std::string& x) {
  const auto heads = [&](const Dims& order) {
    return net->Transpose(net->Reshape(net->MatMul(x, kWidth, kWidth), {1, kTokens, kHeads, kWidth / kHeads}),
                          order);
  };
  const std::string q = heads({0, 2, 1, 3}), k = heads({0, 2, 3, 1}), v = heads({0, 2, 1, 3});
  const std::string scores = net->Node("Mul", {net->Node("MatMul", {q, k}), net->Constant({}, 0.25f)});
  const std::string mixed = net->Node("MatMul", {net->Node("Softmax", {scores}), v});
  const std::string joined = net->Reshape(net->Transpose(mixed, {0, 2, 1, 3}), {1, kTokens, kWidth});
  return net->MatMul(joined, kWidth, kWidth);
}

std::string Perceptron(Layers* net, const std::string& x) {
  const std::string wide = net->MatMul(x, kWidth, 4 * kWidth);
  const std::string erf = net->Node("Erf", {net->Node("Div", {wide, net->Constant({}, 1.41421356f)})});
  const std::string gate = net->Node("Add", {erf, net->Constant({}, 1)});
  const std::string gelu = net->Node("Mul", {net->Node("Mul", {wide, gate}), net->Constant({}, 0.5f)});
  return net->MatMul(gelu, 4 * kWidth, kWidth);
}

}  // namespace

OnnxBuilder TiedEmbedding() {
  Layers net({"1", "16"});
  const std::string tokens = net.Tokens("x", 40);
  const std::string table = net.Weights({40, kWidth}, kWidth), types = net.Weights({40, kWidth}, kWidth);
  const std::string sum =
      net.Node("Add", {net.Node("Gather", {table, tokens}), net.Node("Gather", {types, tokens})});
  const std::string y = net.LayerNorm(net.MatMul(sum, kWidth, kWidth), kWidth);
  return net.End(net.Node("MatMul", {y, net.Transpose(table, {1, 0})}));
}

OnnxBuilder MobilenetV1() {
  Layers net({"1", "3", "96", "96"});
  int64_t from = 16;
  std::string x = net.Relu6(net.Conv("x", {from, 3, 3, 3}, 2, 1));
  const Stage stages[] = {{1, 32, 1, 1},  {1, 64, 1, 2},  {1, 64, 1, 1},  {1, 128, 1, 2}, {1, 128, 1, 1},
                          {1, 256, 1, 2}, {1, 256, 5, 1}, {1, 512, 1, 2}, {1, 512, 1, 1}};
  for (const Stage& stage : stages) {
    for (int64_t i = 0; i < stage.repeats; ++i) {
      x = net.Relu6(net.Conv(x, {from, 1, 3, 3}, stage.stride, from));
      x = net.Relu6(net.Conv(x, {stage.channels, from, 1, 1}, 1, 1));
      from = stage.channels;
    }
  }
  return net.End(net.Node("Softmax", {net.Classes(x, from)}));
}

OnnxBuilder MobilenetV2() {
  Layers net({"1", "3", "96", "96"});
  int64_t from = 16;
  std::string x = net.Relu6(net.Conv("x", {from, 3, 3, 3}, 2, 1));
  const Stage stages[] = {{1, 8, 1, 1},  {6, 12, 2, 2}, {6, 16, 3, 2}, {6, 32, 4, 2},
                          {6, 48, 3, 1}, {6, 80, 3, 2}, {6, 160, 1, 1}};
  for (const Stage& stage : stages) {
    for (int64_t i = 0; i < stage.repeats; ++i) {
      x = InvertedResidual(&net, x, from, stage, i == 0 ? stage.stride : 1);
      from = stage.channels;
    }
  }
  x = net.Relu6(net.Conv(x, {640, from, 1, 1}, 1, 1));
  return net.End(net.Node("Softmax", {net.Classes(x, 640)}));
}

OnnxBuilder Keywords() {
  constexpr int64_t kChannels = 64;
  Layers net({"1", "1", "49", "10"});
  std::string x = net.Node("Relu", {net.Conv("x", {kChannels, 1, 5, 5}, 2, 1)});
  for (int layer = 0; layer < 4; ++layer) {
    x = net.Node("Relu", {net.Conv(x, {kChannels, 1, 3, 3}, 1, kChannels)});
    x = net.Node("Relu", {net.Conv(x, {kChannels, kChannels, 1, 1}, 1, 1)});
  }
  return net.End(net.Node("Softmax", {net.Classes(x, kChannels, 12)}));
}

OnnxBuilder Denoiser() {
  constexpr int64_t kChannels = 16;
  Layers net({"1", "1", "16", "64"});
  const std::string bands = net.Node("Relu", {net.Conv("x", {kChannels, 1, 3, 3}, 1, 1)});
  std::string y = net.Node("Relu", {net.Conv(bands, {kChannels, kChannels, 3, 3}, 1, 1)});
  y = net.Node("Relu", {net.Conv(y, {kChannels, 1, 3, 3}, 1, kChannels)});
  y = net.Node("Add", {bands, net.Conv(y, {kChannels, kChannels, 1, 1}, 1, 1)});
  const std::string mask = net.Node("Sigmoid", {net.Conv(y, {1, kChannels, 3, 3}, 1, 1)});
  return net.End(net.Node("Mul", {"x", mask}));
}

OnnxBuilder Transformer() {
  Layers net({"1", std::to_string(kTokens), std::to_string(kWidth)});
  std::string x = "x";
  for (int layer = 0; layer < 2; ++layer) {
    x = net.Node("Add", {x, Attention(&net, net.LayerNorm(x, kWidth))});
    x = net.Node("Add", {x, Perceptron(&net, net.LayerNorm(x, kWidth))});
  }
  return net.End(net.LayerNorm(x, kWidth));
}

}  // namespace micrort::test::aot
