// From the converter's graphs to the bytes of the file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/build.h"
#include "micrort/version.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;

ir::ValueId AddInput(ir::Graph* graph, const std::string& name, std::vector<int64_t> shape) {
  ir::Value value;
  value.name = name;
  value.dtype = DType::kFloat32;
  value.has_shape = true;
  value.shape = std::move(shape);
  const ir::ValueId id = graph->AddValue(std::move(value));
  graph->inputs.push_back(id);
  return id;
}

// y = (x + c) * d, where c and d hold the same bytes; and a value that nothing names.
ir::Module MakeModule(int64_t batch = ir::kDynamic) {
  ir::Module module;
  module.source_format = "onnx";
  module.metadata = {{"author", "somebody"}};
  module.graphs.push_back(std::make_unique<ir::Graph>());
  ir::Graph& graph = module.entry();
  graph.name = "main";
  const ir::ValueId x = AddInput(&graph, "x", {batch, 3});
  graph.AddConstantOf<float>("unused", {1}, {9.0f});
  const ir::ValueId c = graph.AddConstantOf<float>("c", {3}, {1.0f, 2.0f, 3.0f});
  const ir::ValueId d = graph.AddConstantOf<float>("d", {3}, {1.0f, 2.0f, 3.0f});
  ir::Builder builder(graph, {"node", "Add", 13}, "node");
  const ir::ValueId sum = builder.Binary(schema::BinaryKind::Add, x, c);
  const ir::ValueId y = builder.Binary(schema::BinaryKind::Mul, sum, d);
  graph.value(sum).quantization = {{0.5f}, {-3}, -1};
  graph.outputs = {y};
  return module;
}

AlignedBytes Emit(const ir::Module& module) {
  emit::FileModel model;
  EXPECT_TRUE(emit::BuildModel(module, &model).ok());
  AlignedBytes file;
  EXPECT_TRUE(emit::Serialize(model, &file).ok());
  return file;
}

TEST(Emit, WritesLiveTensorsInTheOrderOfTheirFirstUse) {
  emit::FileModel model;
  ASSERT_TRUE(emit::BuildModel(MakeModule(), &model).ok());
  ASSERT_EQ(model.subgraphs.size(), 1u);
  std::vector<std::string> names;
  for (const auto& tensor : model.subgraphs[0]->tensors) names.push_back(tensor->name);
  ASSERT_EQ(names.size(), 5u);
  EXPECT_THAT(std::vector<std::string>(names.begin(), names.begin() + 2), ElementsAre("x", "c"));
  EXPECT_EQ(names[3], "d");
  EXPECT_THAT(model.subgraphs[0]->inputs, ElementsAre(0));
  EXPECT_THAT(model.subgraphs[0]->outputs, ElementsAre(4));
  EXPECT_THAT(model.subgraphs[0]->operators[1]->inputs, ElementsAre(2, 3));
  EXPECT_THAT(model.subgraphs[0]->tensors[0]->shape, ElementsAre(-1, 3));
}

TEST(Emit, SharesEqualBuffersAndLeavesTheFirstEmpty) {
  emit::FileModel model;
  ASSERT_TRUE(emit::BuildModel(MakeModule(), &model).ok());
  ASSERT_EQ(model.buffers.size(), 2u);
  EXPECT_TRUE(model.buffers[0]->data.empty());
  EXPECT_EQ(model.subgraphs[0]->tensors[0]->buffer, 0u);
  EXPECT_EQ(model.subgraphs[0]->tensors[1]->buffer, 1u);
  EXPECT_EQ(model.subgraphs[0]->tensors[3]->buffer, 1u);
}

// Steps of an unrolled recurrence differ in little.
TEST(Emit, StoresWhatIsEqualOnce) {
  ir::Module module = MakeModule();
  ir::Graph& graph = module.entry();
  graph.value(graph.outputs[0]).quantization = {{0.5f}, {-3}, -1};
  graph.value(graph.outputs[0]).shape = {ir::kDynamic, 3};
  const AlignedBytes file = Emit(module);
  const schema::Subgraph& subgraph = *schema::GetModel(file.data())->subgraphs()->Get(0);
  const auto& tensors = *subgraph.tensors();  // x, c, sum, d, y
  EXPECT_EQ(tensors.Get(0)->shape(), tensors.Get(4)->shape());
  EXPECT_EQ(tensors.Get(1)->shape(), tensors.Get(3)->shape());
  EXPECT_NE(tensors.Get(0)->shape(), tensors.Get(1)->shape());
  EXPECT_EQ(tensors.Get(2)->quantization(), tensors.Get(4)->quantization());
  EXPECT_EQ(subgraph.operators()->Get(0)->name(), subgraph.operators()->Get(1)->name());
}

TEST(Emit, StatesWhereTheModelComesFrom) {
  const AlignedBytes file = Emit(MakeModule());
  ASSERT_TRUE(schema::ModelBufferHasIdentifier(file.data()));
  const schema::Model* model = schema::GetModel(file.data());
  EXPECT_EQ(model->schema_version(), emit::kFirstSchemaVersion);
  EXPECT_STREQ(model->producer()->c_str(), "mnnconvert");
  EXPECT_STREQ(model->producer_version()->c_str(), MICRORT_VERSION);
  EXPECT_STREQ(model->source_format()->c_str(), "onnx");
  EXPECT_STREQ(model->metadata()->Get(0)->key()->c_str(), "author");
  const schema::Tensor* sum = model->subgraphs()->Get(0)->tensors()->Get(2);
  EXPECT_EQ(sum->quantization()->scales()->Get(0), 0.5f);
  EXPECT_EQ(sum->quantization()->zero_points()->Get(0), -3);
}

// y = gathered rows of int4 with these scales and zero points of groups.
schema::QuantizationT EmitInt4(const std::vector<float>& scales, const std::vector<int32_t>& zero_points,
                               uint32_t* version) {
  ir::Module module = MakeModule();
  ir::Graph& graph = module.entry();
  ir::Value table;
  table.name = "table";
  table.dtype = DType::kInt4;
  table.has_shape = true;
  table.shape = {1, 32};
  table.data = std::make_shared<const ir::Bytes>(32);
  table.quantization = {scales, zero_points, 0, 32};
  graph.outputs.push_back(graph.AddValue(std::move(table)));
  emit::FileModel model;
  EXPECT_TRUE(emit::BuildModel(module, &model).ok());
  *version = model.schema_version;
  return *model.subgraphs[0]->tensors.back()->quantization;
}

TEST(Emit, StoresScalesOfInt4AsHalvesWhereTheyAre) {
  uint32_t version = 0;
  const schema::QuantizationT halves = EmitInt4({0.5f, 0.25f}, {-8, 7}, &version);
  EXPECT_TRUE(halves.scales.empty() && halves.zero_points.empty());
  EXPECT_THAT(halves.half_scales, ElementsAre(0x3800, 0x3400));
  EXPECT_THAT(halves.int4_zero_points, ElementsAre(0x78));
  EXPECT_EQ(version, emit::kSchemaVersionOfHalfScales);

  const schema::QuantizationT floats = EmitInt4({0.5f, 0.1f}, {}, &version);
  EXPECT_THAT(floats.scales, ElementsAre(0.5f, 0.1f));
  EXPECT_TRUE(floats.half_scales.empty() && floats.int4_zero_points.empty());
  EXPECT_LT(version, emit::kSchemaVersionOfHalfScales);

  const schema::QuantizationT mixed = EmitInt4({0.5f, 0.1f}, {1, 0}, &version);
  EXPECT_THAT(mixed.scales, ElementsAre(0.5f, 0.1f));
  EXPECT_THAT(mixed.int4_zero_points, ElementsAre(0x01));
  EXPECT_EQ(version, emit::kSchemaVersionOfHalfScales);
}

TEST(Emit, PutsSmallBuffersBeforeLargeOnes) {
  ir::Module module = MakeModule();
  ir::Graph& graph = module.entry();
  const std::vector<int64_t> sizes = {100000, 10, 200000, 20};
  for (const int64_t n : sizes) {
    const std::vector<uint8_t> bytes(static_cast<size_t>(n), static_cast<uint8_t>(n % 251));
    graph.outputs.push_back(graph.AddConstantOf<uint8_t>("bytes" + std::to_string(n), {n}, bytes));
  }
  const AlignedBytes file = Emit(module);
  const schema::Model* model = schema::GetModel(file.data());
  const auto buffer_of = [&](const std::string& name) {
    for (const schema::Tensor* tensor : *model->subgraphs()->Get(0)->tensors()) {
      if (tensor->name()->str() == name) return model->buffers()->Get(tensor->buffer())->data();
    }
    return static_cast<const flatbuffers::Vector<uint8_t>*>(nullptr);
  };
  const ptrdiff_t apart = buffer_of("bytes10")->data() - buffer_of("bytes20")->data();
  EXPECT_LT(std::abs(apart), 10000);
  for (const int64_t n : sizes) {
    const auto* data = buffer_of("bytes" + std::to_string(n));
    ASSERT_EQ(data->size(), static_cast<size_t>(n));
    EXPECT_EQ(data->Get(0), n % 251);
  }
}

TEST(Emit, AlignsBuffersTo64BytesInsideTheFile) {
  ir::Module module = MakeModule();
  ir::Graph& graph = module.entry();
  for (int n = 1; n < 40; ++n) {
    const std::vector<uint8_t> odd(static_cast<size_t>(n), static_cast<uint8_t>(n));
    graph.outputs.push_back(graph.AddConstantOf<uint8_t>("odd", {n}, odd));
  }
  const AlignedBytes file = Emit(module);
  flatbuffers::Verifier verifier(file.data(), file.size());
  ASSERT_TRUE(schema::VerifyModelBuffer(verifier));
  for (const schema::Buffer* buffer : *schema::GetModel(file.data())->buffers()) {
    if (buffer->data() == nullptr) continue;
    EXPECT_EQ((buffer->data()->data() - file.data()) % 64, 0);
  }
}

TEST(Emit, GivesTheSameBytesForTheSameModule) { EXPECT_EQ(Emit(MakeModule()), Emit(MakeModule())); }

TEST(Emit, RefusesDimensionsThatTheFileCannotHold) {
  emit::FileModel model;
  const Status status = emit::BuildModel(MakeModule(int64_t{1} << 31), &model);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("'x'"));
}

}  // namespace
}  // namespace micrort
