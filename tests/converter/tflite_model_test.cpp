// TFLite files: told from the content, checked, imported.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TfliteBuilder OneAbs() {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 2}), y = b.Tensor("y", {1, 2});
  b.Op("ABS", {x}, {y});
  b.Output(y);
  return b;
}

std::string MessageOf(const TfliteBuilder& b, StatusCode expected = StatusCode::kInvalidModel) {
  const ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_EQ(result.status.code(), expected) << result.status.message();
  return result.status.message();
}

Status Detect(const std::string& bytes, frontend::SourceFormat* format) {
  return frontend::DetectFormat({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, format);
}

TEST(TfliteModel, IsToldFromTheContentWithoutItsIdentifierToo) {
  frontend::SourceFormat format;
  ASSERT_TRUE(Detect(OneAbs().Bytes(), &format).ok());
  EXPECT_EQ(format, frontend::SourceFormat::kTflite);
  ASSERT_TRUE(Detect(OneAbs().Bytes(false), &format).ok());
  EXPECT_EQ(format, frontend::SourceFormat::kTflite);
}

TEST(TfliteModel, RunsAndKeepsNames) {
  TfliteBuilder b = OneAbs();
  b.model.description = "a test";
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_EQ(result.module.source_format, "tflite");
  EXPECT_THAT(result.module.metadata,
              ElementsAre(std::pair<std::string, std::string>("tflite.description", "a test")));
  EXPECT_EQ(RunTflite(b, {{"x", {-1, 2}}})["y"], Floats({1, 2}));
}

TEST(TfliteModel, CutShortAnywhereIsRefused) {
  const std::string bytes = OneAbs().Bytes();
  for (size_t n = 0; n < bytes.size(); n += 7) {
    const StatusCode code = ImportTflite(bytes.substr(0, n)).status.code();
    EXPECT_TRUE(code == StatusCode::kInvalidModel) << n;
  }
}

TEST(TfliteModel, IndicesOutOfRangeAreRefused) {
  TfliteBuilder b = OneAbs();
  b.graph().operators[0]->inputs[0] = 7;
  EXPECT_THAT(MessageOf(b), HasSubstr("inputs: tensor 7 of 2"));
  b = OneAbs();
  b.graph().operators[0]->opcode_index = 3;
  EXPECT_THAT(MessageOf(b), HasSubstr("operator code 3 of 1"));
  b = OneAbs();
  b.graph().outputs[0] = -2;
  EXPECT_THAT(MessageOf(b), HasSubstr("outputs: tensor -2 of 2"));
  b = OneAbs();
  b.tensor(1).buffer = 9;
  EXPECT_THAT(MessageOf(b), HasSubstr("buffer 9 of 1"));
}

TEST(TfliteModel, ReadingWhatNothingWritesIsRefused) {
  TfliteBuilder b = OneAbs();
  const int z = b.Tensor("z", {2});
  b.graph().operators[0]->inputs[0] = z;
  EXPECT_THAT(MessageOf(b), HasSubstr("'z'"));
}

TEST(TfliteModel, WritingTwiceIsRefused) {
  TfliteBuilder b = OneAbs();
  b.Op("ABS", {0}, {1});
  EXPECT_THAT(MessageOf(b), HasSubstr("written twice"));
}

TEST(TfliteModel, DataOfAnotherSizeAreRefused) {
  TfliteBuilder b = OneAbs();
  const int c = b.Floats("c", {3}, {1, 2});
  b.graph().operators[0]->inputs[0] = c;
  EXPECT_THAT(MessageOf(b), HasSubstr("its shape takes 12 bytes, its data has 8"));
  b.tensor(c).shape = {1 << 30, 1 << 30, 1 << 30};
  EXPECT_THAT(MessageOf(b), HasSubstr("too large"));
  b.tensor(c).shape = {-2};
  EXPECT_THAT(MessageOf(b), HasSubstr("dimension -2"));
}

TEST(TfliteModel, QuantizationIsChecked) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}, fb::TensorType::Int8, {{0.0f}, {0}});
  b.Output(x);
  EXPECT_THAT(MessageOf(b), HasSubstr("expected a positive number"));
  b.tensor(x).quantization->scale = {1, 2, 3};
  EXPECT_THAT(MessageOf(b), HasSubstr("3 scales"));
}

TEST(TfliteModel, BuffersMayLieBehindTheFlatbuffer) {
  TfliteBuilder b;
  const int c = b.Floats("c", {2}, {}), x = b.Input("x", {2}), y = b.Tensor("y", {2});
  b.Op("ADD", {x, c}, {y}, fb::AddOptionsT());
  b.Output(y);
  fb::BufferT& buffer = *b.model.buffers[b.tensor(c).buffer];
  buffer.offset = 1u << 20;
  buffer.size = 8;
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("lie outside the file"));
  std::string bytes = b.Bytes();
  buffer.offset = (bytes.size() + 15) / 16 * 16;
  bytes = b.Bytes();
  bytes.resize(buffer.offset);
  const float data[] = {1, 2};
  bytes.append(reinterpret_cast<const char*>(data), sizeof data);
  ImportedTflite result = ImportTflite(bytes);
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  std::map<std::string, Floats> outputs;
  ASSERT_TRUE(Evaluate(result.graph(), {{"x", {10, 20}}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], Floats({11, 22}));
}

TEST(TfliteModel, VariablesAreNoValues) {
  TfliteBuilder b = OneAbs();
  b.graph().operators[0]->inputs[0] = b.Tensor("v", {2});
  b.tensor(2).is_variable = true;
  EXPECT_THAT(MessageOf(b), HasSubstr("'v') is a variable"));
  b.tensor(2).is_variable = false;
  b.tensor(2).type = fb::TensorType::Resource;
  EXPECT_THAT(MessageOf(b), HasSubstr("'v') is a variable"));
}

TEST(TfliteModel, AllUnsupportedOperatorsAreListed) {
  TfliteBuilder b;
  const int x = b.Input("x", {2});
  const int a = b.Tensor("a"), c = b.Tensor("c"), y = b.Tensor("y");
  b.Op("Foo", {x}, {a});
  b.Op("ABS", {a}, {c});
  b.Op("FlexBar", {c}, {y});
  b.Output(y);
  const ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_EQ(result.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(result.diagnostics.unsupported.size(), 2u);
  EXPECT_EQ(result.diagnostics.unsupported[0].op, "Foo");
  EXPECT_THAT(result.diagnostics.unsupported[1].nodes, ElementsAre("y"));
}

TEST(TfliteModel, OtherOutputsMayBeAskedFor) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}), a = b.Tensor("a"), y = b.Tensor("y");
  b.Op("NEG", {x}, {a});
  b.Op("Foo", {a}, {y});
  b.Output(y);
  frontend::ImportOptions options;
  options.outputs = {"a"};
  ImportedTflite result = ImportTflite(b.Bytes(), options);
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_EQ(result.graph().value(result.graph().outputs[0]).name, "a");
  options.outputs = {"nowhere"};
  EXPECT_EQ(ImportTflite(b.Bytes(), options).status.code(), StatusCode::kInvalidArgument);
}

TEST(TfliteModel, OpenDimensionsComeFromTheSignatureAndShapesAreInferred) {
  TfliteBuilder b;
  const int x = b.Input("x", {-1, 4}), y = b.Tensor("y", {77, 77, 77});
  b.Op("RESHAPE", {x, b.Integers("shape", {-1, 2})}, {y});
  b.Output(y);
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_THAT(result.graph().value(result.graph().inputs[0]).shape, ElementsAre(ir::kDynamic, 4));
  EXPECT_THAT(result.graph().value(result.graph().outputs[0]).shape, ElementsAre(ir::kDynamic, 2));
  frontend::ImportOptions options;
  options.input_shapes = {{"#0", {3, 4}}};
  result = ImportTflite(b.Bytes(), options);
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_THAT(result.graph().value(result.graph().outputs[0]).shape, ElementsAre(6, 2));
}

// [[0, 0, 5], [6, 0, 0]], rows dense, columns as compressed sparse rows.
TEST(TfliteModel, SparseConstantsAreMadeDense) {
  TfliteBuilder b;
  const int c = b.Floats("c", {2, 3}, {5, 6}), x = b.Input("x", {2, 3}), y = b.Tensor("y");
  auto sparsity = std::make_unique<fb::SparsityParametersT>();
  sparsity->traversal_order = {0, 1};
  sparsity->dim_metadata.push_back(std::make_unique<fb::DimensionMetadataT>());
  sparsity->dim_metadata[0]->dense_size = 2;
  sparsity->dim_metadata.push_back(std::make_unique<fb::DimensionMetadataT>());
  fb::DimensionMetadataT& columns = *sparsity->dim_metadata[1];
  columns.format = fb::DimensionType::SparseCsr;
  fb::Uint8VectorT segments, indices;
  segments.values = {0, 1, 2};
  indices.values = {2, 0};
  columns.array_segments.Set(segments);
  columns.array_indices.Set(indices);
  b.tensor(c).sparsity = std::move(sparsity);
  const int dense = b.Tensor("dense");
  b.Op("DENSIFY", {c}, {dense});
  b.Op("ADD", {x, dense}, {y}, fb::AddOptionsT());
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 1, 1, 1, 1, 1}}})["y"], Floats({1, 1, 6, 7, 1, 1}));
}

}  // namespace
}  // namespace micrort::testing
