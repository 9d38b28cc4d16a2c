// Caffe networks and their weights that are no networks, or none that Caffe reads.

#include "converter/frontend/caffe/model_reader.h"
#include "tests/converter/caffe_net.h"
#include "tests/refusal.h"

namespace micrort::testing::caffe_refused_files {
namespace {

Status Net(const std::string& text) { return ImportNet(text).status; }

// Of a network before 2014.
std::string OldestLayer(const std::string& type, const std::string& bottom, const std::string& top) {
  return "layers { layer { name: 'l' type: '" + type + "' } bottom: '" + bottom + "' top: '" + top + "' }\n";
}

const Refusal kFiles[] = {
    {"NamesThatAreNoText", MICRORT_STATUS(Net(InputText("x\\001", {1}) + LayerText("ReLU", {"x\\001"}, ""))),
     "a name in the network, 'x?', has the control character U+0001"},
    {"MoreThanAMessageHolds",
     [] {
       static const uint8_t kBytes[] = "layer layer";  // more is not read
       frontend::caffe::CaffeNet net;
       return frontend::caffe::ReadNet({kBytes, size_t{1} << 31}, &net);
     },
     "2147483648 bytes, but a protobuf message has at most 2 GiB"},
    {"AMessageThatIsCutShort", MICRORT_STATUS(Net("\x0a\x7fnet")),
     "not a Caffe network, cut short, or of a fork: protobuf cannot parse its 5 bytes"},
    {"NoLayers", MICRORT_STATUS(Net("name: 'net'\n")), "the network has no layers"},
    {"NoOutputs", MICRORT_STATUS(Net(InputText("x", {1}) + "layer { type: 'Silence' bottom: 'x' }")),
     "no layer computes an output"},
    {"InputsWithMoreShapes",
     MICRORT_STATUS(Net(
         "layer { name: 'data' type: 'Input' top: 'x' input_param { shape { dim: 1 } shape { dim: 2 } } }" +
         LayerText("ReLU", {"x"}, ""))),
     "layer 'data': 1 tops with 2 shapes"},
    {"AnOldLayerOfAnUnknownType", MICRORT_STATUS(Net(OldestLayer("none", "x", "y"))),
     "layer 'l' is of type 'none', which Caffe never had"},
    {"PaddingOfNoWindow",
     MICRORT_STATUS(Net("input: 'x' input_dim: 1 input_dim: 1 input_dim: 4 input_dim: 4\n" +
                        OldestLayer("padding", "x", "padded") + OldestLayer("relu", "padded", "y"))),
     "layer 'l' reads the padding 'padded', which only convolution and pooling do"},
    {"AFileWithoutWeights",
     [] {
       const std::string file = "\x0a\x03net";  // its name
       frontend::ImportOptions options;
       options.weights =
           frontend::WeightsFile{"w", {reinterpret_cast<const uint8_t*>(file.data()), file.size()}};
       return ImportNet(InputText("x", {1}) + LayerText("ReLU", {"x"}, ""), options).status;
     },
     "w: the file holds no layer with weights"},
};

MICRORT_EXPECT_REFUSALS(CaffeRefusedFiles, kFiles);

}  // namespace
}  // namespace micrort::testing::caffe_refused_files
