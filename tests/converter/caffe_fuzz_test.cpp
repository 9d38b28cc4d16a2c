// Small networks with one bit flipped, each bit in turn, as text and as a message, and cut short at every
// byte: importing them may fail, but never crashes or hangs. Run with the sanitizers too.

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "converter/frontend/caffe/caffe.pb.h"
#include "tests/converter/caffe_net.h"

namespace micrort {
namespace {

using testing::BlobText;
using testing::CaffeValues;
using testing::ImportNet;
using testing::InputText;
using testing::LayerText;

void BreakEverywhere(const std::string& bytes) {
  ASSERT_TRUE(ImportNet(bytes).status.ok()) << ImportNet(bytes).message();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string broken = bytes;
      broken[i] = static_cast<char>(broken[i] ^ (1 << bit));
      ImportNet(broken);  // any status will do
    }
    ImportNet(bytes.substr(0, i));
  }
}

std::string AsMessage(const std::string& text) {
  ::caffe::NetParameter net;
  EXPECT_TRUE(::google::protobuf::TextFormat::ParseFromString(text, &net));
  return net.SerializeAsString();
}

std::string Layers() {
  return "input: 'x' input_dim: 1 input_dim: 2 input_dim: 4 input_dim: 4 "
         "layer { name: 'c' type: 'Convolution' bottom: 'x' top: 'c' convolution_param { num_output: 2 "
         "kernel_size: 3 "
         "pad: 1 bias_term: false group: 2 } " +
         BlobText({2, 1, 3, 3}, CaffeValues(18)) +
         "} layer { name: 'p' type: 'Pooling' bottom: 'c' top: 'p' pooling_param { kernel_size: 3 stride: 2 "
         "} } "
         "layer { name: 'r' type: 'Reshape' bottom: 'p' top: 'r' reshape_param { shape { dim: 0 dim: -1 } "
         "axis: 0 } } "
         "layer { name: 's' type: 'Slice' bottom: 'r' top: 'a' top: 'b' slice_param { axis: 1 slice_point: 1 "
         "} }";
}

std::string Detection() {
  return InputText("l", {1, 8}) + InputText("c", {1, 4}) + InputText("f", {1, 1, 1, 1}) +
         "layer { name: 'p' type: 'PriorBox' bottom: 'f' bottom: 'f' top: 'p' prior_box_param { min_size: 2 "
         "max_size: 3 } "
         "} " +
         LayerText("DetectionOutput", {"l", "c", "p"},
                   "detection_output_param { num_classes: 2 keep_top_k: 1 nms_param { top_k: 2 } }");
}

TEST(CaffeFuzz, Layers) { BreakEverywhere(AsMessage(Layers())); }
TEST(CaffeFuzz, LayersAsText) { BreakEverywhere(Layers()); }
TEST(CaffeFuzz, Detection) { BreakEverywhere(AsMessage(Detection())); }

TEST(CaffeFuzz, OldForms) {
  BreakEverywhere(
      AsMessage("input: 'x' input_dim: 1 input_dim: 1 input_dim: 2 input_dim: 2 "
                "layers { layer { name: 'p' type: 'padding' pad: 1 } bottom: 'x' top: 'p' } "
                "layers { layer { name: 'c' type: 'conv' num_output: 1 kernelsize: 1 biasterm: false blobs { "
                "num: 1 channels: 1 "
                "height: 1 width: 1 data: 3 } } bottom: 'p' top: 'c' } "
                "layers { name: 'r' type: RELU bottom: 'c' top: 'c' relu_param { negative_slope: 0.5 } }"));
}

}  // namespace
}  // namespace micrort
