// TFLite models.

#include "tests/converter/tflite_builder.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/flatbuffer_mutator.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

namespace fb = ::micrort::tflite_file;
using testing::Quantized;
using testing::TfliteBuilder;

testing::Floats Ramp(size_t n) {
  testing::Floats values(n);
  for (size_t i = 0; i < n; ++i) values[i] = 0.1f * static_cast<float>(i % 7) - 0.3f;
  return values;
}

// A tower of layers, in floats, with an open batch.
std::string FloatLayers() {
  TfliteBuilder b;
  const int x = b.Input("x", {-1, 6, 6, 2}), w = b.Floats("w", {4, 3, 3, 2}, Ramp(72));
  const int c = b.Tensor("c", {1, 6, 6, 4}), p = b.Tensor("p", {1, 3, 3, 4}), f = b.Tensor("f", {1, 36});
  const int l = b.Tensor("l", {1, 3}), y = b.Tensor("y", {1, 3});
  fb::Conv2DOptionsT convolution;
  convolution.stride_h = convolution.stride_w = 1;
  b.Op("CONV_2D", {x, w, b.Floats("bias", {4}, Ramp(4))}, {c}, convolution);
  fb::Pool2DOptionsT pool;
  pool.stride_h = pool.stride_w = pool.filter_height = pool.filter_width = 2;
  b.Op("MAX_POOL_2D", {c}, {p}, pool);
  b.Op("RESHAPE", {p, b.Integers("shape", {-1, 36})}, {f});
  b.Op("FULLY_CONNECTED", {f, b.Floats("m", {3, 36}, Ramp(108)), -1}, {l}, fb::FullyConnectedOptionsT());
  b.Op("SOFTMAX", {l}, {y}, fb::SoftmaxOptionsT());
  return b.Output(y).Bytes();
}

// int8, with weights per channel, a sum and a mean.
std::string Int8Layers() {
  TfliteBuilder b;
  const Quantized q = {{0.05f}, {3}}, weights = {{0.1f, 0.2f}, {0, 0}, 3},
                  bias = {{0.005f, 0.01f}, {0, 0}, 0};
  const int x = b.Input("x", {1, 5, 5, 2}, fb::TensorType::Int8, q);
  const int w =
      b.Constant<int8_t>("w", {1, 3, 3, 2}, fb::TensorType::Int8, std::vector<int8_t>(18, 5), weights);
  const int v = b.Constant<int32_t>("v", {2}, fb::TensorType::Int32, {40, -7}, bias);
  const int d = b.Tensor("d", {1, 5, 5, 2}, fb::TensorType::Int8, q);
  const int s = b.Tensor("s", {1, 5, 5, 2}, fb::TensorType::Int8, q);
  const int y = b.Tensor("y", {1, 2}, fb::TensorType::Int8, q);
  fb::DepthwiseConv2DOptionsT depthwise;
  depthwise.stride_h = depthwise.stride_w = depthwise.depth_multiplier = 1;
  b.Op("DEPTHWISE_CONV_2D", {x, w, v}, {d}, depthwise);
  b.Op("ADD", {d, x}, {s}, fb::AddOptionsT());
  b.Op("MEAN", {s, b.Integers("axes", {1, 2})}, {y}, fb::ReducerOptionsT());
  return b.Output(y).Bytes();
}

// int16: layers with either bias, functions by tables and by scales.
std::string Int16Layers() {
  TfliteBuilder b;
  constexpr auto kInt16 = fb::TensorType::Int16;
  const Quantized q = {{0.001f}, {0}}, table = {{1.0f / 32768}, {0}}, weights = {{0.01f, 0.02f}, {0, 0}, 0};
  const int x = b.Input("x", {1, 4, 4, 2}, kInt16, q);
  const int w =
      b.Constant<int8_t>("w", {2, 3, 3, 2}, fb::TensorType::Int8, std::vector<int8_t>(36, 3), weights);
  const int bias = b.Constant<int64_t>("bias", {2}, fb::TensorType::Int64, {70, -9});
  const int c = b.Tensor("c", {1, 4, 4, 2}, kInt16, q), s = b.Tensor("s", {1, 4, 4, 2}, kInt16, q),
            p = b.Tensor("p", {1, 2, 2, 2}, kInt16, q), l = b.Tensor("l", {1, 2, 2, 2}, kInt16, q),
            t = b.Tensor("t", {1, 2, 2, 2}, kInt16, table), f = b.Tensor("f", {1, 2}, kInt16, q),
            y = b.Tensor("y", {1, 2}, kInt16, table);
  fb::Conv2DOptionsT convolution;
  convolution.stride_h = convolution.stride_w = 1;
  convolution.fused_activation_function = fb::ActivationFunctionType::Relu6;
  b.Op("CONV_2D", {x, w, bias}, {c}, convolution);
  b.Op("ADD", {c, x}, {s}, fb::AddOptionsT());
  fb::Pool2DOptionsT pool;
  pool.stride_h = pool.stride_w = pool.filter_height = pool.filter_width = 2;
  b.Op("AVERAGE_POOL_2D", {s}, {p}, pool);
  fb::LeakyReluOptionsT leaky;
  leaky.alpha = 0.2f;
  b.Op("LEAKY_RELU", {p}, {l}, leaky);
  b.Op("TANH", {l}, {t});
  const int m = b.Constant<int8_t>("m", {2, 8}, fb::TensorType::Int8, std::vector<int8_t>(16, -5), weights);
  b.Op("FULLY_CONNECTED", {t, m, b.Constant<int32_t>("v", {2}, fb::TensorType::Int32, {4, 5})}, {f},
       fb::FullyConnectedOptionsT());
  fb::SoftmaxOptionsT softmax;
  softmax.beta = 1;
  b.Op("SOFTMAX", {f}, {y}, softmax);
  return b.Output(y).Bytes();
}

// while (i < 3) { i += 1 }, and a call.
std::string Subgraphs() {
  TfliteBuilder b;
  const int x = b.Input("x", {1}), y = b.Tensor("y", {1}), z = b.Tensor("z", {1});
  fb::WhileOptionsT loop;
  loop.cond_subgraph_index = b.AddSubgraph();
  const int i = b.Input("i", {1}), more = b.Tensor("more", {1}, fb::TensorType::Bool);
  b.Op("LESS", {i, b.Floats("three", {1}, {3})}, {more});
  b.Output(more);
  loop.body_subgraph_index = b.AddSubgraph();
  const int k = b.Input("k", {1}), next = b.Tensor("next", {1});
  b.Op("ADD", {k, b.Floats("one", {1}, {1})}, {next}, fb::AddOptionsT());
  b.Output(next);
  b.BackToMain();
  b.Op("WHILE", {x}, {y}, loop);
  fb::CallOptionsT call;
  call.subgraph = static_cast<uint32_t>(loop.body_subgraph_index);
  b.Op("CALL", {y}, {z}, call);
  return b.Output(z).Bytes();
}

// The sum of all inputs so far.
std::string States() {
  TfliteBuilder b;
  const int x = b.Input("x", {2}), handle = b.Tensor("handle", {}, fb::TensorType::Resource);
  const int before = b.Tensor("before", {2}), y = b.Tensor("y", {2});
  fb::VarHandleOptionsT options;
  options.shared_name = "sum";
  b.Op("VAR_HANDLE", {}, {handle}, options);
  b.Op("READ_VARIABLE", {handle}, {before});
  b.Op("ADD", {x, before}, {y}, fb::AddOptionsT());
  b.Op("ASSIGN_VARIABLE", {handle, y}, {});
  return b.Output(y).Bytes(false);
}

// Operators whose operands say where elements go.
std::string Moves() {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 3, 4}), t = b.Tensor("t", {4, 2, 3}), s = b.Tensor("s", {2, 3});
  const int g = b.Tensor("g", {2, 2}), c = b.Tensor("c", {2, 4}), y = b.Tensor("y", {4, 6});
  b.Op("TRANSPOSE", {x, b.Integers("order", {2, 0, 1})}, {t});
  fb::StridedSliceOptionsT slice;
  slice.shrink_axis_mask = 1;
  b.Op("STRIDED_SLICE",
       {t, b.Integers("begin", {1, 0, 0}), b.Integers("end", {2, 2, 3}), b.Integers("step", {1, 1, 1})}, {s},
       slice);
  fb::GatherOptionsT gather;
  gather.axis = 1;
  b.Op("GATHER", {s, b.Integers("places", {2, 0})}, {g}, gather);
  fb::ConcatenationOptionsT concat;
  concat.axis = 1;
  b.Op("CONCATENATION", {g, g}, {c}, concat);
  const int pads = b.Constant<int32_t>("pads", {2, 2}, fb::TensorType::Int32, {1, 1, 0, 2});
  b.Op("PAD", {c, pads}, {y});
  return b.Output(y).Bytes();
}

bool IsSound(const uint8_t* bytes, size_t size) {
  ::flatbuffers::Verifier verifier(bytes, size);
  return verifier.VerifyBuffer<fb::Model>(nullptr);
}

std::string Mutate(const std::string& bytes, Random& random) {
  static const FlatbufferFormat kFormat = {MICRORT_FUZZ_SCHEMAS "/tflite.bfbs", IsSound};
  return MutateFlatbuffer(kFormat, bytes, random);
}

Status Run(const std::string& bytes) {
  return ConvertAndRun(bytes, OptionsFor(frontend::SourceFormat::kTflite));
}

}  // namespace

std::vector<std::string> TfliteSeeds() {
  return {FloatLayers(), Int8Layers(), Int16Layers(), Subgraphs(), States(), Moves()};
}

const Harness kTflite = {"tflite", Run, Mutate};

}  // namespace micrort::fuzz
