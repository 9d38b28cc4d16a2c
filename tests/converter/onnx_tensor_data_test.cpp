// Tensors in ONNX files: every way to hold their elements.

#include <gmock/gmock.h>

#include <functional>

#include "tests/converter/onnx_builder.h"

namespace micrort {
namespace {

using ::onnx::TensorProto;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Import;
using testing::Imported;
using testing::OneRelu;
using testing::OnnxBuilder;

// The tensor as an initializer, imported.
struct Read {
  Imported imported;
  DType dtype = DType::kUnknown;
  ir::Bytes bytes;

  template <typename T>
  std::vector<T> as() const {
    const auto* elements = reinterpret_cast<const T*>(bytes.data());
    return {elements, elements + bytes.size() / sizeof(T)};
  }
};

Read ReadInitializer(int type, std::vector<int64_t> dims, const std::function<void(TensorProto*)>& fill) {
  OnnxBuilder builder = OneRelu();
  TensorProto* tensor = builder.graph().add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(type);
  for (int64_t dim : dims) tensor->add_dims(dim);
  fill(tensor);
  Read read{Import(builder), DType::kUnknown, {}};
  if (!read.imported.status.ok()) return read;
  const ir::Graph& graph = read.imported.graph();
  const ir::Value& value = graph.value(graph.FindValue("w"));
  read.dtype = value.dtype;
  read.bytes = *value.data;
  return read;
}

void ExpectError(const Read& read, StatusCode code, const std::string& message) {
  EXPECT_EQ(read.imported.status.code(), code);
  EXPECT_THAT(read.imported.status.message(), HasSubstr(message));
}

TEST(OnnxTensorData, TypedFieldsOfEveryType) {
  const auto int32_data = [](std::vector<int32_t> v) {
    return [v](TensorProto* t) { t->mutable_int32_data()->Add(v.begin(), v.end()); };
  };
  EXPECT_THAT(ReadInitializer(TensorProto::FLOAT16, {2}, int32_data({0x3c00, 0xc000})).as<uint16_t>(),
              ElementsAre(0x3c00, 0xc000));
  EXPECT_THAT(ReadInitializer(TensorProto::BFLOAT16, {1}, int32_data({0x3f80})).as<uint16_t>(),
              ElementsAre(0x3f80));
  EXPECT_THAT(ReadInitializer(TensorProto::INT8, {2}, int32_data({-128, 127})).as<int8_t>(),
              ElementsAre(-128, 127));
  EXPECT_THAT(ReadInitializer(TensorProto::UINT8, {2}, int32_data({0, 255})).as<uint8_t>(),
              ElementsAre(0, 255));
  EXPECT_THAT(ReadInitializer(TensorProto::INT16, {1}, int32_data({-32768})).as<int16_t>(),
              ElementsAre(-32768));
  EXPECT_THAT(ReadInitializer(TensorProto::UINT16, {1}, int32_data({65535})).as<uint16_t>(),
              ElementsAre(65535));
  EXPECT_THAT(ReadInitializer(TensorProto::INT32, {1}, int32_data({-7})).as<int32_t>(), ElementsAre(-7));
  EXPECT_THAT(ReadInitializer(TensorProto::BOOL, {3}, int32_data({0, 1, 2})).as<uint8_t>(),
              ElementsAre(0, 1, 1));
  EXPECT_THAT(
      ReadInitializer(TensorProto::INT64, {1}, [](TensorProto* t) { t->add_int64_data(-(int64_t{1} << 40)); })
          .as<int64_t>(),
      ElementsAre(-(int64_t{1} << 40)));
  EXPECT_THAT(
      ReadInitializer(TensorProto::UINT64, {1}, [](TensorProto* t) { t->add_uint64_data(~uint64_t{0}); })
          .as<uint64_t>(),
      ElementsAre(~uint64_t{0}));
  EXPECT_THAT(
      ReadInitializer(TensorProto::UINT32, {1}, [](TensorProto* t) { t->add_uint64_data(~uint32_t{0}); })
          .as<uint32_t>(),
      ElementsAre(~uint32_t{0}));
  EXPECT_THAT(
      ReadInitializer(TensorProto::DOUBLE, {1}, [](TensorProto* t) { t->add_double_data(0.1); }).as<double>(),
      ElementsAre(0.1));
  EXPECT_THAT(
      ReadInitializer(TensorProto::FLOAT, {}, [](TensorProto* t) { t->add_float_data(0.5f); }).as<float>(),
      ElementsAre(0.5f));
}

constexpr int kUInt4 = 21, kInt4 = 22;  // of ONNX 1.16

TEST(OnnxTensorData, FourBitIntegersBecomeBytes) {
  const Read raw = ReadInitializer(kInt4, {3}, [](TensorProto* t) { t->set_raw_data("\x8f\x07"); });
  EXPECT_EQ(raw.dtype, DType::kInt8);
  EXPECT_THAT(raw.as<int8_t>(), ElementsAre(-1, -8, 7));
  const Read typed = ReadInitializer(kUInt4, {1, 3}, [](TensorProto* t) {
    t->add_int32_data(0x8f);
    t->add_int32_data(0x07);
  });
  EXPECT_EQ(typed.dtype, DType::kUInt8);
  EXPECT_THAT(typed.as<uint8_t>(), ElementsAre(15, 8, 7));
  ExpectError(ReadInitializer(kInt4, {3}, [](TensorProto* t) { t->set_raw_data("\x8f"); }),
              StatusCode::kInvalidModel, "its shape takes 2 bytes, its data has 1");
}

TEST(OnnxTensorData, RefusesTypesThatWeDoNotHave) {
  const auto nothing = [](TensorProto*) {};
  ExpectError(ReadInitializer(TensorProto::COMPLEX64, {0}, nothing), StatusCode::kUnsupported, "COMPLEX64");
  ExpectError(ReadInitializer(17, {0}, nothing), StatusCode::kUnsupported, "FLOAT8E4M3FN");
  ExpectError(ReadInitializer(23, {0}, nothing), StatusCode::kUnsupported, "FLOAT4E2M1");
  ExpectError(ReadInitializer(1000, {0}, nothing), StatusCode::kUnsupported, "1000");
  ExpectError(
      ReadInitializer(TensorProto::FLOAT, {0}, [](TensorProto* t) { t->mutable_segment()->set_end(1); }),
      StatusCode::kUnsupported, "segment");
}

// A sparse float tensor of shape [3,4] with two entries, as an initializer.
Read ReadSparse(std::vector<int64_t> indices_shape, const std::vector<int64_t>& indices,
                std::vector<int64_t> dims = {3, 4}) {
  OnnxBuilder builder = OneRelu();
  auto* sparse = builder.graph().add_sparse_initializer();
  for (int64_t dim : dims) sparse->add_dims(dim);
  TensorProto* values = sparse->mutable_values();
  values->set_name("w");
  values->set_data_type(TensorProto::FLOAT);
  values->add_dims(2);
  values->add_float_data(1.5f);
  values->add_float_data(-2);
  TensorProto* places = sparse->mutable_indices();
  places->set_data_type(TensorProto::INT64);
  for (int64_t dim : indices_shape) places->add_dims(dim);
  places->mutable_int64_data()->Add(indices.begin(), indices.end());
  Read read{Import(builder), DType::kUnknown, {}};
  if (!read.imported.status.ok()) return read;
  const ir::Graph& graph = read.imported.graph();
  read.bytes = *graph.value(graph.FindValue("w")).data;
  return read;
}

TEST(OnnxTensorData, SparseInitializersBecomeDense) {
  const auto expected = ElementsAre(0, 1.5f, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0);
  EXPECT_THAT(ReadSparse({2}, {1, 8}).as<float>(), expected);
  EXPECT_THAT(ReadSparse({2, 2}, {0, 1, 2, 0}).as<float>(), expected);
}

TEST(OnnxTensorData, ChecksSparseTensors) {
  ExpectError(ReadSparse({2}, {1, 12}), StatusCode::kInvalidModel, "sparse tensor 'w': index 1 is outside");
  ExpectError(ReadSparse({2}, {-1, 1}), StatusCode::kInvalidModel, "index 0");
  ExpectError(ReadSparse({2}, {8, 8}), StatusCode::kInvalidModel, "does not ascend");
  ExpectError(ReadSparse({2, 2}, {0, 4, 2, 0}), StatusCode::kInvalidModel, "index 0");
  ExpectError(ReadSparse({1, 2}, {0, 1}), StatusCode::kInvalidModel,
              "expected int64 indices of shape [2] or [2,2]");
  ExpectError(ReadSparse({2}, {0, 1}, {-3, 4}), StatusCode::kInvalidModel, "negative");
  ExpectError(ReadSparse({2}, {0, 1}, {}), StatusCode::kUnsupported, "0 dimensions");
  ExpectError(ReadSparse({2}, {0, 1}, {1 << 20, 1 << 20}), StatusCode::kUnsupported, "at most");
}

TEST(OnnxTensorData, ConstantsOfEveryKind) {
  OnnxBuilder sparse;
  sparse.Node("Constant", {}, {"c"});
  auto* a = sparse.graph().mutable_node(0)->add_attribute();
  a->set_name("sparse_value");
  a->set_type(::onnx::AttributeProto::SPARSE_TENSOR);
  a->mutable_sparse_tensor()->add_dims(3);
  TensorProto* values = a->mutable_sparse_tensor()->mutable_values();
  values->set_data_type(TensorProto::INT64);
  values->add_dims(1);
  values->add_int64_data(7);
  TensorProto* indices = a->mutable_sparse_tensor()->mutable_indices();
  indices->set_data_type(TensorProto::INT64);
  indices->add_dims(1);
  indices->add_int64_data(2);
  Imported imported = Import(sparse.Output("c"));
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  const ir::Graph& graph = imported.graph();
  const ir::Value& c = graph.value(graph.FindValue("c/inner"));
  EXPECT_THAT(std::vector<int64_t>(c.as<int64_t>(), c.as<int64_t>() + 3), ElementsAre(0, 0, 7));
  OnnxBuilder text;
  text.Node("Constant", {}, {"c"}).String("value_string", "words").Output("c");
  EXPECT_THAT(Import(text).text(), HasSubstr("strings"));
}

}  // namespace
}  // namespace micrort
