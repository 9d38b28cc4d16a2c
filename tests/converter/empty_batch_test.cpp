// Batches of no samples: what is composed of reshapes takes them as what has a kernel does.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"

namespace micrort {
namespace {

using testing::Converted;
using testing::Counting;
using testing::OnnxBuilder;
using ::testing::StartsWith;

OnnxBuilder OfImages(const std::string& op, const std::vector<std::string>& more = {}) {
  std::vector<std::string> inputs = {"x"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  OnnxBuilder builder(18);
  builder.Input("x", {"N", "4", "6", "6"}).Node(op, inputs, {"y"});
  return builder;
}

void ExpectNoSamples(OnnxBuilder builder, const std::string& shape) {
  SCOPED_TRACE(builder.graph().node(0).op_type());
  Converted model(builder);
  EXPECT_THAT(model.Run({Counting({0, 4, 6, 6})}), StartsWith("0x" + shape + ":"));
  EXPECT_TRUE(model.ran());
  EXPECT_THAT(model.Run({Counting({2, 4, 6, 6})}), StartsWith("2x" + shape + ":"));
}

TEST(EmptyBatch, IsNormalized) {
  ExpectNoSamples(OfImages("LRN").Int("size", 3), "4x6x6");
  ExpectNoSamples(OfImages("MeanVarianceNormalization").Ints("axes", {2, 3}), "4x6x6");
  ExpectNoSamples(OfImages("InstanceNormalization", {"s", "b"}).Weights("s", {4}).Weights("b", {4}), "4x6x6");
  ExpectNoSamples(
      OfImages("GroupNormalization", {"s", "b"}).Int("num_groups", 2).Weights("s", {2}).Weights("b", {2}),
      "4x6x6");
}

TEST(EmptyBatch, IsPooledAndMoved) {
  OnnxBuilder places = OfImages("MaxPool").Ints("kernel_shape", {2, 2}).Ints("strides", {2, 2});
  places.graph().mutable_node(0)->add_output("places");
  ExpectNoSamples(places, "4x3x3");
  ExpectNoSamples(OfImages("LpPool").Ints("kernel_shape", {2, 2}), "4x5x5");
  ExpectNoSamples(OfImages("DepthToSpace").Int("blocksize", 2), "1x12x12");
  ExpectNoSamples(OfImages("SpaceToDepth").Int("blocksize", 2), "16x3x3");
  ExpectNoSamples(OfImages("Flatten"), "144");
}

}  // namespace
}  // namespace micrort
