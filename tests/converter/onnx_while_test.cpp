// Loops that only their condition ends: PyTorch exports `while` with the largest int64 as trip count.

#include <gmock/gmock.h>

#include <limits>

#include "tests/converter/converted.h"

namespace micrort {
namespace {

using testing::Array;
using testing::Converted;
using ::testing::HasSubstr;
using testing::OnnxBuilder;

// x doubles while it is below `limit`.
OnnxBuilder Doubling(int64_t trips) {
  OnnxBuilder body;
  body.Input("i", {}, ::onnx::TensorProto::INT64).Input("go", {}, ::onnx::TensorProto::BOOL).Input("v", {});
  body.Node("Add", {"v", "v"}, {"w"}).Node("Less", {"w", "limit"}, {"go_on"}).Output("go_on").Output("w");
  OnnxBuilder b;
  b.Input("x", {}).Input("limit", {}).Integers("m", {}, {trips}).Node("Less", {"x", "limit"}, {"c"});
  return b.Node("Loop", {"m", "c", "x"}, {"y"}).Graph("body", body);
}

io::NamedArray Number(float x) { return Array<float>({}, {x}); }

TEST(OnnxWhile, RunsUntilItsConditionEndsIt) {
  for (const int64_t trips : {std::numeric_limits<int64_t>::max(), int64_t{1'000'000'000'000}}) {
    OnnxBuilder b = Doubling(trips);
    Converted converted(b);
    EXPECT_EQ(converted.Run({Number(3), Number(20)}), "scalar: 24");
    EXPECT_EQ(converted.Run({Number(30), Number(20)}), "scalar: 30");
  }
}

TEST(OnnxWhile, TheBudgetCountsWhatRuns) {
  OnnxBuilder b = Doubling(std::numeric_limits<int64_t>::max());
  Converted converted(b);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  InterpreterOptions options;
  options.limits.max_work = 1'000'000'000;
  Result<Interpreter> interpreter = Interpreter::Create(converted.model(), options);
  ASSERT_TRUE(interpreter.ok()) << interpreter.status().message();
  *static_cast<float*>(interpreter->input(0).data) = 3;
  *static_cast<float*>(interpreter->input(1).data) = 20;
  EXPECT_TRUE(interpreter->Run().ok());
  *static_cast<float*>(interpreter->input(0).data) = 0;  // doubled forever
  *static_cast<float*>(interpreter->input(1).data) = 20;
  const Status status = interpreter->Run();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("max_work"));
}

TEST(OnnxWhile, IsEmittedAsAnUnboundedLoop) {
  OnnxBuilder b = Doubling(std::numeric_limits<int64_t>::max());
  ConvertOptions options;
  options.cpp = aot::CppOptions();
  options.cpp->class_name = "ns::Doubling";
  Converted converted(b, {"y"}, options);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  std::string text;
  for (const auto& file : converted.result().cpp) text += file.second;
  EXPECT_THAT(text, HasSubstr("i < trips && go_on"));
}

}  // namespace
}  // namespace micrort
