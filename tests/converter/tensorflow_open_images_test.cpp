// TensorFlow's images of open size before a layer that has one weight a place.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_graph.h"

namespace micrort::testing {
namespace {

const char* const kFloats = "T { type: DT_FLOAT }";

// A convolution, a pooling, then a fully connected one: as MTCNN's R-Net and O-Net.
std::string NetWithRows(const std::string& flat) {
  return TfInput("image", {-1, -1, -1, 1}) + TfFloats("w", {3, 3, 1, 1}, Floats(9, 1)) +
         TfNode("c", "Conv2D", {"image", "w"},
                {kFloats, "strides { list { i: 1 i: 1 i: 1 i: 1 } }", "padding { s: 'VALID' }"}) +
         TfNode("p", "MaxPool", {"c"},
                {kFloats, "ksize { list { i: 1 i: 2 i: 2 i: 1 } }",
                 "strides { list { i: 1 i: 2 i: 2 i: 1 } }", "padding { s: 'SAME' }"}) +
         flat + TfFloats("m", {4, 1}, {1, 10, 100, 1000}) + TfNode("y", "MatMul", {"f", "m"}, {kFloats});
}

std::string ToRowsOf(int32_t size) {
  return TfIntegers("s", {-1, size}) + TfNode("f", "Reshape", {"p", "s"}, {kFloats});
}

std::string Flattened() {
  return TfNode("shape", "Shape", {"p"}, {kFloats, "out_type { type: DT_INT32 }"}) + TfIntegers("zero", {0}) +
         TfIntegers("one", {1}) + TfIntegers("rest", {-1}) + TfIntegers("axis", {0}, true) +
         TfNode("n", "Slice", {"shape", "zero", "one"},
                {"T { type: DT_INT32 }", "Index { type: DT_INT32 }"}) +
         TfNode("s", "ConcatV2", {"n", "rest", "axis"}, {"T { type: DT_INT32 }", "N { i: 2 }"}) +
         TfNode("f", "Reshape", {"p", "s"}, {kFloats});
}

TEST(TensorflowOpenImage, BeforeAFixedFullyConnectedLayer) {
  for (const std::string& flat : {ToRowsOf(4), Flattened()}) {
    Converted net("graph.pbtxt", NetWithRows(flat));
    ASSERT_TRUE(net.status().ok()) << net.status().message();
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{1, 6, 6, 1}, {3, 6, 6, 1}, {1, 4, 10, 1}}) {
      ConvertOptions options;
      options.input_shapes = {{"image", shape}};
      EXPECT_EQ(net.Run({Counting(shape)}),
                Converted("graph.pbtxt", NetWithRows(flat), options).Run({Counting(shape)}));
    }
    EXPECT_THAT(net.Run({Counting({1, 12, 12, 1})}), ::testing::HasSubstr("cannot "));
  }
}

// As images of a fixed size, by both corners: smaller ones, larger ones, of one pixel.
TEST(TensorflowOpenImage, ResizedByArea) {
  const std::string image = TfInput("image", {-1, -1, -1, -1}), integers = "T { type: DT_INT32 }";
  const std::string fixed = TfIntegers("size", {2, 3}),
                    halves = TfNode("shape", "Shape", {"image"}, {kFloats, "out_type { type: DT_INT32 }"}) +
                             TfIntegers("one", {1}) + TfIntegers("two", {2}) +
                             TfNode("hw", "Slice", {"shape", "one", "two"},
                                    {integers, "Index { type: DT_INT32 }"}) +
                             TfIntegers("half", {2}) + TfNode("size", "FloorDiv", {"hw", "half"}, {integers});
  for (const std::string align : {"false", "true"}) {
    for (const std::string& size : {fixed, halves}) {
      const std::string graph =
          image + size +
          TfNode("y", "ResizeArea", {"image", "size"}, {kFloats, "align_corners { b: " + align + " }"});
      Converted open("graph.pbtxt", graph);
      ASSERT_TRUE(open.status().ok()) << open.status().message();
      for (const std::vector<int64_t>& shape :
           {std::vector<int64_t>{1, 4, 6, 1}, {2, 5, 7, 3}, {1, 2, 2, 2}, {1, 9, 3, 1}}) {
        ConvertOptions options;
        options.input_shapes = {{"image", shape}};
        Converted closed("graph.pbtxt", graph, options);
        ASSERT_TRUE(closed.status().ok()) << closed.status().message();
        ASSERT_EQ(open.Run({Counting(shape)}), closed.Run({Counting(shape)})) << align;
        EXPECT_TRUE(open.ran()) << open.Run({Counting(shape)});
      }
    }
    // A pixel alone.
    const std::string graph =
        image + fixed +
        TfNode("y", "ResizeArea", {"image", "size"}, {kFloats, "align_corners { b: " + align + " }"});
    EXPECT_EQ(Converted("graph.pbtxt", graph).Run({Counting({1, 1, 1, 1})}), "1x2x3x1: 1 1 1 1 1 1");
  }
}

}  // namespace
}  // namespace micrort::testing
