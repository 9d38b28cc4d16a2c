// Models whose heights and widths are open compute what those do that are converted for one size.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_graph.h"

namespace micrort {
namespace {

using testing::Converted;
using testing::Counting;
using testing::OnnxBuilder;
using testing::TfIntegers;
using testing::TfNode;

// What is padded depends on whether a size is even, and on its remainder by the stride.
TEST(OpenSizes, PaddingFollowsTheSizesOfTheRun) {
  for (const int64_t stride : {2, 3}) {
    OnnxBuilder builder;
    builder.Input("x", {"1", "1", "H", "W"}).Floats("w", {1, 1, 3, 3}, {1, 0, 0, 0, 0, 0, 0, 0, 0});
    builder.Node("Conv", {"x", "w"}, {"y"}).Ints("strides", {stride, stride});
    Converted open(builder.String("auto_pad", "SAME_UPPER"));
    for (int64_t h = 4; h < 10; ++h) {
      for (const int64_t w : {h, h + 1}) {
        const std::string sizes[] = {std::to_string(h), std::to_string(w)};
        OnnxBuilder same;
        same.Input("x", {"1", "1", sizes[0], sizes[1]})
            .Floats("w", {1, 1, 3, 3}, {1, 0, 0, 0, 0, 0, 0, 0, 0});
        same.Node("Conv", {"x", "w"}, {"y"})
            .Ints("strides", {stride, stride})
            .String("auto_pad", "SAME_UPPER");
        const io::NamedArray x = Counting({1, 1, h, w});
        EXPECT_EQ(open.Run({x}), Converted(same).Run({x})) << h << "x" << w << " stride " << stride;
      }
    }
  }
}

// Of what lies inside of the image, whatever the sizes are.
TEST(OpenSizes, AveragesLeaveOutPaddingThatFollowsTheSizesOfTheRun) {
  const auto network = [](const char* mode, const std::vector<std::string>& shape) {
    OnnxBuilder builder;
    builder.Input("x", shape).Node("AveragePool", {"x"}, {"y"});
    builder.Ints("kernel_shape", std::vector<int64_t>(shape.size() - 2, 3));
    builder.Ints("strides", std::vector<int64_t>(shape.size() - 2, 2));
    return builder.String("auto_pad", mode);
  };
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER"}) {
    for (const size_t spatial : {1, 2, 3}) {
      std::vector<std::string> open_shape = {"n", "2"};
      for (size_t d = 0; d < spatial; ++d) open_shape.push_back("d" + std::to_string(d));
      OnnxBuilder any = network(mode, open_shape);
      Converted open(any);
      for (int64_t size = 4; size < 8; ++size) {
        std::vector<int64_t> shape = {2, 2};
        for (size_t d = 0; d < spatial; ++d) shape.push_back(size + static_cast<int64_t>(d));
        std::vector<std::string> texts;
        for (const int64_t d : shape) texts.push_back(std::to_string(d));
        OnnxBuilder same = network(mode, texts);
        const io::NamedArray x = Counting(shape);
        EXPECT_EQ(open.Run({x}), Converted(same).Run({x})) << mode << " " << size << ", " << spatial;
      }
    }
  }
}

// In blocks of two there are even sizes only, and of what is left, odd ones, too.
TEST(OpenSizes, PaddingBehindBlocksFollowsTheSizesOfTheRun) {
  const auto network = [](const std::string& h, const std::string& w) {
    OnnxBuilder builder;
    builder.Input("x", {"1", "1", h, w}).Node("SpaceToDepth", {"x"}, {"s"}).Int("blocksize", 2);
    builder.Floats("w", {1, 4, 3, 3}, std::vector<float>(36, 1));
    builder.Node("Conv", {"s", "w"}, {"y"}).Ints("strides", {2, 2}).String("auto_pad", "SAME_UPPER");
    return builder;
  };
  OnnxBuilder any = network("H", "W");
  Converted open(any);
  for (const int64_t h : {6, 8, 10}) {
    for (const int64_t w : {h, h + 2}) {
      OnnxBuilder same = network(std::to_string(h), std::to_string(w));
      const io::NamedArray x = Counting({1, 1, h, w});
      EXPECT_EQ(open.Run({x}), Converted(same).Run({x})) << h << "x" << w;
    }
  }
}

struct ImageOperator {
  const char* name;
  int64_t channels;
  int64_t multiple;   // of which height and width are
  std::string nodes;  // of TensorFlow, from x to y
};

const char* const kFloat = "T { type: DT_FLOAT }";

std::string Blocks(const std::string& name, int32_t a, int32_t b, int32_t c, int32_t d) {
  return TfIntegers(name + "/list", {a, b, c, d}) + TfIntegers(name + "/shape", {2, 2}) +
         TfNode(name, "Reshape", {name + "/list", name + "/shape"}, {"T { type: DT_INT32 }"});
}

std::vector<ImageOperator> ImageOperators() {
  const auto window = [](const std::string& size) { return size + " { list { i: 1 i: 3 i: 3 i: 1 } }"; };
  const std::string strides = "strides { list { i: 1 i: 2 i: 2 i: 1 } }", same = "padding { s: 'SAME' }",
                    block = "block_size { i: 2 }";
  const std::string average = TfNode("y", "AvgPool", {"s"}, {kFloat, window("ksize"), strides, same});
  const auto from_x = [](std::string nodes) { return TfNode("s", "Identity", {"x"}, {kFloat}) + nodes; };
  return {
      {"AvgPool", 2, 1, from_x(average)},
      {"MaxPool", 2, 1, TfNode("y", "MaxPool", {"x"}, {kFloat, window("ksize"), strides, same})},
      {"ExtractImagePatches", 1, 1,
       TfNode("y", "ExtractImagePatches", {"x"},
              {kFloat, window("ksizes"), strides, same, "rates { list { i: 1 i: 1 i: 1 i: 1 } }"})},
      {"DepthToSpace", 8, 1, TfNode("y", "DepthToSpace", {"x"}, {kFloat, block})},
      {"SpaceToDepth", 3, 2, TfNode("y", "SpaceToDepth", {"x"}, {kFloat, block})},
      {"AvgPoolOfSpaceToDepth", 1, 2, TfNode("s", "SpaceToDepth", {"x"}, {kFloat, block}) + average},
      {"SpaceToBatch", 2, 2,
       TfIntegers("sizes", {2, 1}) + Blocks("pads", 0, 2, 1, 0) +
           TfNode("y", "SpaceToBatchND", {"x", "sizes", "pads"}, {kFloat})},
      {"SpaceToBatchAndBack", 2, 2,
       TfIntegers("sizes", {2, 2}) + Blocks("pads", 2, 0, 0, 2) + Blocks("crops", 1, 0, 0, 1) +
           TfNode("s", "SpaceToBatchND", {"x", "sizes", "pads"}, {kFloat}) +
           TfNode("y", "BatchToSpaceND", {"s", "sizes", "crops"}, {kFloat})},
      {"Split", 2, 2,
       TfIntegers("axis", {1}, true) + TfNode("s", "Split", {"axis", "x"}, {kFloat, "num_split { i: 2 }"}) +
           TfNode("y", "Sub", {"s:1", "s"}, {kFloat})},
  };
}

class OpenImage : public ::testing::TestWithParam<ImageOperator> {
 protected:
  static Converted Convert(int64_t h, int64_t w) {
    return Converted("graph.pbtxt", testing::TfInput("x", {1, h, w, GetParam().channels}) + GetParam().nodes);
  }
};

TEST_P(OpenImage, IsThatOfEachSize) {
  Converted open = Convert(-1, -1);
  ASSERT_TRUE(open.status().ok()) << open.status().message();
  const int64_t step = GetParam().multiple;
  for (int64_t h = 4; h <= 4 + 3 * step; h += step) {
    for (const int64_t w : {h, h + step}) {
      const io::NamedArray x = Counting({1, h, w, GetParam().channels});
      EXPECT_EQ(open.Run({x}), Convert(h, w).Run({x})) << h << "x" << w;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, OpenImage, ::testing::ValuesIn(ImageOperators()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(OpenImage, ThatBlocksDoNotDivideIsAnError) {
  Converted open("graph.pbtxt", testing::TfInput("x", {1, -1, 4, 1}) +
                                    TfNode("y", "SpaceToDepth", {"x"}, {kFloat, "block_size { i: 2 }"}));
  EXPECT_THAT(open.Run({Counting({1, 5, 4, 1})}), ::testing::HasSubstr("node 'y' (Reshape)"));
}

}  // namespace
}  // namespace micrort
