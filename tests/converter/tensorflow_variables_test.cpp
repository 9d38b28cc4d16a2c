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

// A SavedModel in a folder of its own, whose variables are vectors, in shards by turns. `objects`: names of
// variables, each with its key, in the order of the objects that have them.
class SavedModelFiles {
 public:
  SavedModelFiles(const std::string& graph, const std::map<std::string, Floats>& variables,
                  const std::vector<std::pair<std::string, std::string>>& objects = {}, int shards = 1)
      : graph_(graph), shards_(shards) {
    std::filesystem::create_directory(folder_.path() + "/variables");
    ::tensorflow::BundleHeaderProto header;
    header.set_num_shards(shards);
    std::string index = TableEntry("", header.SerializeAsString());
    std::vector<std::string> all_data(static_cast<size_t>(shards));
    if (!objects.empty())
      index += TableEntry("_CHECKPOINTABLE_OBJECT_GRAPH", ObjectEntry(objects, &all_data[0]));
    int shard = 0;
    for (const auto& [name, elements] : variables) {
      std::string& data = all_data[static_cast<size_t>(shard)];
      ::tensorflow::BundleEntryProto entry;
      entry.set_dtype(::tensorflow::DT_FLOAT);
      entry.set_shard_id(shard);
      entry.mutable_shape()->add_dim()->set_size(static_cast<int64_t>(elements.size()));
      entry.set_offset(static_cast<int64_t>(data.size()));
      entry.set_size(static_cast<int64_t>(elements.size() * sizeof(float)));
      const std::string bytes(reinterpret_cast<const char*>(elements.data()),
                              elements.size() * sizeof(float));
      entry.set_crc32c(MaskedChecksum(bytes));
      data += bytes;
      index += TableEntry(name, entry.SerializeAsString());
      shard = (shard + 1) % shards;
    }
    std::ofstream(folder_.path() + "/variables/variables.index", std::ios::binary)
        << TableOf(TableEntries(index));
    for (int i = 0; i < shards; ++i)
      std::ofstream(ShardPath(i), std::ios::binary) << all_data[static_cast<size_t>(i)];
  }

  std::string ShardPath(int shard) const {
    return folder_.path() + "/variables/variables.data-0000" + std::to_string(shard) + "-of-0000" +
           std::to_string(shards_);
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
  // One string, as checkpoints store it.
  static std::string ObjectEntry(const std::vector<std::pair<std::string, std::string>>& objects,
                                 std::string* data) {
    ::tensorflow::TrackableObjectGraph graph;
    for (const auto& [name, key] : objects) {
      auto* attribute = graph.add_nodes()->add_attributes();
      attribute->set_full_name(name);
      attribute->set_checkpoint_key(key);
    }
    const std::string text = graph.SerializeAsString();
    std::string length, checked;
    AppendVarint(text.size(), &length);
    AppendLittle(text.size(), 4, &checked);
    const uint32_t of_lengths = MaskedChecksum(checked);
    AppendLittle(of_lengths, 4, &length);
    AppendLittle(of_lengths, 4, &checked);
    ::tensorflow::BundleEntryProto entry;
    entry.set_dtype(::tensorflow::DT_STRING);
    entry.set_size(static_cast<int64_t>(length.size() + text.size()));
    entry.set_crc32c(MaskedChecksum(checked + text));
    *data += length + text;
    return entry.SerializeAsString();
  }

  TemporaryFolder folder_;
  const std::string graph_;
  const int shards_;
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

// A handle, and what it holds.
std::string Reading(const std::string& node, const std::string& shared_name) {
  return TfNode(node, "VarHandleOp", {}, {"shared_name { s: '" + shared_name + "' }", kVariable}) +
         TfNode("r" + node, "ReadVariableOp", {node}, {kVariable});
}

// Keras calls both states of an LSTM "lstm/Variable"; the objects' order tells them apart, and so do the
// names of nodes.
TEST(TensorflowVariables, OfOneNameAreToldApart) {
  const std::map<std::string, Floats> values = {{"b/0", {1, 2}}, {"a/1", {30, 40}}, {"c", {500, 600}}};
  const std::vector<std::pair<std::string, std::string>> objects = {{"v", "b/0"}, {"w", "c"}, {"v", "a/1"}};
  const auto run = [&](const std::string& graph) {
    Converted model = SavedModelFiles(TfInput("x", {2}) + graph, values, objects).Convert();
    return model.status().ok() ? RunOn(&model, {0, 0}) : std::string(model.status().message());
  };
  const std::string first = TfNode("y", "AddV2", {"x", "rv"}, {kTwoFloats});
  EXPECT_EQ(run(Reading("v", "v") + Reading("w", "w") + Reading("v_1", "v") + first), "2: 1 2");
  EXPECT_EQ(run(Reading("v", "v") + Reading("w", "w") + Reading("v_1", "v") +
                TfNode("y", "AddV2", {"x", "rv_1"}, {kTwoFloats})),
            "2: 30 40");
  EXPECT_EQ(run(Reading("v", "v") + first), "2: 1 2");
  EXPECT_EQ(run(Reading("v_1", "v") + TfNode("y", "AddV2", {"x", "rv_1"}, {kTwoFloats})), "2: 30 40");
  EXPECT_EQ(run(Reading("w", "w") + TfNode("y", "AddV2", {"x", "rw"}, {kTwoFloats})), "2: 500 600");
  EXPECT_THAT(run(Reading("other", "v") + TfNode("y", "AddV2", {"x", "rother"}, {kTwoFloats})),
              HasSubstr("variable 'v': 2 variables of the checkpoint have this name"));
}

// The square of their number would take a minute.
TEST(TensorflowVariables, OfManyNamesAreToldApart) {
  constexpr int kNames = 40000;
  std::string graph =
      TfInput("x", {2}) + Reading("v0", "v0") + TfNode("y", "AddV2", {"x", "rv0"}, {kTwoFloats});
  std::vector<std::pair<std::string, std::string>> objects;
  for (int i = 0; i < kNames; ++i) {
    const std::string name = "v" + std::to_string(i);
    if (i != 0) graph += Handle(name);
    objects.insert(objects.end(), {{name, "k" + std::to_string(i)}, {name, "other"}});
  }
  Converted model = SavedModelFiles(graph, {{"k0", {1, 2}}, {"other", {3, 4}}}, objects).Convert();
  EXPECT_EQ(RunOn(&model, {0, 0}), "2: 1 2");
}

// Objects of one name in an order that the shapes contradict are no guess.
TEST(TensorflowVariables, AreOfTheTypeAndShapeThatTheGraphDeclares) {
  const auto run = [](const std::string& dtype, const std::string& shape) {
    const SavedModelFiles files(TfInput("x", {2}) +
                                    TfNode("w", "VarHandleOp", {},
                                           {"shared_name { s: 'w' }", "dtype { type: " + dtype + " }",
                                            "shape { shape {" + shape + "} }"}) +
                                    TfNode("r", "ReadVariableOp", {"w"}, {"dtype { type: " + dtype + " }"}) +
                                    TfNode("y", "Mul", {"x", "r"}, {kTwoFloats}),
                                {{"w", {3, 5}}});
    Converted model = files.Convert();
    return model.status().ok() ? RunOn(&model, {1, 2}) : std::string(model.status().message());
  };
  EXPECT_EQ(run("DT_FLOAT", "dim { size: 2 }"), "2: 3 10");
  EXPECT_EQ(run("DT_FLOAT", "dim { size: -1 }"), "2: 3 10");
  EXPECT_EQ(run("DT_FLOAT", "unknown_rank: true"), "2: 3 10");
  EXPECT_THAT(run("DT_FLOAT", "dim { size: 1 } dim { size: 2 }"),
              HasSubstr("variable 'w': the graph declares DT_FLOAT of shape [1,2], the checkpoint has "
                        "DT_FLOAT of shape [2]"));
  EXPECT_THAT(run("DT_FLOAT", "dim { size: 3 }"), HasSubstr("the graph declares DT_FLOAT of shape [3], "));
  EXPECT_THAT(
      run("DT_INT32", "dim { size: 2 }"),
      HasSubstr("the graph declares DT_INT32 of shape [2], the checkpoint has DT_FLOAT of shape [2]"));
}

TEST(TensorflowVariables, LieInAnyShard) {
  const std::string graph = TfInput("x", {2}) + Reading("a", "a") + Reading("b", "b") + Reading("c", "c") +
                            TfNode("ab", "AddV2", {"ra", "rb"}, {kTwoFloats}) +
                            TfNode("abc", "Mul", {"ab", "rc"}, {kTwoFloats}) +
                            TfNode("y", "AddV2", {"x", "abc"}, {kTwoFloats});
  const std::map<std::string, Floats> values = {{"a", {1, 2}}, {"b", {30, 40}}, {"c", {2, 3}}};
  const SavedModelFiles files(graph, values, {{"a", "a"}}, 2);
  Converted model = files.Convert();
  EXPECT_EQ(RunOn(&model, {0, 1}), "2: 62 127");
  std::filesystem::remove(files.ShardPath(1));
  EXPECT_THAT(files.Convert().status().message(), HasSubstr("variables.data-00001-of-00002"));
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

// Variables that tfcompile's configuration lists are inputs, also those that the graph changes.
TEST(TensorflowVariables, OfAConfigurationAreInputs) {
  const TemporaryFolder folder;
  frontend::ImportOptions options;
  options.config = folder.File("config.pbtxt");
  for (const std::string name : {"", "weights"}) {
    std::ofstream(options.config) << "feed { id { node_name: 'x' } shape { dim { size: 2 } } }\n"
                                     "fetch { id { node_name: 'y' } }\n"
                                     "variable { node_name: 'w' shape { dim { size: 2 } } type: DT_FLOAT"
                                  << (name.empty() ? "" : " name: '" + name + "'") << " }\n";
    const std::string input = name.empty() ? "w" : name;
    const std::string read = TfInput("x", {2}) + Handle("w");
    EXPECT_EQ(RunTf(read + TfNode("r", "ReadVariableOp", {"w"}, {kVariable}) +
                        TfNode("y", "Mul", {"x", "r"}, {kTwoFloats}),
                    {{"x", {2, 3}}, {input, {5, 7}}}, options)["y"],
              Floats({10, 21}));
    EXPECT_EQ(RunTf(read + TfNode("add", "AssignAddVariableOp", {"w", "x"}, {kVariable}) +
                        TfNode("r", "ReadVariableOp", {"w", "^add"}, {kVariable}) +
                        TfNode("y", "Mul", {"x", "r"}, {kTwoFloats}),
                    {{"x", {2, 3}}, {input, {5, 7}}}, options)["y"],
              Floats({14, 30}));
  }
}

}  // namespace
}  // namespace micrort::testing
