// What TorchScript's operators compute, where PyTorch and ONNX differ or arguments may be left out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/torch_states.h"

namespace micrort::testing::torch_values {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Result(const std::string& expression, const std::vector<int64_t>& shape) {
  Converted model("model.pt", StatefulNet("    return " + expression + "\n").Bytes(), ForInputX(shape));
  return model.Run({Counting(shape)});
}

// ONNX's name for PyTorch's rule is of a time when one pixel was the first one.
TEST(TorchValues, OnePixelIsTheMiddleOfAnImage) {
  EXPECT_EQ(Result("torch.upsample_bilinear2d(x, [1, 1], False)", {1, 1, 2, 3}), "1x1x1x1: 3.5");
  EXPECT_EQ(Result("torch.upsample_bilinear2d(x, None, False, [0.5, 1.])", {1, 1, 2, 3}),
            "1x1x1x3: 2.5 3.5 4.5");
  EXPECT_EQ(Result("torch.upsample_linear1d(x, None, False, [0.5])", {1, 1, 3}), "1x1x1: 1.5");
  EXPECT_EQ(Result("torch.upsample_trilinear3d(x, [1, 1, 1], False)", {1, 1, 2, 1, 3}), "1x1x1x1x1: 3.5");
  EXPECT_EQ(Result("torch.upsample_bilinear2d(x, [1, 1], True)", {1, 1, 2, 3}), "1x1x1x1: 1");
}

TEST(TorchValues, TilesOfTheLastDimensions) {
  EXPECT_EQ(Result("torch.tile(x, [2])", {2, 2}), "2x4: 1 2 1 2 3 4 3 4");
  EXPECT_EQ(Result("torch.tile(x, [2, 1, 1])", {1, 2}), "2x1x2: 1 2 1 2");
  EXPECT_EQ(Result("torch.tile(x, annotate(List[int], []))", {2}), "2: 1 2");
}

TEST(TorchValues, OpenDimensionsThatSqueezeKeepsAreSaid) {
  frontend::ImportOptions options;
  options.input_shapes = {{"x", {ir::kDynamic, 1, 3}}};
  const auto warnings = [&](const std::string& squeezed) {
    return ImportTorch(StatefulNet("    return torch.add(" + squeezed + ", 0)\n").Bytes(), options)
        .diagnostics.warnings;
  };
  EXPECT_THAT(warnings("torch.squeeze(x)"),
              ElementsAre(HasSubstr("node 'squeeze' (aten::squeeze): dimension 0")));
  EXPECT_THAT(warnings("torch.squeeze(x, 0)"), ElementsAre(HasSubstr("dimension 0, which is open")));
  EXPECT_THAT(warnings("torch.squeeze(x, 1)"), ElementsAre());
}

}  // namespace
}  // namespace micrort::testing::torch_values
