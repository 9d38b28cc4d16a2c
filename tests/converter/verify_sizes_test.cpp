// --verify compares at several sizes of open dimensions with the source as it is converted with these fixed.

#include <gmock/gmock.h>

#include "converter/frontend/frontend.h"
#include "converter/observe/open_sizes.h"
#include "tests/converter/converted.h"

namespace micrort::testing::verify_sizes {
namespace {

using observe::Dims;
using ::testing::Contains;
using ::testing::HasSubstr;

ir::Module Imported(OnnxBuilder& b) {
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
  const std::string bytes = b.Output("y").Bytes();
  const Status status =
      frontend::ImportModel("model.onnx", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                            frontend::SourceFormat::kUnknown, {}, &module, &diagnostics);
  EXPECT_TRUE(status.ok()) << status.message();
  return module;
}

OnnxBuilder TimesAtMostTwenty() {
  OnnxBuilder b;
  b.Input("x", {"1", "n"}).Integers("most", {1}, {20}).Integers("one", {1}, {1});
  b.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "one"}, {"n"}).Node("Min", {"n", "most"}, {"m"});
  b.Node("Cast", {"m"}, {"f"}).Int("to", ::onnx::TensorProto::FLOAT).Node("Mul", {"x", "f"}, {"y"});
  return b;
}

TEST(OpenSizes, AreThoseBesideThresholds) {
  OnnxBuilder b = TimesAtMostTwenty();
  ir::Module module = Imported(b);
  const auto sizes = observe::ChooseOpenSizes(module.entry(), 8);
  EXPECT_EQ(sizes.size(), 8u);
  for (const int64_t n : {19, 20, 21}) EXPECT_THAT(sizes, Contains(std::vector<Dims>{{1, n}}));
}

TEST(OpenSizes, KeepWhatInputsRequireOfEachOther) {
  OnnxBuilder b;
  b.Input("past", {"p", "2"}).Input("now", {"s", "2"}).Input("mask", {"1", "total"});
  b.Node("Concat", {"past", "now"}, {"all"}).Int("axis", 0).Node("MatMul", {"mask", "all"}, {"y"});
  ir::Module module = Imported(b);
  const auto sizes = observe::ChooseOpenSizes(module.entry(), 5);
  EXPECT_EQ(sizes.size(), 5u);
  for (const std::vector<Dims>& shapes : sizes) EXPECT_EQ(shapes[2][1], shapes[0][0] + shapes[1][0]);
}

TEST(OpenSizes, AreNoneForFixedModels) {
  OnnxBuilder b;
  b.Input("x", {"1", "2"}).Node("Neg", {"x"}, {"y"});
  ir::Module module = Imported(b);
  EXPECT_TRUE(observe::ChooseOpenSizes(module.entry(), 5).empty());
}

TEST(VerifySizes, AreToldAndCompared) {
  OnnxBuilder b = TimesAtMostTwenty();
  ConvertOptions options;
  options.verify = VerifyMode::kOutputs;
  const Converted converted(b, {"y"}, options);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_THAT(converted.result().notes, Contains(HasSubstr("compares at these sizes, too: x 1x2; x 1x21")));
  ASSERT_EQ(converted.result().verification.size(), 1u);
  EXPECT_EQ(converted.result().verification[0].similarity.largest_error(), 0);
}

TEST(VerifySizes, OfReorderedOutputsFitEachOther) {
  OnnxBuilder b;
  b.Input("x", {"batch", "2", "h", "w"}).Weights("filter", {3, 2, 3, 3});
  b.Node("Conv", {"x", "filter"}, {"c"}).Node("Relu", {"c"}, {"y"});
  ConvertOptions options;
  options.verify = VerifyMode::kOutputs;
  options.io_layout = IoLayout::kNhwc;
  const Converted converted(b, {"y"}, options);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_THAT(converted.result().notes, Contains(HasSubstr("compares at these sizes")));
  EXPECT_LT(converted.result().verification[0].similarity.largest_error(), 1e-4);
}

}  // namespace
}  // namespace micrort::testing::verify_sizes
