// TensorFlow graphs, as messages.

#include <google/protobuf/text_format.h>

#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "tests/converter/tensorflow_graph.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/protobuf_mutator.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

using testing::TfFloats;
using testing::TfInput;
using testing::TfIntegers;
using testing::TfNode;

const char kVersion[] = "versions { producer: 1395 }\n";
const char kFloat[] = "T { type: DT_FLOAT }";

std::string AsMessage(const std::string& text) {
  ::tensorflow::GraphDef graph;
  ::google::protobuf::TextFormat::ParseFromString(text + kVersion, &graph);
  return graph.SerializeAsString();
}

std::string Layers() {
  return TfInput("x", {1, 4, 4, 2}) + TfFloats("w", {1, 1, 2, 1}, {1, 2}) + TfIntegers("b", {0, 1, 0, 0}) +
         TfIntegers("e", {1, 3, 4, 1}) + TfIntegers("s", {1, 1, 2, 1}) +
         TfNode("conv", "Conv2D", {"x", "w"},
                {kFloat, "padding { s: 'SAME' }", "strides { list { i: 1 i: 1 i: 1 i: 1 } }"}) +
         TfNode("part", "StridedSlice", {"conv", "b", "e", "s"}, {kFloat, "shrink_axis_mask { i: 1 }"}) +
         TfNode("y", "Relu", {"part"}, {kFloat});
}

std::string ChannelsFirst() {
  const char* const format = "data_format { s: 'NCHW' }";
  return TfInput("x", {1, 2, 4, 4}) + TfFloats("w", {1, 1, 2, 1}, {1, 2}) +
         TfNode("conv", "Conv2D", {"x", "w"},
                {kFloat, format, "padding { s: 'VALID' }", "strides { list { i: 1 i: 1 i: 1 i: 1 } }"}) +
         TfNode("depthwise", "DepthwiseConv2dNative", {"x", "w"},
                {kFloat, format, "padding { s: 'VALID' }", "strides { list { i: 1 i: 1 i: 1 i: 1 } }"}) +
         TfNode("y", "AddV2", {"conv", "depthwise"}, {kFloat});
}

std::string Products() {
  return TfInput("a", {2, 3}) + TfInput("b", {3, 2}) + TfNode("p", "MatMul", {"a", "b"}, {kFloat}) +
         TfFloats("c", {2}, {1, 2}) + TfNode("y", "BiasAdd", {"p", "c"}, {kFloat});
}

std::string Moves() {
  return TfInput("x", {2, 3, 4}) + TfIntegers("order", {1, 0, 2}) + TfIntegers("shape", {3, -1}) +
         TfNode("t", "Transpose", {"x", "order"}, {kFloat, "Tperm { type: DT_INT32 }"}) +
         TfNode("r", "Reshape", {"t", "shape"}, {kFloat}) + TfIntegers("axis", {1}, true) +
         TfNode("y", "ConcatV2", {"r", "r", "axis"}, {kFloat, "N { i: 2 }"});
}

Status Run(const std::string& bytes) {
  return ConvertAndRun(bytes, OptionsFor(frontend::SourceFormat::kTensorflow));
}

}  // namespace

std::vector<std::string> GraphDefSeeds() {
  return {AsMessage(Layers()), AsMessage(ChannelsFirst()), AsMessage(Products()), AsMessage(Moves())};
}

const Harness kGraphDef = {"graphdef", Run, MutateMessageBytes<::tensorflow::GraphDef>};

}  // namespace micrort::fuzz
