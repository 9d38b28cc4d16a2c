// Caffe networks from anywhere that contradict themselves or ask for much.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/caffe_net.h"

namespace micrort {
namespace {

using testing::BlobText;
using testing::CaffeValues;
using testing::ImportNet;
using testing::InputText;

void ExpectRefused(const std::string& text) {
  const auto result = ImportNet(text);
  EXPECT_FALSE(result.status.ok()) << text;
  EXPECT_NE(std::string(result.status.message()), "") << text;
}

std::string Layer(const std::string& type, const std::string& parameters) {
  return "layer { name: 'l' type: '" + type + "' bottom: 'x' top: 'y' " + parameters + " }";
}

std::string Image() { return InputText("x", {1, 2, 4, 4}); }

TEST(CaffeUntrusted, SizesThatOverflow) {
  ExpectRefused(
      "input: 'x' input_dim: 2147483647 input_dim: 2147483647 input_dim: 2147483647 input_dim: 2147483647 " +
      Layer("ReLU", ""));
  ExpectRefused(Image() + Layer("Reshape", "reshape_param { shape { dim: 9223372036854775807 dim: 2 } }"));
  ExpectRefused(
      Image() + Layer("Tile", "tile_param { axis: 1 tiles: 2147483647 }") +
      "layer { name: 'm' type: 'Tile' bottom: 'y' top: 'z' tile_param { axis: 2 tiles: 2147483647 } }");
  ExpectRefused(Image() + Layer("InnerProduct", "inner_product_param { num_output: 4294967295 } " +
                                                    BlobText({1, 32}, CaffeValues(32))));
}

TEST(CaffeUntrusted, AbsurdRanks) {
  std::string dims;
  for (int i = 0; i < 100; ++i) dims += "dim: 1 ";
  ExpectRefused("layer { name: 'x' type: 'Input' top: 'x' input_param { shape { " + dims + "} } } " +
                Layer("ReLU", ""));
  ExpectRefused(Image() + Layer("Reshape", "reshape_param { shape { " + dims + "dim: -1 } }"));
}

TEST(CaffeUntrusted, CyclesAndWrongIndices) {
  ExpectRefused(Image() +
                "layer { name: 'a' type: 'Eltwise' bottom: 'x' bottom: 'b' top: 'a' } "
                "layer { name: 'b' type: 'ReLU' bottom: 'a' top: 'b' }");
  ExpectRefused(Image() + Layer("Concat", "concat_param { axis: 9 }"));
  ExpectRefused(Image() + Layer("Softmax", "softmax_param { axis: -9 }"));
  ExpectRefused(Image() +
                "layer { name: 's' type: 'Slice' bottom: 'x' top: 'a' top: 'b' slice_param { axis: 1 "
                "slice_point: 9 } }");
  ExpectRefused(Image() + Layer("Permute", "permute_param { order: 0 order: 0 order: 7 }"));
}

TEST(CaffeUntrusted, WindowsThatAreNone) {
  for (const char* window : {"kernel_size: 0", "kernel_size: 3 stride: 0", "kernel_size: 4294967295",
                             "kernel_size: 3 pad: 4294967295", "kernel_size: 99"}) {
    ExpectRefused(Image() + Layer("Pooling", std::string("pooling_param { ") + window + " }"));
    ExpectRefused(Image() +
                  Layer("Convolution", std::string("convolution_param { num_output: 1 bias_term: false ") +
                                           window + " } " + BlobText({1, 2, 3, 3}, CaffeValues(18))));
  }
  ExpectRefused(Image() + Layer("Convolution",
                                "convolution_param { num_output: 1 bias_term: false kernel_size: 3 group: "
                                "0 } " +
                                    BlobText({1, 2, 3, 3}, CaffeValues(18))));
}

}  // namespace
}  // namespace micrort
