// Col2Im and MaxRoiPool, against the loops of ONNX's specification.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using testing::RunOnnx;

Floats Numbers(size_t n) {
  Floats v;
  for (size_t i = 0; i < n; ++i) v.push_back(static_cast<float>((i * 7 + 3) % 11) - 4);
  return v;
}

struct Blocks {
  int64_t image[2], block[2], dilation[2] = {1, 1}, pads[4] = {0, 0, 0, 0}, stride[2] = {1, 1};

  int64_t positions(int i) const {
    return (image[i] + pads[i] + pads[i + 2] - dilation[i] * (block[i] - 1) - 1) / stride[i] + 1;
  }
};

// Adds every element of every block where it lies.
Floats SummedUp(const Blocks& b, int64_t images, const Floats& columns) {
  Floats image(static_cast<size_t>(images * b.image[0] * b.image[1]), 0);
  size_t from = 0;
  for (int64_t n = 0; n < images; ++n)
    for (int64_t kh = 0; kh < b.block[0]; ++kh)
      for (int64_t kw = 0; kw < b.block[1]; ++kw)
        for (int64_t ph = 0; ph < b.positions(0); ++ph)
          for (int64_t pw = 0; pw < b.positions(1); ++pw, ++from) {
            const int64_t y = ph * b.stride[0] + kh * b.dilation[0] - b.pads[0];
            const int64_t x = pw * b.stride[1] + kw * b.dilation[1] - b.pads[1];
            if (y < 0 || y >= b.image[0] || x < 0 || x >= b.image[1]) continue;
            image[static_cast<size_t>((n * b.image[0] + y) * b.image[1] + x)] += columns[from];
          }
  return image;
}

OnnxBuilder Col2Im(const Blocks& b, const std::vector<std::string>& dims) {
  OnnxBuilder builder(18);
  const auto list = [](const int64_t* v, int n) { return std::vector<int64_t>(v, v + n); };
  builder.Input("x", dims).Integers("image", {2}, list(b.image, 2)).Integers("block", {2}, list(b.block, 2));
  builder.Node("Col2Im", {"x", "image", "block"}, {"y"}).Ints("dilations", list(b.dilation, 2));
  return builder.Ints("pads", list(b.pads, 4)).Ints("strides", list(b.stride, 2)).Output("y");
}

void ExpectLoop(const Blocks& b) {
  const int64_t elements = b.block[0] * b.block[1], blocks = b.positions(0) * b.positions(1);
  const auto text = [](int64_t n) { return std::to_string(n); };
  const Floats x = Numbers(static_cast<size_t>(2 * 3 * elements * blocks));
  const auto y = RunOnnx(Col2Im(b, {"2", text(3 * elements), text(blocks)}), {{"x", x}})["y"];
  EXPECT_EQ(y, SummedUp(b, 2 * 3, x));
}

TEST(OnnxCol2Im, AddsBlocksWhereTheyLie) {
  ExpectLoop({{5, 5}, {1, 5}});
  ExpectLoop({{4, 5}, {2, 2}, {1, 1}, {0, 0, 0, 0}, {2, 1}});
  ExpectLoop({{5, 6}, {2, 3}, {2, 1}, {1, 0, 2, 1}, {1, 2}});
}

TEST(OnnxCol2Im, TakesAnyBatch) {
  EXPECT_TRUE(Import(Col2Im({{4, 4}, {2, 2}}, {"N", "4", "9"})).status.ok());
  EXPECT_THAT(Import(Col2Im({{4, 4}, {2, 2}}, {"N", "4", "8"})).text(), HasSubstr("expected [N, C * 4, 9]"));
  EXPECT_THAT(Import(Col2Im({{1, 4}, {2, 2}}, {"N", "4", "9"})).text(), HasSubstr("do not fit dimension 0"));
}

// The image's size is an input, and all of x is dynamic.
TEST(OnnxCol2Im, TakesAnImageOfAnySize) {
  for (const Blocks& blocks :
       {Blocks{{5, 5}, {1, 5}}, Blocks{{5, 6}, {2, 3}, {2, 1}, {1, 0, 2, 1}, {1, 2}}}) {
    OnnxBuilder b(18);
    b.Input("x", {"", "", ""}).Input("image", {"2"}, ::onnx::TensorProto::INT64);
    b.Integers("block", {2}, {blocks.block[0], blocks.block[1]})
        .Node("Col2Im", {"x", "image", "block"}, {"y"});
    b.Ints("dilations", {blocks.dilation[0], blocks.dilation[1]});
    b.Ints("pads", std::vector<int64_t>(blocks.pads, blocks.pads + 4));
    b.Ints("strides", {blocks.stride[0], blocks.stride[1]});
    testing::Converted converted(b);
    const int64_t elements = blocks.block[0] * blocks.block[1];
    const std::vector<int64_t> shape = {2, 3 * elements, blocks.positions(0) * blocks.positions(1)};
    const Floats x = Numbers(static_cast<size_t>(shape[0] * shape[1] * shape[2]));
    std::string expected =
        "2x3x" + std::to_string(blocks.image[0]) + "x" + std::to_string(blocks.image[1]) + ":";
    for (const float v : SummedUp(blocks, 6, x)) expected += " " + std::to_string(static_cast<int>(v));
    EXPECT_EQ(converted.Run(
                  {testing::Array<float>(shape, x), testing::Integers({blocks.image[0], blocks.image[1]})}),
              expected);
  }
}

TEST(OnnxCol2Im, SaysWhatItNeeds) {
  OnnxBuilder b(18);
  b.Input("x", {"", "", ""}).Integers("image", {2}, {5, 5}).Input("block", {"2"}, ::onnx::TensorProto::INT64);
  b.Node("Col2Im", {"x", "image", "block"}, {"y"}).Output("y");
  EXPECT_THAT(Import(b).text(), HasSubstr("input 2 ('block') must be a constant"));
}

TEST(OnnxMaxRoiPool, CellsMayOverlapAndBeEmpty) {
  OnnxBuilder b(11);
  b.Input("x", {"1", "1", "3", "4"}).Floats("rois", {3, 5}, {0, 0, 0, 3, 2, 0, 1, 1, 2, 2, 0, 4, 0, 5, 1});
  b.Node("MaxRoiPool", {"x", "rois"}, {"y"}).Ints("pooled_shape", {2, 2}).Output("y");
  const Floats image = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  // Rows [0,2) and [1,3); one row and column a cell; columns 4 and 5 lie outside the image.
  EXPECT_THAT(RunOnnx(b, {{"x", image}})["y"], ElementsAre(6, 8, 10, 12, 6, 7, 10, 11, 0, 0, 0, 0));
}

TEST(OnnxMaxRoiPool, RegionsAreScaledAndChooseTheirImage) {
  OnnxBuilder b(11);
  b.Input("x", {"2", "1", "2", "2"}).Floats("rois", {1, 5}, {1, 0, 0, 2, 2});
  b.Node("MaxRoiPool", {"x", "rois"}, {"y"}).Ints("pooled_shape", {1, 2}).Float("spatial_scale", 0.5f);
  EXPECT_THAT(RunOnnx(b.Output("y"), {{"x", {1, 2, 3, 4, -5, -6, -7, -8}}})["y"], ElementsAre(-5, -6));
}

}  // namespace
}  // namespace micrort
