#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OpTester;

TEST(Quantize, RoundsHalfToEvenAndSaturates) {
  OpTester op(ops::Quantize(), schema::QuantizeOptionsT());
  op.Input<float>(Shape::Of(6), {0, 0.25f, 0.75f, -0.25f, 1000, -1000});
  op.OutputType(DType::kInt8).OutputQuantized(0.5f, 3);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(3, 3, 5, 3, 127, -128));
}

TEST(Quantize, NeedsAQuantizedOutput) {
  OpTester op(ops::Quantize(), schema::QuantizeOptionsT());
  op.Input<float>(Shape::Of(1), {0}).OutputType(DType::kInt8);
  const Status status = op.Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("no quantization"));

  OpTester type(ops::Quantize(), schema::QuantizeOptionsT());
  type.Input<int32_t>(Shape::Of(1), {0}).OutputType(DType::kInt8).OutputQuantized(1, 0);
  EXPECT_EQ(type.Run().code(), StatusCode::kUnsupported);

  OpTester zero(ops::Quantize(), schema::QuantizeOptionsT());
  zero.Input<float>(Shape::Of(1), {0}).OutputType(DType::kUInt8).OutputQuantized(1, -1);
  EXPECT_EQ(zero.Run().code(), StatusCode::kInvalidModel);
}

TEST(Dequantize, OneScaleForAll) {
  OpTester op(ops::Dequantize(), schema::DequantizeOptionsT());
  op.Input<uint8_t>(Shape::Of(2, 2), {0, 128, 129, 255}).Quantized(0.5f, 128);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(-64, 0, 0.5f, 63.5f));
}

TEST(Dequantize, Bias) {
  OpTester op(ops::Dequantize(), schema::DequantizeOptionsT());
  op.Input<int32_t>(Shape::Of(2), {-100000, 3}).Quantized(0.25f, 0);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(-25000, 0.75f));
  EXPECT_EQ(op.result().in_place[0], 0);
}

// Tensors with a scale a slice, which OpTester does not make.
class PerAxis {
 public:
  PerAxis(const OpRegistration& registration, schema::OptionsUnion options) : registration_(registration) {
    schema::OperatorT op;
    op.code = static_cast<schema::OpCode>(registration.code);
    op.options = std::move(options);
    builder_.Finish(schema::Operator::Pack(builder_, &op));
  }
  Status Run(Tensor* in, Tensor* out) {
    const auto* op = flatbuffers::GetRoot<schema::Operator>(builder_.GetBufferPointer());
    OpResolver resolver;
    resolver.Add(registration_);
    SingleOp single;
    Tensor* const inputs[] = {in};
    Tensor* const outputs[] = {out};
    MICRORT_RETURN_IF_ERROR(single.Init(*op, resolver));
    MICRORT_RETURN_IF_ERROR(single.Infer(inputs, outputs));
    return single.Run(inputs, outputs);
  }

 private:
  const OpRegistration& registration_;
  flatbuffers::FlatBufferBuilder builder_;
};

TEST(Quantize, AndBackWithAScaleASlice) {
  const float scales[] = {1.0f, 0.5f, 0.25f};
  const int32_t zero_points[] = {0, 10, -10};
  for (const int axis : {0, 1, 2}) {
    Shape shape = Shape::Of(2, 2, 2);
    shape[axis] = 3;
    std::vector<float> x(12), y(12);
    std::vector<int8_t> q(12);
    for (size_t i = 0; i < 12; ++i) x[i] = static_cast<float>(i) - 6;
    Tensor floats, levels, back;
    floats.dtype = DType::kFloat32;
    floats.shape = shape;
    floats.data = x.data();
    levels.dtype = DType::kInt8;
    levels.quantization = {scales, zero_points, 3, axis};
    levels.data = q.data();
    back.data = y.data();
    schema::OptionsUnion quantize, dequantize;
    quantize.Set(schema::QuantizeOptionsT());
    dequantize.Set(schema::DequantizeOptionsT());
    ASSERT_TRUE(PerAxis(ops::Quantize(), std::move(quantize)).Run(&floats, &levels).ok());
    ASSERT_TRUE(PerAxis(ops::Dequantize(), std::move(dequantize)).Run(&levels, &back).ok());
    const size_t inner = static_cast<size_t>(shape.product(axis + 1, 3));
    for (size_t i = 0; i < 12; ++i) {
      const size_t slice = i / inner % 3;
      EXPECT_EQ(q[i], x[i] / scales[slice] + static_cast<float>(zero_points[slice])) << "axis " << axis;
      EXPECT_EQ(y[i], x[i]) << "axis " << axis;
    }
  }
}

}  // namespace
}  // namespace micrort
