// Integers at the ends of their types: quotients that are rounded down, and shifts by all bits and more, of
// every format.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/tensorflow_graph.h"
#include "tests/converter/tflite_builder.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing::integer_ends {
namespace {

using ::testing::ElementsAre;

constexpr float kLowest = -2147483648.0f;
constexpr auto kInts = fb::TensorType::Int32;

// op(x, z) of int32.
Floats OfTensorflow(const std::string& op, const Floats& x, const Floats& z) {
  const auto integers = [](const std::string& name) {
    return TfNode(name + "i", "Cast", {name}, {"SrcT { type: DT_FLOAT }", "DstT { type: DT_INT32 }"});
  };
  const auto size = static_cast<int64_t>(x.size());
  const std::string text =
      TfInput("x", {size}) + TfInput("z", {size}) + integers("x") + integers("z") +
      TfNode("op", op, {"xi", "zi"}, {"T { type: DT_INT32 }"}) +
      TfNode("y", "Cast", {"op"}, {"SrcT { type: DT_INT32 }", "DstT { type: DT_FLOAT }"});
  frontend::ImportOptions options;
  options.outputs = {"y"};
  return RunTf(text, {{"x", x}, {"z", z}}, options)["y"];
}

Floats OfTflite(const std::string& op, const Floats& x, const Floats& z) {
  const auto size = static_cast<int32_t>(x.size());
  TfliteBuilder b;
  const int xi = b.Input("x", {size}, kInts), zi = b.Input("z", {size}, kInts),
            y = b.Tensor("y", {size}, kInts);
  b.Op(op, {xi, zi}, {y});
  return RunTflite(b.Output(y), {{"x", x}, {"z", z}})["y"];
}

Floats OfTorch(const std::string& op, const Floats& x, const Floats& z) {
  const auto size = static_cast<int64_t>(x.size());
  const TorchArchive archive(
      "  def forward(self: __torch__.Net, x: Tensor, z: Tensor) -> Tensor:\n"
      "    return torch.to(torch." +
      op + "(torch.to(x, 3), torch.to(z, 3)), 6)\n");
  return RunTorch(archive.Bytes(), {{"x", {size}}, {"z", {size}}}, {{"x", x}, {"z", z}})["output"];
}

TEST(IntegerEnds, QuotientsAreRoundedDown) {
  const Floats x = {1, kLowest, 7, -7, kLowest, kLowest, 2147483520},
               z = {kLowest, 3, kLowest, 2, kLowest, 2, -256};
  const auto are = ElementsAre(-1, -715827883.0f, -1, -4, 1, -1073741824, -8388608);
  EXPECT_THAT(OfTensorflow("FloorDiv", x, z), are);
  EXPECT_THAT(OfTflite("FLOOR_DIV", x, z), are);
  EXPECT_THAT(OfTorch("floor_divide", x, z), are);
}

TEST(IntegerEnds, ShiftsByAllBitsAndMore) {
  const Floats x = {-5, 5, -5, 5, 1, kLowest}, z = {31, 31, 32, -1, 30, 31};
  // TensorFlow brings the number of bits between 0 and 31, PyTorch shifts everything out.
  EXPECT_THAT(OfTensorflow("RightShift", x, z), ElementsAre(-1, 0, -1, 5, 0, -1));
  EXPECT_THAT(OfTensorflow("LeftShift", x, z), ElementsAre(kLowest, kLowest, kLowest, 5, 1073741824, 0));
  EXPECT_THAT(OfTflite("RIGHT_SHIFT", x, z), ElementsAre(-1, 0, -1, 5, 0, -1));
  EXPECT_THAT(OfTorch("bitwise_right_shift", x, z), ElementsAre(-1, 0, -1, 0, 0, -1));
  EXPECT_THAT(OfTorch("bitwise_left_shift", x, z), ElementsAre(kLowest, kLowest, 0, 0, 1073741824, 0));
}

TEST(IntegerEnds, ProductsOfShortIntegersWrap) {
  const std::map<std::string, Floats> expected = {{"DT_INT8", {28, 59, -92, 37}},
                                                  {"DT_UINT8", {28, 59, 164, 37}},
                                                  {"DT_INT16", {10012, 315, 420, 37}},
                                                  {"DT_UINT16", {10012, 315, 420, 37}}};
  for (const auto& [type, products] : expected) {
    const std::string text =
        TfInput("x", {2, 2}) +
        TfNode("i", "Cast", {"x"}, {"SrcT { type: DT_FLOAT }", "DstT { type: " + type + " }"}) +
        TfNode("p", "MatMul", {"i", "i"}, {"T { type: " + type + " }"}) +
        TfNode("y", "Cast", {"p"}, {"DstT { type: DT_FLOAT }"});
    frontend::ImportOptions options;
    options.outputs = {"y"};
    EXPECT_EQ(RunTf(text, {{"x", {100, 3, 4, 5}}}, options)["y"], products) << type;
  }
}

}  // namespace
}  // namespace micrort::testing::integer_ends
