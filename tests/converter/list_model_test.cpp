// What source models offer (--list), and signatures of TFLite models.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "tests/converter/onnx_builder.h"
#include "tests/converter/tensorflow_graph.h"
#include "tests/converter/tflite_builder.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ListedTensors(const char* role, const std::vector<frontend::OfferedTensor>& tensors) {
  std::string text;
  for (const frontend::OfferedTensor& tensor : tensors) {
    text += std::string(" ") + role + " " + tensor.name + " " + Name(tensor.dtype) +
            (tensor.has_shape ? " [" : " any");
    for (const int64_t dim : tensor.shape) text += std::to_string(dim) + ",";
    if (tensor.has_shape) text += "]";
  }
  return text;
}

// "signature (tags): in ... out ...", one an offer; or the error.
std::vector<std::string> Listed(const std::string& bytes) {
  std::vector<frontend::Offer> offers;
  const Status status =
      frontend::ListModel("model", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                          frontend::SourceFormat::kUnknown, {}, &offers);
  if (!status.ok()) return {status.message()};
  std::vector<std::string> texts;
  for (const frontend::Offer& offer : offers)
    texts.push_back(offer.signature + "(" + offer.tag_set + "):" + ListedTensors("in", offer.inputs) +
                    ListedTensors("out", offer.outputs));
  return texts;
}

// An archive says no shapes, and its inputs all the same.
TEST(ListModel, NamesInputsOfTorchscriptWithoutShapes) {
  const TorchArchive archive(
      "  def forward(self: __torch__.Net, image: Tensor, scale: Tensor) -> Tensor:\n    return image\n");
  EXPECT_THAT(Listed(archive.Bytes()), ElementsAre("(): in image unknown any in scale unknown any"));
}

// `double` gives 2 x, and `negative` -x.
TfliteBuilder TwoSignatures() {
  TfliteBuilder b;
  const auto add_signature = [&](const char* name, int subgraph, int x, int y) {
    auto signature = std::make_unique<fb::SignatureDefT>();
    signature->signature_key = name;
    signature->subgraph_index = static_cast<uint32_t>(subgraph);
    for (auto* list : {&signature->inputs, &signature->outputs}) {
      list->push_back(std::make_unique<fb::TensorMapT>());
      list->back()->name = list == &signature->inputs ? "number" : "result";
      list->back()->tensor_index = static_cast<uint32_t>(list == &signature->inputs ? x : y);
    }
    b.model.signature_defs.push_back(std::move(signature));
  };
  int x = b.Input("double_x:0", {-1, 2}), y = b.Tensor("Call:0", {1, 2});
  b.Op("ADD", {x, x}, {y});
  b.Output(y);
  add_signature("double", 0, x, y);
  const int second = b.AddSubgraph();
  x = b.Input("negative_x:0", {2}), y = b.Tensor("Call_1:0", {2});
  b.Op("NEG", {x}, {y});
  b.Output(y);
  add_signature("negative", second, x, y);
  b.BackToMain();
  return b;
}

TEST(ListModel, TfliteSignatures) {
  EXPECT_THAT(Listed(TwoSignatures().Bytes()),
              ElementsAre("double(): in number float32 [-1,2,] out result float32 [1,2,]",
                          "negative(): in number float32 [2,] out result float32 [2,]"));
}

TEST(ListModel, TfliteWithoutSignatures) {
  TfliteBuilder b = TwoSignatures();
  b.model.signature_defs.clear();
  EXPECT_THAT(Listed(b.Bytes()), ElementsAre("(): in double_x:0 float32 [-1,2,] out Call:0 float32 [1,2,]"));
}

TEST(ListModel, OnnxInputsWithoutInitializers) {
  OnnxBuilder b;
  b.Input("x", {"N", "3"}).Input("w", {"3"}).Floats("w", {3}, {1, 2, 3});
  b.Node("Add", {"x", "w"}, {"y"}).Output("y");
  EXPECT_THAT(Listed(b.Bytes()), ElementsAre("(): in x float32 [-1,3,] out y unknown any"));
}

TEST(ListModel, GraphOfTensorflow) {
  EXPECT_THAT(Listed(TfInput("x", {2, 3}) + TfNode("y", "Neg", {"x"}, {"T { type: DT_FLOAT }"})),
              ElementsAre("(): in x float32 [2,3,] out y float32 any"));
}

TEST(ListModel, EverySignatureOfEveryGraph) {
  ::tensorflow::SavedModel saved;
  for (const char* tag : {"serve", "train"}) {
    auto* graph = saved.add_meta_graphs();
    graph->mutable_meta_info_def()->add_tags(tag);
    auto* node = graph->mutable_graph_def()->add_node();
    node->set_name("x");
    node->set_op("Placeholder");
    auto& signature = (*graph->mutable_signature_def())["go"];
    auto& input = (*signature.mutable_inputs())["image"];
    input.set_name("x:0");
    input.set_dtype(::tensorflow::DT_UINT8);
    input.mutable_tensor_shape()->add_dim()->set_size(-1);
    (*signature.mutable_outputs())["same"] = input;
  }
  saved.set_saved_model_schema_version(1);
  EXPECT_THAT(Listed(saved.SerializeAsString()),
              ElementsAre("go(serve): in image uint8 [-1,] out same uint8 [-1,]",
                          "go(train): in image uint8 [-1,] out same uint8 [-1,]"));
}

TEST(ListModel, WhatCannotBeReadIsAnError) {
  EXPECT_THAT(Listed("text")[0], HasSubstr("this is a text of 4 bytes"));
}

TEST(TfliteSignature, NamesASubgraphItsInputsAndItsOutputs) {
  frontend::ImportOptions options;
  options.signature = "negative";
  ImportedTflite result = ImportTflite(TwoSignatures().Bytes(), options);
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  std::map<std::string, Floats> outputs;
  ASSERT_TRUE(Evaluate(result.graph(), {{"number", {1, -2}}}, &outputs).ok());
  EXPECT_EQ(outputs["result"], Floats({-1, 2}));
}

TEST(TfliteSignature, OthersAreRefusedWithWhatThereIs) {
  frontend::ImportOptions options;
  options.signature = "half";
  EXPECT_THAT(ImportTflite(TwoSignatures().Bytes(), options).status.message(),
              HasSubstr("no signature 'half'; there are: 'double', 'negative'"));
  TfliteBuilder b = TwoSignatures();
  b.model.signature_defs.clear();
  EXPECT_EQ(ImportTflite(b.Bytes(), options).status.code(), StatusCode::kInvalidArgument);
  options.signature = "";
  options.tag_set = "serve";
  EXPECT_THAT(ImportTflite(b.Bytes(), options).status.message(), HasSubstr("--tag-set"));
}

}  // namespace
}  // namespace micrort::testing
