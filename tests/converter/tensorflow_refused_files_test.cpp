// Files of TensorFlow that are refused: SavedModels and their signatures, texts, tfcompile's configurations.

#include <google/protobuf/text_format.h>

#include <climits>
#include <fstream>

#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "converter/frontend/tensorflow/text_message.h"
#include "tests/converter/tensorflow_graph.h"
#include "tests/refusal.h"
#include "tests/tools/temporary_folder.h"

namespace micrort::testing::tensorflow_refused_files {
namespace {

using frontend::ImportOptions;

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kInvalidArgument = StatusCode::kInvalidArgument;

std::string Graph() {
  return TfInput("x", {2}) + TfNode("y", "Neg", {"x"}, {"T { type: DT_FLOAT }"}) +
         "versions { producer: 1395 }\n";
}

std::string SavedModel(const std::string& signatures, const std::string& graph = Graph()) {
  ::tensorflow::SavedModel saved;
  const bool is_text = google::protobuf::TextFormat::ParseFromString(
      "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'serve' } graph_def { " + graph +
          " } " + signatures + " }",
      &saved);
  EXPECT_TRUE(is_text);
  return saved.SerializeAsString();
}

std::string Signature(const std::string& inputs, const std::string& outputs) {
  std::string value;
  if (!inputs.empty()) value += "inputs { key: 'x' value { " + inputs + " } } ";
  if (!outputs.empty()) value += "outputs { key: 'y' value { " + outputs + " } } ";
  return "signature_def { key: 'serving_default' value { " + value + "} } ";
}

Status SignatureOf(const std::string& inputs, const std::string& outputs) {
  return ImportTf(SavedModel(Signature(inputs, outputs))).status;
}

Status WithOptions(ImportOptions options, const std::string& bytes = Graph()) {
  return ImportTf(bytes, options).status;
}

Status Configured(const std::string& config) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.config = folder.File("config");
  std::ofstream(options.config, std::ios::binary) << config;
  return WithOptions(options);
}

const Refusal kFiles[] = {
    {"SavedModelWithANameThatIsNoText",
     [] {
       std::string bytes = SavedModel(Signature("name: 'x:0'", "name: 'y:0'"), TfInput("?", {2}) + Graph());
       bytes[bytes.find('?')] = '\xff';
       return ImportTf(bytes).status;
     },
     "the SavedModel is broken or cut off"},
    {"SignatureOfAGraph",
     [] {
       ImportOptions options;
       options.signature = "serving_default";
       return WithOptions(options);
     },
     "--signature and --tag-set: a GraphDef has neither", kInvalidArgument},
    {"TagsOfAGraph",
     [] {
       ImportOptions options;
       options.tag_set = "serve";
       return WithOptions(options);
     },
     "--signature and --tag-set: a GraphDef has neither", kInvalidArgument},
    {"NoNodes", MICRORT_STATUS(ImportTf("versions { producer: 1395 }").status), "the graph has no nodes"},
    {"NoSignature", MICRORT_STATUS(ImportTf(SavedModel("")).status), "the SavedModel has no signature",
     kUnsupported},
    {"OnlyTheSignatureThatRestoresVariables",
     MICRORT_STATUS(ImportTf(SavedModel("signature_def { key: '__saved_model_init_op' value { } }")).status),
     "the SavedModel has no signature", kUnsupported},
    {"AnotherSignature",
     [] {
       ImportOptions options;
       options.signature = "other";
       return WithOptions(options, SavedModel(Signature("name: 'x:0'", "name: 'y:0'")));
     },
     "--signature: no signature 'other'; there are: 'serving_default'", kInvalidArgument},
    {"OtherTags",
     [] {
       ImportOptions options;
       options.tag_set = "serve,gpu";
       return WithOptions(options, SavedModel(Signature("name: 'x:0'", "name: 'y:0'")));
     },
     "--tag-set: no graph with the tags 'gpu,serve'; there are: 'serve'", kInvalidArgument},
    {"SparseInput", MICRORT_STATUS(SignatureOf("dtype: DT_FLOAT", "name: 'y:0'")),
     "'x' of the signature is no dense tensor", kUnsupported},
    {"SparseOutput", MICRORT_STATUS(SignatureOf("name: 'x:0'", "dtype: DT_FLOAT")),
     "'y' of the signature is no dense tensor", kUnsupported},
    {"NoOutputs", MICRORT_STATUS(SignatureOf("name: 'x:0'", "")),
     "signature 'serving_default' has no outputs"},
    {"InputThatTheGraphHasNot", MICRORT_STATUS(SignatureOf("name: 'nowhere:0'", "name: 'y:0'")),
     "input 'x': the graph has no node 'nowhere'"},
    {"InputThatNamesNoTensor", MICRORT_STATUS(SignatureOf("name: 'x:first'", "name: 'y:0'")),
     "'x:first' names no tensor"},
    {"OutputOfNoNode", MICRORT_STATUS(SignatureOf("name: 'x:0'", "name: ':0'")), "':0' names no tensor"},
    {"BrokenText", MICRORT_STATUS(ImportTf("node { name: 5 }").status), "line 1, column 14: Expected string"},
    {"TextOfMoreThanTwoGigabytes",
     [] {  // none of which is read
       ::tensorflow::GraphDef graph;
       return frontend::tensorflow::ParseText({nullptr, size_t{INT_MAX} + 1}, &graph);
     },
     "a text of more than 2 GiB", kUnsupported, true},
    {"BrokenConfiguration", MICRORT_STATUS(Configured("\xff")),
     "config: expected a tf2xla.Config, as text or binary", kInvalidArgument},
    {"BrokenTextOfAConfiguration", MICRORT_STATUS(Configured("fetch { id {")), "config: line 1, column 13"},
    {"ConfigurationWithoutFetches", MICRORT_STATUS(Configured("feed { id { node_name: 'x' } }")),
     "config: it fetches nothing", kInvalidArgument},
    {"ConfigurationThatFeedsNoNode",
     MICRORT_STATUS(Configured("feed { id { node_name: 'z' } } fetch { id { node_name: 'y' } }")),
     "input 'z': the graph has no node 'z'"},
};

MICRORT_EXPECT_REFUSALS(TensorflowRefusedFiles, kFiles);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_files
