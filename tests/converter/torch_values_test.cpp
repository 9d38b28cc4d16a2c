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

// The code that PyTorch makes of a loop with `continue` and `break`.
TEST(TorchValues, LoopsThatEndInABranchKeepWhatTheyComputed) {
  const std::string body =
      "    _0 = uninitialized(Tensor)\n"
      "    _1 = uninitialized(bool)\n"
      "    y = torch.mul(x, 1.)\n"
      "    _2 = 0\n"
      "    _3 = True\n"
      "    while _3:\n"
      "      if torch.eq(_2, 1):\n"
      "        _4, _5, _6, _7, _8 = True, True, y, _1, _0\n"
      "      else:\n"
      "        y1 = torch.add(y, float(_2))\n"
      "        if bool(torch.gt(torch.sum(y1), 12)):\n"
      "          _10, _11, _12 = True, False, y1\n"
      "        else:\n"
      "          _10, _11, _12 = False, _1, _0\n"
      "        _4, _5, _6, _7, _8 = _10, _11, _12, True, y1\n"
      "      if _4:\n"
      "        _13, _14 = _5, _6\n"
      "      else:\n"
      "        _13, _14 = _7, _8\n"
      "      _15 = torch.add(_2, 1)\n"
      "      _3, y, _2 = torch.__and__(torch.lt(_15, 5), _13), _14, _15\n"
      "    return y\n";
  Converted model("model.pt", StatefulNet(body).Bytes(), ForInputX({1, 2}));
  EXPECT_EQ(model.Run({Counting({1, 2})}), "1x2: 6 7");  // + 0, + 2, + 3
}

DType TypeOfOutput(const std::string& archive, DType of_x, const std::vector<int64_t>& shape) {
  frontend::ImportOptions options;
  options.input_shapes = {{"x", shape}};
  options.input_types = {{"x", of_x}};
  const ImportedTorch imported = ImportTorch(archive, options);
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  if (!imported.status.ok()) return DType::kUnknown;
  const ir::Graph& graph = *imported.module.graphs[0];
  return graph.value(graph.outputs[0]).dtype;
}

// What PyTorch computes of a type, complex numbers included, has that type.
TEST(TorchValues, FunctionsKeepTheTypeOfFloats) {
  for (const char* result :
       {"torch.view_as_real(torch.fft_fft(x))", "torch.view_as_real(torch.fft_rfft(x))",
        "torch.view_as_real(torch.fft_ifft(x))", "torch.fft_irfft(x)", "torch.fft_hfft(x)",
        "torch.fft_irfft(torch.fft_rfft(x))", "torch.imag(torch.conj(torch.complex(x, x)))",
        "torch.stft(x, 4, 2, 4, None, True, False)",
        "torch.real(torch.to(torch.complex(x, x), torch.complex(x, x)))",
        "torch.real(torch.to(x, torch.complex(x, x)))",
        "torch.real(torch.to(torch.fft_fft(torch.to(x, 6)), ops.prim.dtype(torch.complex(x, x))))",
        "torch.real(torch.zeros([2], dtype=ops.prim.dtype(torch.complex(x, x))))", "torch.lgamma(x)",
        "torch.digamma(x)", "torch.erfinv(x)", "torch.special_ndtri(x)"}) {
    const std::string archive = StatefulNet(std::string("    return ") + result + "\n").Bytes();
    EXPECT_EQ(TypeOfOutput(archive, DType::kFloat32, {8}), DType::kFloat32) << result;
    EXPECT_EQ(TypeOfOutput(archive, DType::kFloat64, {8}), DType::kFloat64) << result;
  }
  const std::string close =
      StatefulNet("    return torch.to(torch.isclose(torch.to(x, 7), torch.to(x, 7) + 1e-9, 0., 1e-10), 6)\n")
          .Bytes();
  EXPECT_EQ(RunTorch(close, {{"x", {1}}}, {{"x", {1}}})["output"], Floats({0}));
}

// Traces write a number as a float64 tensor without dimensions.
TEST(TorchValues, NumbersOfTracesWidenNoType) {
  std::string number = PickledTensor("0", {}, {}, 0, 1);
  number.replace(number.find("FloatStorage"), 12, "DoubleStorage");
  const double half = 0.5;
  const std::string constants = "\x80\x02" + number + "\x85.";
  const std::string bits(reinterpret_cast<const char*>(&half), sizeof half);
  const auto type = [&](const std::string& expression, DType of_x, const std::vector<int64_t>& shape) {
    const std::string archive = StatefulNet("    return " + expression + "\n")
                                    .Entry("constants.pkl", constants)
                                    .Entry("constants/0", bits)
                                    .Bytes();
    return TypeOfOutput(archive, of_x, shape);
  };
  for (const char* sum : {"torch.add(x, CONSTANTS.c0)", "torch.sub(x, CONSTANTS.c0, alpha=2)",
                          "torch.mul(x, CONSTANTS.c0)", "torch.div(x, CONSTANTS.c0)"}) {
    EXPECT_EQ(type(sum, DType::kInt64, {2}), DType::kFloat32) << sum;
    EXPECT_EQ(type(sum, DType::kFloat32, {}), DType::kFloat32) << sum;
    EXPECT_EQ(type(sum, DType::kFloat64, {}), DType::kFloat64) << sum;
  }
  // PyTorch leaves this one as it is.
  EXPECT_EQ(type("torch.div(x, CONSTANTS.c0, rounding_mode=\"floor\")", DType::kInt64, {2}), DType::kFloat64);
}

}  // namespace
}  // namespace micrort::testing::torch_values
