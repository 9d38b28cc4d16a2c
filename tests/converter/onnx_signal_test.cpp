// Fourier transforms, windows and filters of spectra.

#include <gmock/gmock.h>

#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::testing::FloatNear;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using ::testing::Pointwise;
using testing::RunOnnx;

TEST(OnnxDft, TheAxisIsAnAttributeThenAnInput) {
  OnnxBuilder old(17);
  old.Input("x", {"1", "N", "3", "1"}).Node("DFT", {"x"}, {"y"}).Int("onesided", 1).Output("y");
  EXPECT_THAT(Import(old).text(), HasSubstr("y float32[1,floor(N / 2) + 1,3,2]"));
  OnnxBuilder standard(20);
  standard.Input("x", {"1", "8", "3", "1"}).Node("DFT", {"x"}, {"y"}).Int("onesided", 1).Output("y");
  EXPECT_THAT(Import(standard).text(), HasSubstr("y float32[1,8,2,2]"));
  OnnxBuilder input(20);
  input.Input("x", {"1", "8", "3", "1"}).Integers("l", {}, {4}).Integers("a", {}, {1});
  input.Node("DFT", {"x", "l", "a"}, {"y"}).Int("onesided", 1).Output("y");
  EXPECT_THAT(Import(input).text(), HasSubstr("y float32[1,3,3,2]"));
}

TEST(OnnxStft, FramesAreAsLongAsTheWindow) {
  OnnxBuilder builder(17);
  builder.Input("x", {"1", "6", "1"}).Integers("step", {}, {2}).Floats("w", {2}, {1, 0.5f});
  builder.Node("STFT", {"x", "step", "w"}, {"y"}).Output("y");
  EXPECT_THAT(Import(builder).text(), HasSubstr("y float32[1,3,2,2]"));
  EXPECT_THAT(RunOnnx(builder, {{"x", {1, 2, 3, 4, 5, 6}}})["y"],
              Pointwise(FloatNear(1e-6f), Floats{2, 0, 0, 0, 5, 0, 1, 0, 8, 0, 2, 0}));
}

Floats Window(const char* op, int64_t periodic) {
  OnnxBuilder builder(17);
  builder.Integers("n", {}, {4}).Node(op, {"n"}, {"y"}).Int("periodic", periodic).Output("y");
  return RunOnnx(builder)["y"];
}

TEST(OnnxWindow, MayBePeriodicOrSymmetric) {
  EXPECT_THAT(Window("HannWindow", 1), Pointwise(FloatNear(1e-6f), Floats{0, 0.5f, 1, 0.5f}));
  EXPECT_THAT(Window("HannWindow", 0), Pointwise(FloatNear(1e-6f), Floats{0, 0.75f, 0.75f, 0}));
  EXPECT_THAT(Window("HammingWindow", 1),
              Pointwise(FloatNear(1e-5f), Floats{0.0869565f, 0.5434783f, 1, 0.5434783f}));
  EXPECT_THAT(Window("BlackmanWindow", 1), Pointwise(FloatNear(1e-6f), Floats{0, 0.34f, 1, 0.34f}));
}

TEST(OnnxMelWeightMatrix, HasTrianglesOfHeightOne) {
  OnnxBuilder builder(17);
  builder.Integers("m", {}, {2}).Integers("n", {}, {16}).Integers("rate", {}, {8000});
  builder.Floats("low", {}, {0}).Floats("high", {}, {4000});
  builder.Node("MelWeightMatrix", {"m", "n", "rate", "low", "high"}, {"y"}).Output("y");
  EXPECT_THAT(Import(builder).text(), HasSubstr("y float32[9,2]"));
  // Corners at 0, 921, 3083... hertz of bins 500 hertz wide.
  const Floats y = RunOnnx(builder)["y"];
  for (size_t filter = 0; filter < 2; ++filter) {
    float highest = 0;
    for (size_t bin = 0; bin < 9; ++bin) highest = std::max(highest, y[bin * 2 + filter]);
    EXPECT_EQ(1.0f, highest);
  }
}

}  // namespace
}  // namespace micrort
