// Files broken by hand: each is refused with a message that names the place, what was expected and what was
// found.

#include "runtime/model/verify.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>

#include "micrort/model.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

// x [2,3] → Binary with the constant w [2,3] → Unary → y.
ModelBuilder Valid() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {2, 3});
  const int w = b.Constant<float>("w", {2, 3}, {1, 2, 3, 4, 5, 6});
  const int h = b.Tensor("h", DType::kFloat32, {2, 3});
  const int y = b.Tensor("y", DType::kFloat32, {2, 3});
  b.Node(schema::BinaryOptionsT(), {x, w}, {h}, "add");
  b.Node(schema::UnaryOptionsT(), {h}, {y}, "relu");
  b.Output(y);
  return b;
}
constexpr int kX = 0;
constexpr int kW = 1;
constexpr int kH = 2;
constexpr int kY = 3;

Status Load(const ModelBuilder& b) {
  const ModelFile file = b.Finish();
  return Model::FromBuffer(file.data(), file.size()).status();
}

struct BrokenFile {
  const char* name;
  std::function<void(ModelBuilder&)> change;
  const char* message;
  StatusCode code = StatusCode::kInvalidModel;
};

class VerifyTest : public ::testing::TestWithParam<BrokenFile> {};

TEST(Verify, AcceptsAValidFile) { EXPECT_TRUE(Load(Valid()).ok()) << Load(Valid()).message(); }

TEST_P(VerifyTest, Refuses) {
  ModelBuilder b = Valid();
  GetParam().change(b);
  const Status status = Load(b);
  EXPECT_EQ(status.code(), GetParam().code);
  EXPECT_THAT(status.message(), HasSubstr(GetParam().message));
}

void Quantize(ModelBuilder& b, int tensor, DType dtype, std::vector<float> scales,
              std::vector<int32_t> zero_points, int axis) {
  b.tensor(tensor).dtype = static_cast<schema::DType>(dtype);
  b.tensor(tensor).quantization = std::make_unique<schema::QuantizationT>();
  b.tensor(tensor).quantization->scales = std::move(scales);
  b.tensor(tensor).quantization->zero_points = std::move(zero_points);
  b.tensor(tensor).quantization->axis = axis;
}

const BrokenFile kModelFiles[] = {
    {"NewerSchema", [](ModelBuilder& b) { b.model.schema_version = 1000; },
     "expected schema version 24 or older, found 1000", StatusCode::kUnsupported},
    {"NoSchemaVersion", [](ModelBuilder& b) { b.model.schema_version = 0; }, "no schema version"},
    {"NoSubgraphs", [](ModelBuilder& b) { b.model.subgraphs.clear(); }, "expected a subgraph, found none"},
    {"NoBuffers",
     [](ModelBuilder& b) {
       b.model.buffers.clear();
       b.tensor(kW).buffer = 0;
     },
     "buffer 0, the empty one, is missing"},
    {"FullFirstBuffer", [](ModelBuilder& b) { b.model.buffers[0]->data = {1}; },
     "buffer 0: expected no data, found 1 bytes"},
};

// Gives the first operator packed weights in a buffer of their own.
schema::PackedWeightsT& AddPacked(ModelBuilder& b) {
  auto& packed = b.graph().operators[0]->packed;
  packed.push_back(std::make_unique<schema::PackedWeightsT>());
  packed.back()->layout = "some_algorithm/scalar";
  packed.back()->buffer = static_cast<uint32_t>(b.model.buffers.size());
  b.model.buffers.push_back(std::make_unique<schema::BufferT>());
  b.model.buffers.back()->data.resize(64);
  return *packed.back();
}

const BrokenFile kPackedFiles[] = {
    {"PackedWithoutLayout", [](ModelBuilder& b) { AddPacked(b).layout.clear(); },
     "node 0 ('add', Binary): packed weights 0: the layout is missing"},
    {"PackedNowhere", [](ModelBuilder& b) { AddPacked(b).buffer = 0; },
     "packed weights 0: expected a buffer in [1, 3), found 0"},
    {"PackedInNoBuffer", [](ModelBuilder& b) { AddPacked(b).buffer = 3; },
     "packed weights 0: expected a buffer in [1, 3), found 3"},
    {"PackedWithoutBytes", [](ModelBuilder& b) { b.model.buffers[AddPacked(b).buffer]->data.clear(); },
     "buffer 2 has no data"},
    {"PackedTooOften",
     [](ModelBuilder& b) {
       for (int i = 0; i < 65; ++i) AddPacked(b);
     },
     "expected at most 64 packed weights, found 65"},
    {"PackedOnlyWithData", [](ModelBuilder& b) { b.tensor(kW).packed_only = true; },
     "tensor 1 ('w'): expected no data, as it is stored packed only, buffer 1 has 24 bytes"},
    {"PackedOnlyVariable", [](ModelBuilder& b) { b.tensor(kH).packed_only = true; },
     "tensor 2 ('h'): expected a constant, as it is stored packed only"},
};

const BrokenFile kTensorFiles[] = {
    {"UnknownType", [](ModelBuilder& b) { b.tensor(kX).dtype = schema::DType::Unknown; },
     "tensor 0 ('x'): element type 0 is not known"},
    {"TypeOutOfRange", [](ModelBuilder& b) { b.tensor(kX).dtype = static_cast<schema::DType>(200); },
     "element type 200 is not known"},
    {"RankOverLimit", [](ModelBuilder& b) { b.tensor(kX).shape.assign(9, 1); },
     "expected a rank of at most 8, found 9"},
    {"NegativeDimension", [](ModelBuilder& b) { b.tensor(kX).shape[1] = -2; },
     "dimension 1: expected -1 or more, found -2"},
    {"LargestSizesOfAnotherRank", [](ModelBuilder& b) { b.tensor(kX).max_shape = {1}; },
     "largest sizes, found 1"},
    {"LargestSizeOfAFixedDimension",
     [](ModelBuilder& b) { b.tensor(kX).max_shape.assign(b.tensor(kX).shape.size(), 7); },
     "its largest size is 7"},
    {"NegativeLargestSize",
     [](ModelBuilder& b) {
       b.tensor(kX).shape[0] = -1;
       b.tensor(kX).max_shape.assign(b.tensor(kX).shape.size(), 0);
       b.tensor(kX).max_shape[0] = -5;
     },
     "its largest size is -5"},
    {"SameName", [](ModelBuilder& b) { b.tensor(kH).name = "x"; },
     "expected one tensor a name, found two of name 'x'"},
    {"HugeShape", [](ModelBuilder& b) { b.tensor(kX).shape.assign(8, 0x7fffffff); }, "is too large"},
    {"DimensionNames", [](ModelBuilder& b) { b.tensor(kX).dim_names = {"batch"}; },
     "expected 2 dimension names, found 1"},
    {"BufferOutOfRange", [](ModelBuilder& b) { b.tensor(kW).buffer = 7; },
     "tensor 1 ('w'): expected a buffer below 2, found 7"},
    {"ShortConstant", [](ModelBuilder& b) { b.model.buffers[1]->data.pop_back(); },
     "shape 2x3 of float32 needs 24 bytes, buffer 1 has 23"},
    {"LongConstant", [](ModelBuilder& b) { b.model.buffers[1]->data.push_back(0); }, "buffer 1 has 25"},
    {"DynamicConstant", [](ModelBuilder& b) { b.tensor(kW).shape[0] = -1; },
     "a constant has a dynamic dimension"},
    {"BoolOfTwo",
     [](ModelBuilder& b) {
       b.tensor(kW).dtype = schema::DType::Bool;
       b.model.buffers[1]->data = {0, 1, 2, 0, 0, 0};
     },
     "element 2: expected a bool of 0 or 1, found 2"},
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

const BrokenFile kQuantizationFiles[] = {
    {"ZeroScale", [](ModelBuilder& b) { Quantize(b, kX, DType::kInt8, {0.0f}, {}, -1); },
     "scale 0: expected a finite number above 0, found 0"},
    {"NegativeScale", [](ModelBuilder& b) { Quantize(b, kX, DType::kInt8, {-1.0f}, {}, -1); }, "found -1"},
    {"InfiniteScale", [](ModelBuilder& b) { Quantize(b, kX, DType::kInt8, {kInfinity}, {}, -1); },
     "found inf"},
    {"NaNScale", [](ModelBuilder& b) { Quantize(b, kX, DType::kInt8, {kNaN}, {}, -1); }, "found nan"},
    {"NoScales", [](ModelBuilder& b) { Quantize(b, kX, DType::kInt8, {}, {}, -1); },
     "quantization: expected 1 scales, found 0"},
    {"ScalesOfAxis",
     [](ModelBuilder& b) {
       Quantize(b, kX, DType::kInt8, {1.0f, 1.0f}, {}, 1);
     },
     "expected 3 scales, found 2"},
    {"AxisOutOfRange", [](ModelBuilder& b) { Quantize(b, kX, DType::kInt8, {1.0f}, {}, 2); },
     "expected an axis in [-1, 2), found 2"},
    {"AxisBelowRange", [](ModelBuilder& b) { Quantize(b, kX, DType::kInt8, {1.0f}, {}, -2); }, "found -2"},
    {"DynamicAxis",
     [](ModelBuilder& b) {
       Quantize(b, kX, DType::kInt8, {1.0f}, {}, 0);
       b.tensor(kX).shape[0] = -1;
     },
     "axis 0 is a dynamic dimension"},
    {"ZeroPointCount",
     [](ModelBuilder& b) {
       Quantize(b, kX, DType::kInt8, {1.0f}, {1, 2}, -1);
     },
     "expected no or 1 zero points, found 2"},
    {"ZeroPointRange", [](ModelBuilder& b) { Quantize(b, kX, DType::kInt8, {1.0f}, {128}, -1); },
     "zero point 0: expected -128 to 127, found 128"},
    {"ZeroPointRangeUnsigned", [](ModelBuilder& b) { Quantize(b, kX, DType::kUInt8, {1.0f}, {-1}, -1); },
     "expected 0 to 255, found -1"},
    {"QuantizedFloat", [](ModelBuilder& b) { Quantize(b, kX, DType::kFloat32, {1.0f}, {}, -1); },
     "expected an integer type, found float32"},
};

const BrokenFile kGraphFiles[] = {
    {"UnknownOperator",
     [](ModelBuilder& b) { b.graph().operators[0]->code = static_cast<schema::OpCode>(999); },
     "operator code 999 is not known"},
    {"OptionsOfAnother", [](ModelBuilder& b) { b.graph().operators[0]->options.Set(schema::PadOptionsT()); },
     "node 0 ('add', Binary): expected options BinaryOptions, found PadOptions"},
    {"NoOptions", [](ModelBuilder& b) { b.graph().operators[0]->options.Reset(); },
     "expected options BinaryOptions, found NONE"},
    {"InputOutOfRange", [](ModelBuilder& b) { b.graph().operators[0]->inputs[1] = 4; },
     "input 1: expected a tensor in [-1, 4), found 4"},
    {"InputBelowRange", [](ModelBuilder& b) { b.graph().operators[0]->inputs[1] = -2; }, "found -2"},
    {"OutputOutOfRange", [](ModelBuilder& b) { b.graph().operators[1]->outputs[0] = 4; },
     "node 1 ('relu', Unary): output 0: expected a tensor in [0, 4), found 4"},
    {"AbsentOutput", [](ModelBuilder& b) { b.graph().operators[1]->outputs[0] = -1; }, "found -1"},
    {"NoOutput", [](ModelBuilder& b) { b.graph().operators[1]->outputs.clear(); },
     "node 1 ('relu', Unary): it has no outputs"},
    {"ManyOutputs", [](ModelBuilder& b) { b.graph().operators[1]->outputs.assign(1025, kY); },
     "expected at most 1024 outputs, found 1025", StatusCode::kUnsupported},
    {"ManyInputs", [](ModelBuilder& b) { b.graph().operators[1]->inputs.assign(1025, kH); },
     "expected at most 1024 inputs, found 1025", StatusCode::kUnsupported},
    {"ReadBeforeWritten", [](ModelBuilder& b) { std::swap(b.graph().operators[0], b.graph().operators[1]); },
     "node 0 ('relu', Unary): tensor 2 ('h') is read before it is written"},
    {"OwnOutputAsInput", [](ModelBuilder& b) { b.graph().operators[0]->inputs[0] = kH; },
     "tensor 2 ('h') is read before it is written"},
    {"WrittenTwice", [](ModelBuilder& b) { b.graph().operators[1]->outputs[0] = kH; },
     "node 1 ('relu', Unary): tensor 2 ('h') is constant or has a value already"},
    {"ConstantWritten", [](ModelBuilder& b) { b.graph().operators[1]->outputs[0] = kW; },
     "tensor 1 ('w') is constant or has a value already"},
    {"GraphInputWritten", [](ModelBuilder& b) { b.graph().operators[1]->outputs[0] = kX; },
     "tensor 0 ('x') is constant or has a value already"},
    {"GraphInputOutOfRange", [](ModelBuilder& b) { b.graph().inputs[0] = 4; },
     "graph input 0: expected a tensor in [0, 4), found 4"},
    {"ConstantGraphInput", [](ModelBuilder& b) { b.graph().inputs.push_back(kW); },
     "graph input 1: tensor 1 ('w') is constant or has a value already"},
    {"GraphInputTwice", [](ModelBuilder& b) { b.graph().inputs.push_back(kX); }, "graph input 1: tensor 0"},
    {"NoGraphOutput", [](ModelBuilder& b) { b.graph().outputs.clear(); }, "the graph has no outputs"},
    {"GraphOutputOutOfRange", [](ModelBuilder& b) { b.graph().outputs[0] = -1; },
     "graph output 0: expected a tensor in [0, 4), found -1"},
    {"GraphOutputNotWritten", [](ModelBuilder& b) { b.graph().operators.pop_back(); },
     "graph output 0: tensor 3 ('y') is read before it is written"},
};

const BrokenFile kPlanFiles[] = {
    {"OffsetCount",
     [](ModelBuilder& b) {
       b.Plan({0, -1, 64}, 256);
     },
     "expected 4 offsets, found 3"},
    {"Unaligned",
     [](ModelBuilder& b) {
       b.Plan({0, -1, 32, 128}, 256);
     },
     "memory plan: tensor 2 ('h'): expected an offset that is a multiple of 64, found 32"},
    {"NegativeOffset",
     [](ModelBuilder& b) {
       b.Plan({0, -1, -64, 128}, 256);
     },
     "found -64"},
    {"OutOfArena",
     [](ModelBuilder& b) {
       b.Plan({0, -1, 64, 128}, 151);
     },
     "24 bytes at offset 128 reach out of the arena of 151 bytes"},
    {"FarOutOfArena",
     [](ModelBuilder& b) {
       b.Plan({0, -1, 64, int64_t{1} << 62}, 256);
     },
     "reach out of the arena"},
    {"PlannedConstant",
     [](ModelBuilder& b) {
       b.Plan({0, 192, 64, 128}, 256);
     },
     "a constant has a place in the arena"},
    {"PlannedDynamic",
     [](ModelBuilder& b) {
       b.tensor(kX).shape[0] = -1;
       b.Plan({0, -1, 64, 128}, 256);
     },
     "a planned tensor has a dynamic dimension"},
};

std::string CaseName(const ::testing::TestParamInfo<BrokenFile>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Model, VerifyTest, ::testing::ValuesIn(kModelFiles), CaseName);
INSTANTIATE_TEST_SUITE_P(Packed, VerifyTest, ::testing::ValuesIn(kPackedFiles), CaseName);
INSTANTIATE_TEST_SUITE_P(Tensor, VerifyTest, ::testing::ValuesIn(kTensorFiles), CaseName);
INSTANTIATE_TEST_SUITE_P(Quantization, VerifyTest, ::testing::ValuesIn(kQuantizationFiles), CaseName);
INSTANTIATE_TEST_SUITE_P(Graph, VerifyTest, ::testing::ValuesIn(kGraphFiles), CaseName);
INSTANTIATE_TEST_SUITE_P(Plan, VerifyTest, ::testing::ValuesIn(kPlanFiles), CaseName);

TEST(Verify, RefusesOtherFiles) {
  alignas(64) const char text[] = "Not a model at all, just text.";
  EXPECT_THAT(Model::FromBuffer(text, sizeof text).status().message(),
              HasSubstr("expected file identifier 'MCRT', found 'a mo'"));
  EXPECT_THAT(Model::FromBuffer(text, 5).status().message(), HasSubstr("found a file of 5 bytes"));
  EXPECT_EQ(Model::FromBuffer(text + 4, 20).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Model::FromBuffer(nullptr, 0).status().code(), StatusCode::kInvalidArgument);
}

TEST(Verify, RefusesTruncatedFiles) {
  const ModelFile file = Valid().Finish();
  constexpr size_t kPadding = 64;  // nothing names the last bytes of a file
  for (size_t size = 0; size + kPadding < file.size(); ++size) {
    const ModelFile cut(file.data(), size);
    EXPECT_EQ(Model::FromBuffer(cut.data(), cut.size()).status().code(), StatusCode::kInvalidModel) << size;
  }
}

// A graph of one Pad whose list `pads` begins `shift` times 4 bytes before the place that its alignment asks
// for.
ModelFile PadModel(uint32_t shift) {
  flatbuffers::FlatBufferBuilder builder;
  const auto buffer = schema::CreateBuffer(builder);
  const auto buffers = builder.CreateVector(&buffer, 1);
  const auto in = schema::CreateTensor(builder, builder.CreateString("in"), schema::DType::Int8);
  const auto out = schema::CreateTensor(builder, builder.CreateString("out"), schema::DType::Int8);
  const auto tensors = builder.CreateVector(std::vector{in, out});
  const auto zero = builder.CreateVector(std::vector<int32_t>{0});
  const auto one = builder.CreateVector(std::vector<int32_t>{1});
  const auto pads =
      builder.CreateVector(std::vector<int32_t>(2)).o;  // a list of 2 longs, as far as it matters
  builder.CreateVector(std::vector<int32_t>(shift));
  const auto options = schema::CreatePadOptions(builder, schema::PadMode::Constant, pads);
  const auto op = schema::CreateOperator(builder, schema::OpCode::Pad, schema::Options::PadOptions,
                                         options.Union(), zero, one);
  const auto ops = builder.CreateVector(&op, 1);
  const auto graph = schema::CreateSubgraph(builder, 0, tensors, zero, one, ops);
  const auto graphs = builder.CreateVector(&graph, 1);
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, 1, 0, 0, 0, 0, graphs, buffers));
  return ModelFile(builder.GetBufferPointer(), builder.GetSize());
}

// The flatbuffers verifier is content with lists of 64-bit numbers at any multiple of 4.
TEST(Verify, RefusesUnalignedLists) {
  bool seen[2] = {};
  for (uint32_t shift = 0; shift < 4; ++shift) {
    const ModelFile file = PadModel(shift);
    const auto* op = schema::GetModel(file.data())->subgraphs()->Get(0)->operators()->Get(0);
    const bool aligned =
        reinterpret_cast<uintptr_t>(op->options_as_PadOptions()->pads()->data()) % alignof(int64_t) == 0;
    const Status status = Model::FromBuffer(file.data(), file.size()).status();
    EXPECT_EQ(status.ok(), aligned) << status.message();
    seen[aligned] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1]);
}

// A list that many tables share must not make verification quadratic.
TEST(Verify, TakesLinearTimeForSharedLists) {
  flatbuffers::FlatBufferBuilder builder;
  constexpr size_t kCount = 30000;  // fewer than a subgraph may have
  const auto name = builder.CreateString("n");
  const auto names =
      builder.CreateVector(std::vector<flatbuffers::Offset<flatbuffers::String>>(kCount, name));
  const auto shape = builder.CreateVector(std::vector<int32_t>{kCount});
  const auto scales = builder.CreateVector(std::vector<float>(kCount, 1.0f));
  const auto quantization = schema::CreateQuantization(builder, scales, 0, 0);
  const auto strings = schema::CreateTensor(builder, name, schema::DType::Int8, shape, names);
  const auto scaled = schema::CreateTensor(builder, name, schema::DType::Int8, shape, 0, quantization);
  for (const auto tensor : {strings, scaled}) {
    const auto tensors =
        builder.CreateVector(std::vector<flatbuffers::Offset<schema::Tensor>>(kCount, tensor));
    const auto graph = schema::CreateSubgraph(builder, name, tensors);
    const auto graphs = builder.CreateVector(&graph, 1);
    const auto buffer = schema::CreateBuffer(builder);
    const auto buffers = builder.CreateVector(&buffer, 1);
    schema::FinishModelBuffer(builder, schema::CreateModel(builder, 1, 0, 0, 0, 0, graphs, buffers));
    const ModelFile file(builder.GetBufferPointer(), builder.GetSize());
    EXPECT_EQ(Model::FromBuffer(file.data(), file.size()).status().code(), StatusCode::kInvalidModel);
  }
}

}  // namespace
}  // namespace micrort::testing
