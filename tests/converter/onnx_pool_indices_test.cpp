// The second output of MaxPool.

#include <gmock/gmock.h>

#include "tests/converter/folded_values.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::FoldedValues;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;

std::vector<float> Indices(int column_major, const std::vector<int64_t>& pads) {
  OnnxBuilder b(12);
  b.Floats("x", {1, 2, 2, 3}, {1, 5, 2, 4, 5, 3, 6, 6, 6, 6, 6, 7}).Node("MaxPool", {"x"}, {"y", "i"});
  b.Ints("kernel_shape", {2, 2}).Ints("pads", pads).Int("storage_order", column_major).Output("i");
  return FoldedValues(b)[0];
}

TEST(OnnxMaxPool, IndicesCountThroughTheWholeTensor) {
  EXPECT_THAT(Indices(0, {0, 0, 0, 0}), ElementsAre(1, 1, 6, 11));
  EXPECT_THAT(Indices(1, {0, 0, 0, 0}), ElementsAre(2, 2, 6, 11));
}

TEST(OnnxMaxPool, PaddingIsNeverTheMaximum) {
  EXPECT_THAT(Indices(0, {0, 1, 0, 0}), ElementsAre(3, 1, 1, 6, 6, 11));
}

TEST(OnnxMaxPool, IndicesNeedImagesOfFixedSize) {
  OnnxBuilder b(12);
  b.Input("x", {"N", "2", "H", "3"}).Node("MaxPool", {"x"}, {"y", "i"}).Ints("kernel_shape", {2, 2});
  EXPECT_THAT(Import(b.Output("y").Output("i")).text(), HasSubstr("images of a fixed size"));
}

}  // namespace
}  // namespace micrort
