// Pictures resized to sizes that data decide: within a bound that is stated, or that follows from the
// numbers.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_graph.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing::decided_resize {
namespace {

using ::testing::HasSubstr;

constexpr int kIntegers = ::onnx::TensorProto::INT64;

struct Kind {
  const char* name;
  const char* mode;
  const char* coordinates;
  bool antialias;
};

// "size" is {1, 3, h, w}, or "scales" are as many floats.
OnnxBuilder Resized(OnnxBuilder b, const Kind& kind, bool by_scales = false) {
  b.Node("Resize", {"x", "", by_scales ? "scales" : "", by_scales ? "" : "size"}, {"y"});
  b.String("mode", kind.mode).String("coordinate_transformation_mode", kind.coordinates);
  return kind.antialias ? b.Int("antialias", 1) : b;
}

OnnxBuilder Picture() { return std::move(OnnxBuilder(18).Input("x", {"1", "3", "6", "5"})); }

// `wanted` is an input of two floats.
OnnxBuilder SizeOfFloats(OnnxBuilder b) {
  b.Integers("kept", {2}, {1, 3}).Node("Cast", {"wanted"}, {"hw"}).Int("to", kIntegers);
  return std::move(b.Node("Concat", {"kept", "hw"}, {"size"}).Int("axis", 0));
}

io::NamedArray Wanted(int64_t h, int64_t w) {
  return Array<float>({2}, {static_cast<float>(h) + 0.5f, static_cast<float>(w)});
}

const std::vector<std::pair<int64_t, int64_t>> kSizes = {{6, 5}, {1, 1}, {2, 9}, {12, 10}, {12, 1}, {7, 5}};

class DecidedResize : public ::testing::TestWithParam<Kind> {};

TEST_P(DecidedResize, GivesWhatAFixedSizeGives) {
  ConvertOptions options;
  options.max_sizes = {{"y[2]", 12}, {"y[3]", 10}};
  OnnxBuilder b = Resized(SizeOfFloats(Picture().Input("wanted", {"2"})), GetParam());
  Converted decided(b, {"y"}, options);
  ASSERT_TRUE(decided.status().ok()) << decided.status().message();
  EXPECT_FALSE(decided.model().decides_shapes(1));
  for (const auto& [h, w] : kSizes) {
    OnnxBuilder fixed = Resized(Picture().Integers("size", {4}, {1, 3, h, w}), GetParam());
    EXPECT_EQ(decided.Run({Counting({1, 3, 6, 5}), Wanted(h, w)}),
              Converted(fixed).Run({Counting({1, 3, 6, 5})}))
        << h << " " << w;
  }
  EXPECT_THAT(decided.Run({Counting({1, 3, 6, 5}), Wanted(13, 2)}), HasSubstr("the file states at most 12"));
}

TEST_P(DecidedResize, GivesWhatFixedScalesGive) {
  ConvertOptions options;
  options.max_sizes = {{"y[0]", 1}, {"y[1]", 3}, {"y[2]", 12}, {"y[3]", 10}};
  OnnxBuilder by_data = Picture().Input("wanted", {"2"}).Floats("kept", {2}, {1, 1});
  by_data.Node("Abs", {"wanted"}, {"hw"}).Node("Concat", {"kept", "hw"}, {"scales"}).Int("axis", 0);
  OnnxBuilder b = Resized(by_data, GetParam(), true);
  Converted decided(b, {"y"}, options);
  ASSERT_TRUE(decided.status().ok()) << decided.status().message();
  for (const float scale : {2.0f, 1.0f, 0.5f, 0.3f}) {
    OnnxBuilder fixed = Resized(Picture().Floats("scales", {4}, {1, 1, scale, 1}), GetParam(), true);
    EXPECT_EQ(decided.Run({Counting({1, 3, 6, 5}), Array<float>({2}, {scale, 1})}),
              Converted(fixed).Run({Counting({1, 3, 6, 5})}))
        << scale;
  }
}

INSTANTIATE_TEST_SUITE_P(All, DecidedResize,
                         ::testing::Values(Kind{"Nearest", "nearest", "asymmetric", false},
                                           Kind{"Linear", "linear", "half_pixel", false},
                                           Kind{"Corners", "linear", "align_corners", false},
                                           Kind{"Cubic", "cubic", "half_pixel", false},
                                           Kind{"LinearAntialias", "linear", "half_pixel", true},
                                           Kind{"CubicAntialias", "cubic", "half_pixel", true}),
                         [](const auto& info) { return std::string(info.param.name); });

// The picture itself decides, which nobody gives ahead; a clip bounds the size.
TEST(DecidedResizeBounds, FollowFromClips) {
  const Kind nearest = {"", "nearest", "asymmetric", false};
  for (const bool is_clipped : {true, false}) {
    OnnxBuilder b = Picture().Floats("low", {}, {1}).Floats("high", {}, {7}).Integers("two", {1}, {2});
    b.Node("ReduceMax", {"x"}, {"most"}).Int("keepdims", 0);
    b.Node(is_clipped ? "Clip" : "Abs",
           is_clipped ? std::vector<std::string>{"most", "low", "high"} : std::vector<std::string>{"most"},
           {"side"});
    b.Node("Expand", {"side", "two"}, {"wanted"});
    OnnxBuilder model = Resized(SizeOfFloats(b), nearest);
    Converted converted(model);
    if (is_clipped) {
      ASSERT_TRUE(converted.status().ok()) << converted.status().message();
      EXPECT_FALSE(converted.model().decides_shapes(0));
      EXPECT_THAT(converted.Run({Counting({1, 3, 6, 5})}), ::testing::StartsWith("1x3x7x7:"));
    }
  }
}

// As detectors of masks do it: each mask is resized to the box that it was found in, and put there.
TEST(DecidedResizeBounds, OfBoxesInALoop) {
  const std::string forward =
      "  def forward(self: __torch__.Net, masks: Tensor, boxes: Tensor) -> Tensor:\n"
      "    kept = torch.index(boxes, [torch.gt(torch.select(boxes, 1, 2), 0)])\n"
      "    clipped = torch.to(torch.clamp(kept, 0, 4), 4)\n"
      "    res = annotate(List[Tensor], [])\n"
      "    for i in range(torch.len(clipped)):\n"
      "      box = torch.select(clipped, 0, i)\n"
      "      x0 = int(torch.select(box, 0, 0))\n"
      "      y0 = int(torch.select(box, 0, 1))\n"
      "      x1 = int(torch.select(box, 0, 2))\n"
      "      y1 = int(torch.select(box, 0, 3))\n"
      "      w = ops.prim.max(torch.sub(x1, x0), 1)\n"
      "      h = ops.prim.max(torch.sub(y1, y0), 1)\n"
      "      mask = torch.expand(torch.select(masks, 0, i), [1, 1, -1, -1])\n"
      "      large = torch.upsample_nearest2d(mask, [h, w], None)\n"
      "      image = torch.zeros([4, 4])\n"
      "      part = torch.slice(torch.slice(image, 0, y0, torch.add(y0, h)), 1, x0, torch.add(x0, w))\n"
      "      _0 = torch.copy_(part, torch.select(torch.select(large, 0, 0), 0, 0))\n"
      "      _1 = torch.append(res, image)\n"
      "    return torch.stack(res)\n";
  ConvertOptions options;
  options.input_shapes = {{"masks", {2, 2, 2}}, {"boxes", {2, 4}}};
  Converted model("model.pt", TorchArchive(forward).Bytes(), options);
  ASSERT_TRUE(model.status().ok()) << model.status().message();
  const io::NamedArray masks = Counting({2, 2, 2});
  EXPECT_EQ(model.Run({masks, Array<float>({2, 4}, {0, 0, 4, 2, 1, 1, 3, 9})}),
            "2x4x4: 1 1 2 2 3 3 4 4 0 0 0 0 0 0 0 0 0 0 0 0 0 5 6 0 0 5 6 0 0 7 8 0");
  EXPECT_EQ(model.Run({masks, Array<float>({2, 4}, {0, 0, 0, 0, 3, 3, 4, 4})}),
            "1x4x4: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1");
}

TEST(DecidedResizeBounds, OfTensorflowsPictures) {
  const std::string text =
      TfInput("x", {1, 2, 2, 1}) + TfInput("s", {2}) + TfFloats("most", {}, {5}) +
      TfNode("m", "Minimum", {"s", "most"}, {"T { type: DT_FLOAT }"}) +
      TfNode("size", "Cast", {"m"}, {"SrcT { type: DT_FLOAT }", "DstT { type: DT_INT32 }"}) +
      TfNode("y", "ResizeNearestNeighbor", {"x", "size"}, {"T { type: DT_FLOAT }"});
  Converted model("model.pbtxt", text);
  ASSERT_TRUE(model.status().ok()) << model.status().message();
  EXPECT_EQ(model.Run({Counting({1, 2, 2, 1}), Array<float>({2}, {1, 4})}), "1x1x4x1: 1 1 2 2");
  EXPECT_EQ(model.Run({Counting({1, 2, 2, 1}), Array<float>({2}, {2, 2})}), "1x2x2x1: 1 2 3 4");
}

}  // namespace
}  // namespace micrort::testing::decided_resize
