#include "tools/io/near_names.h"

#include <gtest/gtest.h>

namespace micrort::io {
namespace {

TEST(NearestName, IsTheOneThatASlipTurnsIntoTheOther) {
  const std::vector<std::string> flags = {"--quant", "--quiet", "--calib", "--calib-method", "--input-shape"};
  EXPECT_EQ(NearestName("--quantize", flags), "--quant");
  EXPECT_EQ(NearestName("--quatn", flags), "--quant");
  EXPECT_EQ(NearestName("--calibration", flags), "--calib");
  EXPECT_EQ(NearestName("--INPUT_SHAPE", flags), "--input-shape");
  EXPECT_EQ(NearestName("-quant", flags), "--quant");
}

TEST(NearestName, IsNoneWhereNothingIsNear) {
  EXPECT_EQ(NearestName("--frobnicate", {"--quant", "--json"}), "");
  EXPECT_EQ(NearestName("x", {"y", "z"}), "");
  EXPECT_EQ(NearestName("a", {}), "");
  EXPECT_EQ(DidYouMean("int4", {"fp16"}), "");
  EXPECT_EQ(DidYouMean("INT8", {"int8", "int8-weights"}), "; did you mean int8?");
}

TEST(NearNames, ListsPartsFirst) {
  EXPECT_EQ(NearNames("conv", {"dense", "model/conv/1", "cons"}), "'model/conv/1', 'cons', 'dense'");
}

}  // namespace
}  // namespace micrort::io
