#include "tools/io/argument_hints.h"

#include <gtest/gtest.h>

namespace micrort::io {
namespace {

TEST(ArgumentHints, NameOptionsThatTheProgramHas) {
  EXPECT_EQ(OptionMeantBy("--fp16", {"--quant", "--output"}), "--quant fp16");
  EXPECT_EQ(OptionMeantBy("--FP16", {"--quant"}), "--quant fp16");
  EXPECT_EQ(OptionMeantBy("--fp16", {"--output"}), "");
  EXPECT_EQ(OptionMeantBy("--num_threads", {"--threads"}), "--threads");
  EXPECT_EQ(OptionMeantBy("-o", {"--output-dir"}), "--output-dir");
  EXPECT_EQ(OptionMeantBy("-o", {"--output", "--output-dir"}), "--output");
  EXPECT_EQ(OptionMeantBy("--unheard-of", {"--quant"}), "");
}

TEST(ArgumentHints, NameValuesThatMayBeChosen) {
  EXPECT_EQ(ValueMeantBy("Half", {"fp16", "int8"}), "fp16");
  EXPECT_EQ(ValueMeantBy("half", {"rgb", "bgr"}), "");
  EXPECT_EQ(ValueMeantBy("center_crop", {"stretch", "crop"}), "crop");
  EXPECT_EQ(ValueMeantBy("int8", {"int8"}), "");
}

}  // namespace
}  // namespace micrort::io
