// TFLite files from anywhere: sizes that overflow, cycles, wrong indices, absurd ranks, and networks of every
// kind with words overwritten and bits flipped. Importing them may fail, but never crashes or hangs. Run with
// the sanitizers too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "converter/convert.h"
#include "converter/ir/budget.h"
#include "tests/converter/tflite_refusals.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

constexpr int32_t kLargest = std::numeric_limits<int32_t>::max();

ModelLimits SmallLimits() {
  ModelLimits limits;
  limits.max_tensor_bytes = limits.max_memory_bytes = uint64_t{1} << 26;
  limits.max_work = uint64_t{1} << 40;
  return limits;
}

// As the program converts it, within its limits.
Status ConvertUntrusted(const std::string& bytes) {
  ConvertOptions options;
  options.limits = SmallLimits();
  ConvertResult result;
  return ConvertBytes("model.tflite", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, options,
                      &result);
}

void ExpectInvalid(const TfliteBuilder& b, const std::string& message) {
  const Status status = ConvertUntrusted(b.Bytes());
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel) << status.message();
  EXPECT_THAT(status.message(), HasSubstr(message));
}

// y = x + w
TfliteBuilder Sum(const std::vector<int32_t>& shape) {
  TfliteBuilder b;
  const int x = b.Input("x", shape), w = b.Floats("w", {1}, {1}), y = b.Tensor("y");
  b.Op("ADD", {x, w}, {y}, fb::AddOptionsT());
  return b.Output(y);
}

TEST(TfliteUntrusted, SizesThatOverflow) {
  ExpectInvalid(Sum({kLargest, kLargest, kLargest}), "");
  TfliteBuilder b = Sum({1});
  b.tensor(1).shape = {kLargest, kLargest, 4};
  ExpectInvalid(b, "tensor 1");
  b.tensor(1).shape = {-7};
  ExpectInvalid(b, "tensor 1");
}

TEST(TfliteUntrusted, AbsurdRanks) {
  const Status status = ConvertUntrusted(Sum(std::vector<int32_t>(100, 1)).Bytes());
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("100 dimensions"));
  TfliteBuilder b;
  const int x = b.Input("x", {1}), y = b.Tensor("y");
  b.Op("RESHAPE", {x, b.Integers("shape", std::vector<int32_t>(100, 1))}, {y});
  b.Output(y);
  ExpectInvalid(b, "RESHAPE");
}

TEST(TfliteUntrusted, WrongIndices) {
  TfliteBuilder b = Sum({1});
  b.tensor(1).buffer = 77;
  ExpectInvalid(b, "buffer 77 of 2");
  b = Sum({1});
  b.graph().inputs = {9};
  ExpectInvalid(b, "tensor 9 of 3");
  b = Sum({1});
  b.graph().operators[0]->opcode_index = 5;
  ExpectInvalid(b, "operator code 5 of 1");
  b = Sum({1});
  b.model.buffers[1]->offset = 1 << 20;
  b.model.buffers[1]->size = std::numeric_limits<uint64_t>::max();
  b.model.buffers[1]->data.clear();
  ExpectInvalid(b, "lie outside the file");
}

TEST(TfliteUntrusted, Cycles) {
  TfliteBuilder b = Sum({1});
  b.graph().operators[0]->inputs[1] = b.graph().outputs[0];
  ExpectInvalid(b, "no input, constant or output of an earlier operator");
  b = Sum({1});
  fb::WhileOptionsT itself;
  b.Op("WHILE", {0}, {b.Tensor("z")}, itself);
  EXPECT_FALSE(ConvertUntrusted(b.Bytes()).ok());
}

// Each calls the next one twice.
TEST(TfliteUntrusted, SubgraphsThatGrow) {
  TfliteBuilder b;
  for (int depth = 0; depth < 40; ++depth) {
    if (depth > 0) b.AddSubgraph();
    const int x = b.Input("x", {1}), y = b.Tensor("y"), z = b.Tensor("z");
    fb::CallOptionsT call;
    call.subgraph = static_cast<uint32_t>(depth + 1);
    const char* op = depth < 39 ? "CALL" : "ABS";
    b.Op(op, {x}, {y}).builtin_options.Set(call);
    b.Op(op, {y}, {z}).builtin_options.Set(call);
    b.Output(z);
  }
  const Status status = ConvertUntrusted(b.Bytes());
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("operators in subgraphs that run each other"));
}

// What operators are asked to make of small inputs.
TEST(TfliteUntrusted, OptionsThatAskForMuch) {
  const auto expect_error = [](const char* op, std::vector<int32_t> operand, const auto& options) {
    TfliteBuilder b;
    const int x = b.Input("x", {1, 2, 2, 1}), y = b.Tensor("y");
    std::vector<int32_t> inputs = {x};
    if (!operand.empty()) inputs.push_back(b.Integers("operand", operand));
    b.Op(op, inputs, {y}, options);
    b.Output(y);
    const Status status = ConvertUntrusted(b.Bytes());
    EXPECT_FALSE(status.ok()) << op;
    EXPECT_STRNE(status.message(), "");
  };
  expect_error("TILE", {kLargest, kLargest, kLargest, kLargest}, fb::ReshapeOptionsT());
  expect_error("RESHAPE", {kLargest, -1, 2, 2}, fb::ReshapeOptionsT());
  expect_error("BROADCAST_TO", {kLargest, 2, 2, 1}, fb::ReshapeOptionsT());
  fb::SpaceToDepthOptionsT blocks;
  for (const int32_t size : {0, -1, kLargest}) {
    blocks.block_size = size;
    expect_error("SPACE_TO_DEPTH", {}, blocks);
  }
  fb::Pool2DOptionsT pool;
  for (const int32_t size : {0, -3, kLargest}) {
    pool.filter_height = pool.filter_width = pool.stride_h = pool.stride_w = size;
    expect_error("MAX_POOL_2D", {}, pool);
  }
}

// Errors and successes, but nothing in between.
void Try(const std::string& bytes) {
  const ir::ConversionBudget budget(SmallLimits());
  const Status status = ImportTflite(bytes).status;
  EXPECT_EQ(status.ok(), std::string(status.message()).empty());
}

// A cast gives a constant that has no scales to a tensor that states some.
TEST(TfliteUntrusted, WeightsWithoutTheirScales) {
  constexpr auto kBytes = fb::TensorType::UInt8;
  TfliteBuilder b;
  const int x = b.Input("x", {1, 2}), w = b.Constant<uint8_t>("w", {3, 2}, kBytes, {1, 2, 3, 4, 5, 6}),
            cast = b.Tensor("cast", {3, 2}, kBytes, {{1}, {0}}), y = b.Tensor("y", {1, 3});
  b.Op("CAST", {w}, {cast});
  b.Op("FULLY_CONNECTED", {x, cast}, {y}, fb::FullyConnectedOptionsT());
  b.Output(y);
  Try(b.Bytes());
}

// Two operators whose states have one name, since they have one output; the first is not supported.
TEST(TfliteUntrusted, StatesOfOneName) {
  constexpr auto kShorts = fb::TensorType::Int16;
  TfliteBuilder b;
  const int x = b.Input("x", {2, 4}, kShorts), z = b.Input("z", {3, 4}, kShorts),
            y = b.Tensor("y", {}, kShorts);
  for (const int samples : {z, x, z, x})
    b.Op("SignalDelay", {samples}, {y}).custom_options = FlexInts({{"delay_length", 1}});
  b.Output(y);
  Try(b.Bytes());
}

// Weights of several scales that are joined to others after their shape has changed.
TEST(TfliteUntrusted, PartsOfOtherScales) {
  constexpr auto kBytes = fb::TensorType::Int8;
  TfliteBuilder b;
  const int w = b.Constant<int8_t>("w", {2, 3}, kBytes, {1, 2, 3, 4, 5, 6}, {{1, 2, 3}, {0, 0, 0}, 1}),
            r = b.Tensor("r"), y = b.Tensor("y"), x = b.Input("x", {3, 4});
  fb::ConcatenationOptionsT o;
  o.axis = 1;
  b.Op("RESHAPE", {w, b.Integers("shape", {3, 2})}, {r});
  b.Op("CONCATENATION", {r, x}, {y}, o);
  b.Output(y);
  Try(b.Bytes());
}

// A slice of so many elements does not list them.
TEST(TfliteUntrusted, LongDynamicSlice) {
  TfliteBuilder b;
  const int x = b.Input("x", {kLargest}), at = b.Input("at", {}, fb::TensorType::Int32), y = b.Tensor("y");
  fb::StablehloDynamicSliceOptionsT o;
  o.slice_sizes = {kLargest - 1};
  b.Op("STABLEHLO_DYNAMIC_SLICE", {x, at}, {y}).builtin_options_2.Set(o);
  b.Output(y);
  Try(b.Bytes());
}

// Sizes and indices at both ends of 64 bits.
TEST(TfliteUntrusted, NumbersOf64Bits) {
  constexpr auto kLongs = fb::TensorType::Int64;
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  TfliteBuilder b;
  const int x = b.Input("x", {-1, 4}), y = b.Tensor("y"), z = b.Tensor("z"), real = b.Tensor("real");
  const int begins = b.Constant<int64_t>("begins", {2}, kLongs, {kMost, 0}),
            sizes = b.Constant<int64_t>("sizes", {2}, kLongs, {kMost, 4}),
            indices = b.Constant<int64_t>("indices", {2}, kLongs, {kLeast, kMost}),
            scaled = b.Constant<int64_t>("scaled", {2}, kLongs, {kLeast, kMost}, {{1}, {1}});
  b.Op("SLICE", {x, begins, sizes}, {y});
  fb::GatherOptionsT o;
  o.axis = 1;
  b.Op("GATHER", {x, indices}, {z}, o);
  b.Op("ABS", {scaled}, {real});
  b.Output(y).Output(z).Output(real);
  Try(b.Bytes());
}

// Custom options at the end of the file, whose text does not end there.
TEST(TfliteUntrusted, OptionsWithoutAnEnd) {
  TfliteBuilder b;
  const int x = b.Input("x", {8}), y = b.Tensor("y");
  b.Op("SignalRfft", {x}, {y}).large_custom_options_offset = 2;
  b.Output(y);
  const std::vector<uint8_t> bytes =
      FlexMap([](flexbuffers::Builder& options) { options.String("fft_length", "8"); });
  b.graph().operators[0]->large_custom_options_size = bytes.size();
  b.graph().operators[0]->large_custom_options_offset = b.Bytes().size();
  const std::string file = b.Bytes();
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const int byte : {1, 49, 255}) {
      std::string text(bytes.begin(), bytes.end());
      text[at] = static_cast<char>(byte);
      Try(file + text);
    }
  }
}

// --- networks that are overwritten

TfliteBuilder Layers() {
  TfliteBuilder b;
  const auto type = fb::TensorType::Int8;
  const int x = b.Input("x", {1, 4, 4, 1}, type, {{0.5f}, {0}});
  const int w =
      b.Constant<int8_t>("w", {2, 3, 3, 1}, type, std::vector<int8_t>(18, 3), {{0.1f, 0.2f}, {0, 0}, 0});
  const int bias = b.Constant<int32_t>("b", {2}, fb::TensorType::Int32, {1, 2});
  const int y = b.Tensor("y", {}, type, {{1}, {0}}), p = b.Tensor("p", {}, type, {{1}, {0}}),
            r = b.Tensor("r", {}, type, {{1}, {0}}), s = b.Tensor("s", {}, type, {{1}, {0}});
  fb::Conv2DOptionsT conv;
  conv.stride_h = conv.stride_w = 1;
  fb::Pool2DOptionsT pool;
  pool.filter_height = pool.filter_width = pool.stride_h = pool.stride_w = 2;
  b.Op("CONV_2D", {x, w, bias}, {y}, conv);
  b.Op("AVERAGE_POOL_2D", {y}, {p}, pool);
  b.Op("RESHAPE", {p, b.Integers("shape", {1, -1})}, {r});
  b.Op("STRIDED_SLICE", {r, b.Integers("from", {0, 1}), b.Integers("to", {1, 7}), b.Integers("by", {1, 2})},
       {s}, fb::StridedSliceOptionsT());
  return b.Output(s);
}

TfliteBuilder ControlFlow() {
  TfliteBuilder b;
  const int body = b.AddSubgraph();
  int x = b.Input("x", {2}), y = b.Tensor("y", {2}), handle = b.Tensor("h", {}, fb::TensorType::Resource),
      before = b.Tensor("before", {2});
  fb::VarHandleOptionsT named;
  named.shared_name = "v";
  b.Op("VAR_HANDLE", {}, {handle}, named);
  b.Op("READ_VARIABLE", {handle}, {before});
  b.Op("ADD", {x, before}, {y});
  b.Op("ASSIGN_VARIABLE", {handle, y}, {});
  b.Output(y);
  const int condition = b.AddSubgraph();
  x = b.Input("x", {2});
  const int sum = b.Tensor("sum", {}), go = b.Tensor("go", {}, fb::TensorType::Bool);
  b.Op("SUM", {x, b.Integers("axis", {0})}, {sum}, fb::ReducerOptionsT());
  b.Op("LESS", {sum, b.Floats("limit", {}, {9})}, {go});
  b.Output(go);
  b.BackToMain();
  x = b.Input("x", {2});
  y = b.Tensor("y", {2});
  const int c = b.Input("c", {}, fb::TensorType::Bool), z = b.Tensor("z", {2});
  fb::WhileOptionsT loop;
  loop.cond_subgraph_index = condition;
  loop.body_subgraph_index = body;
  fb::IfOptionsT branches;
  branches.then_subgraph_index = branches.else_subgraph_index = body;
  b.Op("WHILE", {x}, {y}, loop);
  b.Op("IF", {c, y}, {z}, branches);
  return b.Output(z);
}

TfliteBuilder Recurrent() {
  TfliteBuilder b;
  std::vector<int32_t> inputs(20, -1);
  inputs[0] = b.Input("x", {1, 2, 1});
  const int w = b.Floats("w", {1, 1}, {1}), bias = b.Floats("b", {1}, {0});
  for (size_t i = 1; i < 9; ++i) inputs[i] = w;
  for (size_t i = 12; i < 16; ++i) inputs[i] = bias;
  for (size_t i = 18; i < 20; ++i) {
    inputs[i] = b.Tensor("state", {1, 1});
    b.tensor(inputs[i]).is_variable = true;
  }
  fb::UnidirectionalSequenceLSTMOptionsT o;
  o.fused_activation_function = fb::ActivationFunctionType::Tanh;
  const int y = b.Tensor("y");
  b.Op("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, {y}, o);
  return b.Output(y);
}

TfliteBuilder Sparse() {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 4}), w = b.Floats("w", {2, 4}, {1, 2, 3}), y = b.Tensor("y");
  auto sparsity = std::make_unique<fb::SparsityParametersT>();
  sparsity->traversal_order = {0, 1};
  sparsity->dim_metadata.push_back(std::make_unique<fb::DimensionMetadataT>());
  sparsity->dim_metadata[0]->dense_size = 2;
  sparsity->dim_metadata.push_back(std::make_unique<fb::DimensionMetadataT>());
  fb::DimensionMetadataT& rows = *sparsity->dim_metadata[1];
  rows.format = fb::DimensionType::SparseCsr;
  fb::Int32VectorT segments, indices;
  segments.values = {0, 1, 3};
  indices.values = {0, 1, 3};
  rows.array_segments.Set(segments);
  rows.array_indices.Set(indices);
  b.tensor(w).sparsity = std::move(sparsity);
  b.Op("FULLY_CONNECTED", {x, w}, {y}, fb::FullyConnectedOptionsT());
  return b.Output(y);
}

TfliteBuilder Detection() {
  TfliteBuilder b;
  const int boxes = b.Input("boxes", {1, 1, 4}), scores = b.Input("scores", {1, 1, 2});
  const int anchors = b.Floats("anchors", {1, 4}, {0, 0, 1, 1});
  std::vector<int32_t> outputs;
  for (const char* name : {"y", "classes", "best", "n"}) outputs.push_back(b.Tensor(name));
  const auto fill = [](flexbuffers::Builder& options) {
    for (const char* name : {"detections_per_class", "max_detections", "num_classes", "y_scale", "x_scale",
                             "h_scale", "w_scale"})
      options.Int(name, 1);
    options.Bool("use_regular_nms", true);
  };
  b.Op("TFLite_Detection_PostProcess", {boxes, scores, anchors}, outputs).custom_options = FlexMap(fill);
  return b.Output(outputs[0]);
}

class TfliteOverwritten : public ::testing::TestWithParam<std::function<TfliteBuilder()>> {
 protected:
  const std::string bytes_ = GetParam()().Bytes();
};

TEST_P(TfliteOverwritten, TheSeedConverts) {
  const Status status = ConvertUntrusted(bytes_);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST_P(TfliteOverwritten, Words) {
  for (size_t at = 0; at + 4 <= bytes_.size(); at += 4) {
    const int32_t word = at % 8 == 0 ? -1 : kLargest;
    std::string broken = bytes_;
    std::memcpy(&broken[at], &word, sizeof word);
    Try(broken);
  }
}

TEST_P(TfliteOverwritten, Bits) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    std::string broken = bytes_;
    const size_t at = random() % bytes_.size();
    broken[at] = static_cast<char>(broken[at] ^ (1 << (random() % 8)));
    Try(broken);
  }
}

TEST_P(TfliteOverwritten, CutShort) {
  for (size_t size = 0; size < bytes_.size(); size += 7) Try(bytes_.substr(0, size));
}

INSTANTIATE_TEST_SUITE_P(Networks, TfliteOverwritten,
                         ::testing::Values(Layers, ControlFlow, Recurrent, Sparse, Detection));

}  // namespace
}  // namespace micrort::testing
