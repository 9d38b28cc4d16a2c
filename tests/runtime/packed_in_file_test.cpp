// Weights that the file holds packed: used in place where they are what a layer wants, never read otherwise.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/runtime/layer_model.h"
#include "tests/runtime/packed_model.h"

namespace micrort::testing::packed_in_file {
namespace {

using ::testing::HasSubstr;

// This CPU as a target.
const char* Here() { return TargetName(DetectCpuFeatures()); }

std::vector<float> Ramp(size_t n) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 17) / 16 - 0.5f;
  return values;
}

// A 3x3 convolution, a depthwise one and a product, with weights w0, w1 and w2 (tensors 1, 3 and 5).
ModelBuilder FloatModel() {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {1, 12, 12, 16});
  const int w0 = b.Constant<float>("w0", {16, 3, 3, 16}, Ramp(16 * 9 * 16));
  const int h = b.Tensor("h", kF32, {1, 12, 12, 16});
  const int w1 = b.Constant<float>("w1", {3, 3, 16}, Ramp(9 * 16));
  const int i = b.Tensor("i", kF32, {1, 12, 12, 16});
  const int w2 = b.Constant<float>("w2", {16, 24}, Ramp(16 * 24));
  const int y = b.Tensor("y", kF32, {1, 12, 12, 24});
  schema::Conv2DOptionsT conv;
  conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = 1;
  b.Node(conv, {x, w0}, {h}, "conv");
  schema::DepthwiseConv2DOptionsT depthwise;
  depthwise.pad_top = depthwise.pad_left = depthwise.pad_bottom = depthwise.pad_right = 1;
  b.Node(depthwise, {h, w1}, {i}, "depthwise");
  b.Node(schema::MatMulOptionsT(), {i, w2}, {y}, "product");
  b.Output(y);
  return b;
}
const std::vector<int> kFloatWeights = {1, 3, 5};

void Quantize(int tensor, ModelBuilder* b) {
  b->tensor(tensor).quantization = std::make_unique<schema::QuantizationT>();
  b->tensor(tensor).quantization->scales = {0.05f};
}

// int8 throughout: a 3x3 convolution and a depthwise one.
ModelBuilder IntegerModel() {
  ModelBuilder b;
  std::vector<int8_t> w(8 * 9 * 8);
  for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<int8_t>(static_cast<int>(i * 37 % 255) - 127);
  const int x = b.Input("x", DType::kInt8, {1, 10, 10, 8});
  const int w0 = b.Constant<int8_t>("w0", {8, 3, 3, 8}, w);
  const int h = b.Tensor("h", DType::kInt8, {1, 10, 10, 8});
  w.resize(9 * 8);
  const int w1 = b.Constant<int8_t>("w1", {3, 3, 8}, w);
  const int y = b.Tensor("y", DType::kInt8, {1, 10, 10, 8});
  schema::Conv2DOptionsT conv;
  conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = 1;
  b.Node(conv, {x, w0}, {h}, "conv");
  schema::DepthwiseConv2DOptionsT depthwise;
  depthwise.pad_top = depthwise.pad_left = depthwise.pad_bottom = depthwise.pad_right = 1;
  b.Node(depthwise, {h, w1}, {y}, "depthwise");
  for (const int tensor : {x, w0, h, w1, y}) Quantize(tensor, &b);
  b.Output(y);
  return b;
}

// A gated recurrent unit, whose weights are packed in two parts.
ModelBuilder RecurrentModel() {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {3, 2, 15});
  const int r = b.Constant<float>("r", {15, 5}, Ramp(75));
  const int last = b.Tensor("last", kF32, {2, 5});
  schema::RecurrentOptionsT options;
  options.kind = schema::RecurrentKind::Gru;
  options.last_only = true;
  for (const auto kind : {schema::UnaryKind::Sigmoid, schema::UnaryKind::Tanh}) {
    options.activations.push_back(std::make_unique<schema::RecurrentActivationT>());
    options.activations.back()->kind = kind;
  }
  b.Node(std::move(options), {x, r}, {last}, "gru");
  b.Output(last);
  return b;
}

struct Outcome {
  Status status;
  std::vector<uint8_t> output;
  size_t packed_bytes = 0, in_place_bytes = 0;
  CpuFeatures features = 0;
};

Outcome RunModel(const ModelBuilder& b, const InterpreterOptions& options = {}) {
  Outcome outcome;
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  outcome.status = model.status();
  if (!model.ok()) return outcome;
  auto interpreter = Interpreter::Create(*model, options);
  outcome.status = interpreter.status();
  if (!interpreter.ok()) return outcome;
  const TensorView x = interpreter->input(0), y = interpreter->output(0);
  for (size_t i = 0; i < x.elements() && x.dtype == kF32; ++i)
    x.as<float>()[i] = static_cast<float>(i % 13) - 6;
  for (size_t i = 0; i < x.elements() && x.dtype != kF32; ++i)
    x.as<int8_t>()[i] = static_cast<int8_t>(i * 7 % 256);
  outcome.status = interpreter->Run();
  const auto* bytes = static_cast<const uint8_t*>(y.data);
  outcome.output.assign(bytes, bytes + y.bytes());
  outcome.packed_bytes = model->packed_bytes();
  outcome.in_place_bytes = interpreter->packed_in_place_bytes();
  outcome.features = interpreter->features();
  return outcome;
}

TEST(PackedInFile, IsUsedInPlaceAndGivesTheSame) {
  for (const ModelBuilder& portable : {FloatModel(), IntegerModel(), RecurrentModel()}) {
    const Outcome expected = RunModel(portable);
    ASSERT_THAT(expected.status, IsOk());
    EXPECT_EQ(expected.in_place_bytes, 0u);
    ModelBuilder packed = portable;
    PackFor(Here(), &packed);
    const Outcome found = RunModel(packed);
    ASSERT_THAT(found.status, IsOk());
    EXPECT_EQ(found.output, expected.output);
    EXPECT_EQ(found.packed_bytes, 0u);
    EXPECT_GE(expected.packed_bytes, found.in_place_bytes);
    EXPECT_GT(found.in_place_bytes, 0u);
  }
}

TEST(PackedInFile, IsCountedApartFromOtherWeights) {
  const ModelFile portable = FloatModel().Finish();
  ModelBuilder b = FloatModel();
  PackFor(Here(), &b);
  b.graph().operators[2]->packed.push_back(std::make_unique<schema::PackedWeightsT>(FirstPacked(b)));
  const ModelFile file = b.Finish();
  auto plain = Model::FromBuffer(portable.data(), portable.size());
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ(model->weight_bytes(), plain->weight_bytes());
  size_t packed = 0;
  for (int i = 0; i < 3; ++i) {
    packed += b.model.buffers[b.graph().operators[static_cast<size_t>(i)]->packed[0]->buffer]->data.size();
  }
  EXPECT_EQ(model->packed_file_bytes(), packed);  // one of them is named twice
  EXPECT_EQ(plain->packed_file_bytes(), 0u);
}

TEST(PackedInFile, NeedsNoPortableWeights) {
  ModelBuilder b = FloatModel();
  const Outcome expected = RunModel(b);
  PackFor(Here(), &b);
  for (const int w : kFloatWeights) KeepPackedOnly(w, &b);
  const Outcome found = RunModel(b);
  ASSERT_THAT(found.status, IsOk());
  EXPECT_EQ(found.output, expected.output);
}

TEST(PackedInFile, IsLeftAloneWhereAnotherLayoutIsWanted) {
  const Outcome expected = RunModel(FloatModel());
  struct Change {
    const char* name;
    void (*make)(ModelBuilder&);
  };
  const Change changes[] = {
      {"layout", [](ModelBuilder& b) { FirstPacked(b).layout = "implicit_gemm_f32/of_another_cpu"; }},
      {"slot", [](ModelBuilder& b) { FirstPacked(b).slot = 200; }},
      {"revision", [](ModelBuilder& b) { b.model.packed_revision = kPackedRevision + 1; }},
      {"target", [](ModelBuilder& b) { b.model.target = "unheard of"; }}};
  for (const Change& change : changes) {
    SCOPED_TRACE(change.name);
    ModelBuilder b = FloatModel();
    PackFor(Here(), &b);
    change.make(b);
    const Outcome found = RunModel(b);
    ASSERT_THAT(found.status, IsOk());
    EXPECT_EQ(found.output, expected.output);
    EXPECT_LE(found.in_place_bytes + found.packed_bytes, expected.packed_bytes);
    const bool matters = std::string(change.name) != "target";
    EXPECT_EQ(found.packed_bytes > 0, matters);
  }
}

TEST(PackedInFile, IsLeftAloneByOtherInstructionSetsAndChoices) {
  ModelBuilder b = LayerModel();
  PackFor(Here(), &b);
  InterpreterOptions scalar;
  scalar.features = 0;
  EXPECT_EQ(RunModel(b, scalar).output, RunModel(LayerModel(), scalar).output);
  for (const char* name :
       {"implicit_gemm_f32/", "winograd_2x2_f32/", "winograd_4x4_f32/", "winograd_6x6_f32/"}) {
    const NamedChooser chooser(name);
    InterpreterOptions options;
    options.chooser = &chooser;
    const Outcome found = RunModel(b, options);
    EXPECT_EQ(found.output, RunModel(LayerModel(), options).output);
    EXPECT_EQ(found.packed_bytes == 0, FirstPacked(b).layout.rfind(name, 0) == 0);
  }
}

TEST(PackedInFile, AloneDecidesTheAlgorithm) {
  ModelBuilder b = LayerModel();
  PackFor(Here(), &b);
  KeepPackedOnly(1, &b);
  for (const char* name : {"implicit_gemm_f32/", "winograd_2x2_f32/"}) {
    const NamedChooser chooser(name);
    InterpreterOptions options;
    options.chooser = &chooser;
    options.threads = 2;
    ASSERT_THAT(RunModel(b, options).status, IsOk());
    ASSERT_EQ(chooser.infos.size(), 1u);
    EXPECT_EQ(chooser.infos[0].name, FirstPacked(b).layout);
  }
}

TEST(PackedInFile, AloneKeepsStrongerCpusToItsInstructions) {
  ModelBuilder b = LayerModel();
  InterpreterOptions scalar;
  scalar.features = 0;
  const Outcome expected = RunModel(b, scalar);
  PackFor("scalar", &b);
  KeepPackedOnly(1, &b);
  const Outcome found = RunModel(b);
  ASSERT_THAT(found.status, IsOk());
  EXPECT_STREQ(IsaName(found.features), "scalar");
  EXPECT_EQ(found.output, expected.output);
}

struct Broken {
  const char* name;
  void (*change)(ModelBuilder&);
  StatusCode code;
  const char* message;
};

class BrokenPackedTest : public ::testing::TestWithParam<Broken> {};

// The layer's weights are there in packed form only.
TEST_P(BrokenPackedTest, IsRefused) {
  ModelBuilder b = LayerModel();
  PackFor("scalar", &b);
  KeepPackedOnly(1, &b);
  GetParam().change(b);
  EXPECT_THAT(RunModel(b).status, IsError(GetParam().code, HasSubstr(GetParam().message)));
}

const Broken kBroken[] = {
    {"AnotherCpu", [](ModelBuilder& b) { b.model.target = "neon_of_tomorrow"; }, StatusCode::kUnsupported,
     "stored packed for neon_of_tomorrow only, found a CPU with"},
    {"NoTarget", [](ModelBuilder& b) { b.model.target.clear(); }, StatusCode::kUnsupported,
     "stored packed for  only"},
    {"AnotherRevision", [](ModelBuilder& b) { b.model.packed_revision = 77; }, StatusCode::kUnsupported,
     "revision 1, found 77"},
    {"UnknownLayout", [](ModelBuilder& b) { FirstPacked(b).layout = "nonsense"; }, StatusCode::kUnsupported,
     "node 'layer' (Conv2D): weights are stored as 'nonsense' only"},
    {"AnotherSlot", [](ModelBuilder& b) { FirstPacked(b).slot = 1; }, StatusCode::kInvalidModel,
     "input 1 ('w') is stored packed only, and not for this node"},
    {"TooShort", [](ModelBuilder& b) { FirstPackedBytes(b).resize(FirstPackedBytes(b).size() - 64); },
     StatusCode::kInvalidModel, "expected"},
    {"TooLong", [](ModelBuilder& b) { FirstPackedBytes(b).resize(FirstPackedBytes(b).size() + 64); },
     StatusCode::kInvalidModel, "bytes, found"},
    {"NotPacked", [](ModelBuilder& b) { b.graph().operators[0]->packed.clear(); }, StatusCode::kInvalidModel,
     "not for this node"},
    {"ReadByAnother",
     [](ModelBuilder& b) {
       const int z = b.Tensor("z", kF32, b.tensor(1).shape);
       b.Node(schema::UnaryOptionsT(), {1}, {z}, "other");
       b.Output(z);
     },
     StatusCode::kInvalidModel, "node 'other' (Unary): input 0 ('w') is stored packed only"},
    {"ReadByABody",
     [](ModelBuilder& b) {
       const std::vector<int32_t> shape = b.tensor(1).shape;
       const int z = b.Tensor("z", kF32, shape), condition = b.Input("c", DType::kBool, {});
       schema::IfOptionsT options;
       for (uint32_t* body : {&options.then_graph, &options.else_graph}) {
         b.Use(*body = b.AddGraph("body"));
         const int from = b.Input("from", kF32, shape), to = b.Tensor("to", kF32, shape);
         b.Node(schema::UnaryOptionsT(), {from}, {to});
         b.Output(to);
         b.Use(0);
       }
       b.Node(options, {condition, 1}, {z}, "if");
       b.Output(z);
     },
     StatusCode::kInvalidModel, "node 'if' (If): input 1 ('w') is stored packed only"},
    {"AnOutput", [](ModelBuilder& b) { b.Output(1); }, StatusCode::kInvalidModel,
     "graph output 1: 'w' is stored packed"},
    {"WithData", [](ModelBuilder& b) { b.model.buffers[b.tensor(1).buffer]->data = {1}; },
     StatusCode::kInvalidModel, "expected no data"},
    {"WithoutBuffer", [](ModelBuilder& b) { b.tensor(1).buffer = 0; }, StatusCode::kInvalidModel,
     "expected a constant"},
    {"ComputedBias",
     [](ModelBuilder& b) {
       b.graph().operators[0]->inputs.push_back(b.Input("bias", kF32, {kLayerChannels}));
     },
     StatusCode::kInvalidModel, "not for this node"},
};
INSTANTIATE_TEST_SUITE_P(Files, BrokenPackedTest, ::testing::ValuesIn(kBroken),
                         [](const auto& test) { return std::string(test.param.name); });

// Whatever the bytes are, the sanitizers have nothing to say.
TEST(PackedInFile, MayBeAnyBytes) {
  std::mt19937 random(5);
  for (const ModelBuilder& portable : {FloatModel(), IntegerModel(), RecurrentModel(), LayerModel()}) {
    for (const char* isa : {"scalar", Here()}) {
      ModelBuilder b = portable;
      PackFor(isa, &b);
      for (const auto& op : b.graph().operators) {
        for (const auto& packed : op->packed) {
          for (uint8_t& byte : b.model.buffers[packed->buffer]->data) byte = static_cast<uint8_t>(random());
        }
      }
      InterpreterOptions options;
      ASSERT_TRUE(ParseTarget(isa, &options.features));
      const Outcome found = RunModel(b, options);
      EXPECT_THAT(found.status, IsOk());
      EXPECT_EQ(found.packed_bytes, 0u);
    }
  }
}

}  // namespace
}  // namespace micrort::testing::packed_in_file
