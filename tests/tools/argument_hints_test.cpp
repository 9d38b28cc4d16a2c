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

TEST(ArgumentHints, DownloadWhatAnAddressNames) {
  EXPECT_EQ(DownloadOf("https://example.org/a_b/net.onnx"), "curl -LO 'https://example.org/a_b/net.onnx'");
  EXPECT_EQ(DownloadOf("HTTP://example.org/net.onnx"), "curl -LO 'HTTP://example.org/net.onnx'");
  EXPECT_EQ(DownloadOf("https://huggingface.co/who/what/blob/main/net.onnx"),
            "curl -LO 'https://huggingface.co/who/what/resolve/main/net.onnx'");
  EXPECT_EQ(DownloadOf("https://github.com/who/what/blob/main/net.tflite"),
            "curl -LO 'https://github.com/who/what/raw/main/net.tflite'");
  EXPECT_EQ(DownloadOf("https://example.org/blob/net.onnx"), "curl -LO 'https://example.org/blob/net.onnx'");
  EXPECT_EQ(DownloadOf("net.onnx"), "");
  EXPECT_EQ(DownloadOf("https"), "");
}

}  // namespace
}  // namespace micrort::io
