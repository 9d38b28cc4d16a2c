// ONNX models of float16: read as float32, so that layers fuse; halves stay at the edges.

#include <gmock/gmock.h>

#include "kernels/base/half.h"
#include "tests/converter/converted.h"
#include "tests/status_matchers.h"

namespace micrort::testing::half_weights {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Proto = ::onnx::TensorProto;

// Elements of an initializer of float16, exact in it.
std::vector<int32_t> HalfBits(const std::vector<float>& values) {
  std::vector<int32_t> bits;
  for (const float value : values) bits.push_back(FloatToHalf(value));
  return bits;
}

const std::vector<float> kWeights = {0.5f, -1.25f, 2.0f, 0.125f, 3.0f, -0.75f};

// y = Relu(Cast(x * w + b)), all of `type`.
OnnxBuilder Network(int type) {
  OnnxBuilder b(13);
  b.Input("x", {"1", "3"}, type);
  const auto constant = [&](const char* name, std::vector<int64_t> dims, const std::vector<float>& values) {
    if (type == Proto::FLOAT) {
      b.Floats(name, std::move(dims), values);
    } else {
      b.Narrow(name, type, std::move(dims), HalfBits(values));
    }
  };
  constant("w", {3, 2}, kWeights);
  constant("b", {2}, {0.25f, -0.5f});
  b.Node("MatMul", {"x", "w"}, {"product"}).Node("Add", {"product", "b"}, {"sum"});
  b.Node("Cast", {"sum"}, {"cast"}).Int("to", type).Node("Relu", {"cast"}, {"y"}).Output("y");
  b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(type);
  return b;
}

TEST(OnnxHalfWeights, FuseAsFloatsDo) {
  Converted floats("float.onnx", Network(Proto::FLOAT).Bytes());
  Converted halves("half.onnx", Network(Proto::FLOAT16).Bytes());
  ASSERT_THAT(floats.status(), IsOk());
  ASSERT_THAT(halves.status(), IsOk());
  EXPECT_EQ(floats.result().summary.ops_after, 1);
  EXPECT_EQ(halves.Count(schema::OpCode::Cast), 2) << "at the input and at the output";
  EXPECT_EQ(halves.result().summary.ops_after, 3);
  EXPECT_EQ(halves.model().input(0).dtype, DType::kFloat16);
  EXPECT_THAT(Import(Network(Proto::FLOAT16)).text(), HasSubstr("output y float16[1,2]"));
}

// The same, its output as floats.
std::string WithFloatOutput(int type) {
  OnnxBuilder b = Network(type);
  b.Node("Cast", {"y"}, {"z"}).Int("to", Proto::FLOAT);
  b.graph().mutable_output(0)->set_name("z");
  b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(Proto::FLOAT);
  return b.Bytes();
}

TEST(OnnxHalfWeights, ComputeTheSameValues) {
  Converted floats("float.onnx", WithFloatOutput(Proto::FLOAT));
  Converted halves("half.onnx", WithFloatOutput(Proto::FLOAT16));
  const std::vector<float> x = {1.0f, 0.5f, -2.0f};
  std::vector<uint16_t> half_x;
  for (const float value : x) half_x.push_back(FloatToHalf(value));
  io::NamedArray array{"", DType::kFloat16, {1, 3}, {}};
  array.data.assign(reinterpret_cast<const uint8_t*>(half_x.data()),
                    reinterpret_cast<const uint8_t*>(half_x.data() + half_x.size()));
  // Exact in halves.
  EXPECT_EQ(halves.Run({array}), floats.Run({Array<float>({1, 3}, x)}));
}

TEST(OnnxHalfWeights, AreStoredAsHalvesWhereAskedFor) {
  ConvertOptions options;
  Converted plain("half.onnx", Network(Proto::FLOAT16).Bytes(), options);
  EXPECT_THAT(plain.result().notes, ::testing::Contains(HasSubstr("the model is of float16")));
  options.quant = QuantMode::kFp16;
  Converted halves("half.onnx", Network(Proto::FLOAT16).Bytes(), options);
  ASSERT_THAT(halves.status(), IsOk());
  EXPECT_LT(halves.result().summary.weight_bytes, plain.result().summary.weight_bytes);
}

TEST(OnnxHalfWeights, OfFloatModelsSayNothing) {
  Converted floats("float.onnx", Network(Proto::FLOAT).Bytes());
  EXPECT_THAT(floats.result().notes, IsEmpty());
}

// A Cast to halves still rounds floats: no layer's weights are halves.
TEST(OnnxHalfWeights, ThatNoLayerHasLeaveTheModelAlone) {
  OnnxBuilder b(13);
  b.Input("x", {"1", "2"}).Node("Cast", {"x"}, {"h"}).Int("to", Proto::FLOAT16);
  b.Narrow("c", Proto::FLOAT16, {2}, HalfBits({1.0f, 2.0f})).Node("Add", {"h", "c"}, {"y"}).Output("y");
  EXPECT_THAT(Import(b).text(), HasSubstr("output y float16[1,2]"));
}

}  // namespace
}  // namespace micrort::testing::half_weights
