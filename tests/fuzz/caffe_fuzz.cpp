// Caffe networks, as messages.

#include <google/protobuf/text_format.h>

#include "converter/frontend/caffe/caffe.pb.h"
#include "tests/converter/caffe_net.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/protobuf_mutator.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

using testing::BlobText;
using testing::CaffeValues;
using testing::InputText;
using testing::LayerText;

std::string AsMessage(const std::string& text) {
  ::caffe::NetParameter net;
  ::google::protobuf::TextFormat::ParseFromString(text, &net);
  return net.SerializeAsString();
}

std::string Layers() {
  return InputText("x", {1, 2, 6, 6}) +
         "layer { name: 'c' type: 'Convolution' bottom: 'x' top: 'c' convolution_param { num_output: 4 "
         "kernel_size: 3 "
         "pad: 1 dilation: 1 group: 2 } " +
         BlobText({4, 1, 3, 3}, CaffeValues(36)) + BlobText({4}, CaffeValues(4)) +
         "} layer { name: 'r' type: 'ReLU' bottom: 'c' top: 'c' relu_param { negative_slope: 0.1 } } "
         "layer { name: 'p' type: 'Pooling' bottom: 'c' top: 'p' pooling_param { kernel_size: 3 stride: 2 } "
         "} "
         "layer { name: 's' type: 'Slice' bottom: 'p' top: 'a' top: 'b' slice_param { axis: 1 slice_point: 1 "
         "} } "
         "layer { name: 'k' type: 'Concat' bottom: 'b' bottom: 'a' top: 'k' concat_param { axis: 1 } } "
         "layer { name: 'e' type: 'Eltwise' bottom: 'k' bottom: 'p' top: 'e' eltwise_param { operation: SUM "
         "coeff: 1 "
         "coeff: -2 } } "
         "layer { name: 'n' type: 'LRN' bottom: 'e' top: 'n' lrn_param { local_size: 3 } } "
         "layer { name: 'd' type: 'Reshape' bottom: 'n' top: 'd' reshape_param { shape { dim: 0 dim: -1 } } "
         "} "
         "layer { name: 'i' type: 'InnerProduct' bottom: 'd' top: 'i' inner_product_param { num_output: 2 "
         "bias_term: "
         "false } " +
         BlobText({2, 36}, CaffeValues(72)) + "} layer { name: 'm' type: 'Softmax' bottom: 'i' top: 'm' }";
}

std::string Detection() {
  return InputText("l", {1, 8}) + InputText("c", {1, 4}) + InputText("f", {1, 1, 1, 1}) +
         "layer { name: 'p' type: 'PriorBox' bottom: 'f' bottom: 'f' top: 'p' prior_box_param { min_size: 2 "
         "max_size: 3 "
         "} } " +
         LayerText("DetectionOutput", {"l", "c", "p"},
                   "detection_output_param { num_classes: 2 keep_top_k: 1 nms_param { top_k: 2 } }");
}

std::string Sequences() {
  return InputText("x", {2, 1, 3}) + InputText("c", {2, 1}) +
         LayerText("LSTM", {"x", "c"},
                   "recurrent_param { num_output: 2 } " + BlobText({8, 3}, CaffeValues(24)) +
                       BlobText({8}, CaffeValues(8)) + BlobText({8, 2}, CaffeValues(16)));
}

// With the names and fields of before.
std::string OldForms() {
  return "input: 'x' input_dim: 1 input_dim: 1 input_dim: 2 input_dim: 2 "
         "layers { layer { name: 'p' type: 'padding' pad: 1 } bottom: 'x' top: 'p' } "
         "layers { layer { name: 'c' type: 'conv' num_output: 1 kernelsize: 1 biasterm: false blobs { num: 1 "
         "channels: "
         "1 height: 1 width: 1 data: 3 } } bottom: 'p' top: 'c' } "
         "layers { name: 'r' type: RELU bottom: 'c' top: 'c' relu_param { negative_slope: 0.5 } }";
}

std::string Resizing() {
  return InputText("x", {1, 4, 3, 3}) +
         "layer { name: 'd' type: 'Deconvolution' bottom: 'x' top: 'd' convolution_param { num_output: 2 "
         "kernel_size: 2 "
         "stride: 2 bias_term: false } " +
         BlobText({4, 2, 2, 2}, CaffeValues(32)) +
         "} layer { name: 'c' type: 'Crop' bottom: 'd' bottom: 'x' top: 'c' crop_param { axis: 2 offset: 1 } "
         "} "
         "layer { name: 'b' type: 'BatchNorm' bottom: 'c' top: 'b' " +
         BlobText({2}, {1, 2}) + BlobText({2}, {1, 2}) + BlobText({1}, {1}) +
         "} layer { name: 's' type: 'Scale' bottom: 'b' top: 's' scale_param { bias_term: true } " +
         BlobText({2}, {1, 2}) + BlobText({2}, {0, 1}) + "}";
}

Status Run(const std::string& bytes) {
  return ConvertAndRun(bytes, OptionsFor(frontend::SourceFormat::kCaffe));
}

}  // namespace

std::vector<std::string> CaffeSeeds() {
  std::vector<std::string> seeds;
  for (const std::string& text : {Layers(), Detection(), Sequences(), OldForms(), Resizing()})
    seeds.push_back(AsMessage(text));
  return seeds;
}

const Harness kCaffe = {"caffe", Run, MutateMessageBytes<::caffe::NetParameter>};

}  // namespace micrort::fuzz
