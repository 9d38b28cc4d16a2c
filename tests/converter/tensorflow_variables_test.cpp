// Variables that a SavedModel reads and changes: constants, and states that the interpreter keeps.

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_checkpoint.h"
#include "tests/converter/tensorflow_graph.h"
#include "tests/tools/temporary_folder.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

const char kTwoFloats[] = "T { type: DT_FLOAT }";
const char kVariable[] = "dtype { type: DT_FLOAT }";

// A SavedModel in a folder of its own, whose variables are vectors.
class SavedModelFiles {
 public:
  SavedModelFiles(const std::string& graph, const std::map<std::string, Floats>& variables) : graph_(graph) {
    const std::string path = folder_.path() + "/variables";
    std::filesystem::create_directory(path);
    ::tensorflow::BundleHeaderProto header;
    header.set_num_shards(1);
    std::string index = TableEntry("", header.SerializeAsString());
    std::string data;
    for (const auto& [name, elements] : variables) {
      ::tensorflow::BundleEntryProto entry;
      entry.set_dtype(::tensorflow::DT_FLOAT);
      entry.mutable_shape()->add_dim()->set_size(static_cast<int64_t>(elements.size()));
      entry.set_offset(static_cast<int64_t>(data.size()));
      entry.set_size(static_cast<int64_t>(elements.size() * sizeof(float)));
      data.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float));
      index += TableEntry(name, entry.SerializeAsString());
    }
    std::ofstream(path + "/variables.index", std::ios::binary) << TableOf(TableEntries(index));
    std::ofstream(path + "/variables.data-00000-of-00001", std::ios::binary) << data;
  }

  // From input x to output y.
  Converted Convert() const {
    const std::string text =
        "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'serve' } graph_def { " + graph_ +
        " } signature_def { key: 'serving_default' value { inputs { key: 'x' value { name: 'x:0' dtype: "
        "DT_FLOAT tensor_shape { dim { size: 2 } } } } outputs { key: 'y' value { name: 'y:0' dtype: "
        "DT_FLOAT } } } } }";
    ::tensorflow::SavedModel saved;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &saved));
    const std::string path = folder_.path() + "/saved_model.pb";
    std::ofstream(path, std::ios::binary) << saved.SerializeAsString();
    return Converted::FromFile(path);
  }

 private:
  TemporaryFolder folder_;
  const std::string graph_;
};

std::string Handle(const std::string& name) {
  return TfNode(name, "VarHandleOp", {}, {"shared_name { s: '" + name + "' }", kVariable});
}

std::string RunOn(Converted* model, const Floats& x) { return model->Run({Array<float>({2}, x)}); }

TEST(TensorflowVariables, AreConstantsWhereNothingChangesThem) {
  const SavedModelFiles files(TfInput("x", {2}) + Handle("w") +
                                  TfNode("r", "ReadVariableOp", {"w"}, {kVariable}) +
                                  TfNode("y", "Mul", {"x", "r"}, {kTwoFloats}),
                              {{"w", {3, 5}}});
  Converted model = files.Convert();
  EXPECT_EQ(RunOn(&model, {1, 2}), "2: 3 10");
  EXPECT_EQ(RunOn(&model, {1, 2}), "2: 3 10");
}

// y = x + sum of all x before; control inputs say what is read before and after the change.
std::string RunningSum(const std::string& assign, bool reads_after) {
  return TfInput("x", {2}) + Handle("sum") + TfNode("before", "ReadVariableOp", {"sum"}, {kVariable}) +
         TfNode("added", "AddV2", {"before", "x"}, {kTwoFloats}) +
         TfNode("change", assign, {"sum", assign == "AssignVariableOp" ? "added" : "x", "^before"},
                {kVariable}) +
         TfNode("after", "ReadVariableOp", {"sum", "^change"}, {kVariable}) +
         TfNode("y", "Identity", {reads_after ? "after" : "before", "^change"}, {kTwoFloats});
}

TEST(TensorflowVariables, AreStatesWhereTheModelChangesThem) {
  for (const char* assign : {"AssignVariableOp", "AssignAddVariableOp"}) {
    for (const bool reads_after : {false, true}) {
      const SavedModelFiles files(RunningSum(assign, reads_after), {{"sum", {10, 20}}});
      Converted model = files.Convert();
      EXPECT_EQ(RunOn(&model, {1, 2}), reads_after ? "2: 11 22" : "2: 10 20") << assign;
      EXPECT_EQ(RunOn(&model, {3, 4}), reads_after ? "2: 14 26" : "2: 11 22") << assign;
    }
  }
}

TEST(TensorflowVariables, AFunctionChangesThemWithoutAnOutputThatNeedsIt) {
  std::string body = TfNode("before", "ReadVariableOp", {"v"}, {kVariable}) +
                     TfNode("change", "AssignSubVariableOp", {"v", "a", "^before"}, {kVariable});
  for (size_t at = body.find("node {"); at != std::string::npos; at = body.find("node {", at + 9))
    body.replace(at, 4, "node_def");
  const SavedModelFiles files(
      TfInput("x", {2}) + Handle("left") +
          TfNode("call", "StatefulPartitionedCall", {"x", "left"}, {"f { func { name: 'Take' } }"}) +
          TfNode("y", "Identity", {"call"}, {kTwoFloats}) +
          "library { function { signature { name: 'Take' input_arg { name: 'a' type: DT_FLOAT } input_arg { "
          "name: 'v' type: DT_RESOURCE } output_arg { name: 'out' type: DT_FLOAT } } " +
          body + " ret { key: 'out' value: 'before:value:0' } } }\n",
      {{"left", {10, 20}}});
  Converted model = files.Convert();
  EXPECT_EQ(RunOn(&model, {1, 2}), "2: 10 20");
  EXPECT_EQ(RunOn(&model, {1, 2}), "2: 9 18");
  EXPECT_EQ(RunOn(&model, {1, 2}), "2: 8 16");
}

TEST(TensorflowVariables, AnotherShapeIsRefused) {
  const SavedModelFiles files(
      TfInput("x", {2}) + Handle("v") + TfNode("r", "ReadVariableOp", {"v"}, {kVariable}) +
          TfIntegers("axis", {0}, true) + TfNode("longer", "ConcatV2", {"r", "x", "axis"}, {kTwoFloats}) +
          TfNode("change", "AssignVariableOp", {"v", "longer"}, {kVariable}) +
          TfNode("y", "Identity", {"longer", "^change"}, {kTwoFloats}),
      {{"v", {1, 1}}});
  const Converted model = files.Convert();
  EXPECT_EQ(model.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(model.status().message(), HasSubstr("variable 'v'"));
}

}  // namespace
}  // namespace micrort::testing
