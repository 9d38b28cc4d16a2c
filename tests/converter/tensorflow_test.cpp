// TensorFlow graphs: ports, functions, variables, operators against values worked out by hand.

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "converter/ir/budget.h"
#include "tests/converter/tensorflow_graph.h"

namespace micrort::testing {
namespace {

using frontend::ImportOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char kVersion[] = "versions { producer: 1395 }\n";
const char kFloat[] = "T { type: DT_FLOAT }";

std::string Matmul() {
  return TfInput("x_hold", {2, 3}) + TfInput("y_hold", {3, 2}) +
         TfNode("x_y_prod", "MatMul", {"x_hold", "y_hold"}, {kFloat}) + kVersion;
}

TEST(TensorflowGraph, TextAndBinaryAreToldFromTheContentAndGiveTheSame) {
  const std::string text = Matmul();
  ::tensorflow::GraphDef graph;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &graph));
  for (const std::string& bytes : {text, graph.SerializeAsString()}) {
    frontend::SourceFormat format;
    ASSERT_TRUE(
        frontend::DetectFormat({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &format).ok());
    EXPECT_EQ(format, frontend::SourceFormat::kTensorflow);
    auto outputs = RunTf(bytes, {{"x_hold", {1, 2, 3, 4, 5, 6}}, {"y_hold", {7, 8, 9, 10, 11, 12}}});
    EXPECT_THAT(outputs["x_y_prod"], ElementsAre(58, 64, 139, 154));
  }
}

TEST(TensorflowGraph, CutShortAnywhereIsRefused) {
  ::tensorflow::GraphDef graph;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(Matmul(), &graph));
  const std::string bytes = graph.SerializeAsString();
  for (size_t n = 1; n < bytes.size(); n += 5) {
    EXPECT_FALSE(ImportTf(bytes.substr(0, n)).status.ok()) << n;
  }
}

TEST(TensorflowGraph, FewElementsMayNotStandForMoreThanTheLimitOfATensor) {
  const std::string text = TfFloats("c", {1024, 1024}, {1}) + TfInput("x", {1}) +
                           TfNode("y", "Add", {"x", "c"}, {kFloat}) + kVersion;
  EXPECT_TRUE(ImportTf(text).status.ok());
  ModelLimits limits;
  limits.max_tensor_bytes = uint64_t{1} << 20;
  const ir::ConversionBudget budget(limits);
  const Status status = ImportTf(text).status;
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("a constant of 4194304 bytes that is given by 1 elements; at most "
                                          "1048576 bytes may be (256 MiB, or less by --max-memory)"));
}

// Whatever is changed, the import ends with a status; under the sanitizers, without reading outside.
TEST(TensorflowGraph, AnyByteOfAModelMayBeWrong) {
  const std::string text =
      TfInput("x", {1, 4, 4, 2}) + TfFloats("w", {1, 1, 2, 1}, {1, 2}) + TfIntegers("b", {0, 1, 0, 0}) +
      TfIntegers("e", {1, 3, 4, 1}) + TfIntegers("s", {1, 1, 2, 1}) +
      TfNode("conv", "Conv2D", {"x", "w"},
             {kFloat, "padding { s: 'SAME' }", "strides { list { i: 1 i: 1 i: 1 i: 1 } }"}) +
      TfNode("part", "StridedSlice", {"conv", "b", "e", "s"}, {kFloat, "shrink_axis_mask { i: 1 }"}) +
      TfNode("y", "Relu", {"part"}, {kFloat}) + kVersion;
  ::tensorflow::GraphDef graph;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &graph));
  const std::string bytes = graph.SerializeAsString();
  ASSERT_TRUE(ImportTf(bytes).status.ok());
  size_t refused = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x04, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      refused += ImportTf(changed).status.ok() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, bytes.size());
}

TEST(TensorflowGraph, OnlyWhatOutputsNeedIsLookedAt) {
  const std::string text = Matmul() + TfNode("strange", "NoSuchOperator", {"x_hold"});
  ImportOptions options;
  options.outputs = {"x_y_prod"};
  EXPECT_TRUE(ImportTf(text, options).status.ok());
  const ImportedTf all = ImportTf(text);
  EXPECT_EQ(all.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(all.diagnostics.unsupported.size(), 1u);
  EXPECT_EQ(all.diagnostics.unsupported[0].op, "NoSuchOperator");
}

TEST(TensorflowGraph, FeedsTakeThePlaceOfWhatComputesThem) {
  const std::string text = TfInput("a", {2}) + TfNode("b", "NoSuchOperator", {"a"}, {kFloat}) +
                           TfNode("y", "Neg", {"b"}, {kFloat}) + kVersion;
  ImportOptions options;
  options.feeds = {"b"};
  options.input_shapes = {{"b", {2}}};
  auto outputs = RunTf(text, {{"b", {1, -2}}}, options);
  EXPECT_THAT(outputs["y"], ElementsAre(-1, 2));
}

TEST(TensorflowGraph, FedNodesHaveTheTypeOfTheirResult) {
  const std::string text =
      TfInput("a", {2}) + TfNode("c", "Cast", {"a"}, {"SrcT { type: DT_FLOAT }", "DstT { type: DT_INT32 }"}) +
      TfNode("p", "DecodePng", {"a"}) + TfNode("y", "Neg", {"c"}, {"T { type: DT_INT32 }"}) +
      TfNode("z", "Cast", {"p"}, {"SrcT { type: DT_UINT8 }", "DstT { type: DT_FLOAT }"}) + kVersion;
  ImportOptions options;
  options.feeds = {"c", "p"};
  options.outputs = {"y", "z"};
  options.input_shapes = {{"c", {2}}, {"p", {4, 4, 3}}};
  ImportedTf imported = ImportTf(text, options);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  const ir::Graph& graph = imported.module.entry();
  EXPECT_EQ(graph.value(graph.inputs[0]).dtype, DType::kInt32);
  EXPECT_EQ(graph.value(graph.inputs[1]).dtype, DType::kUInt8);
  EXPECT_THAT(graph.value(graph.inputs[1]).shape, ElementsAre(4, 4, 3));
}

TEST(TensorflowGraph, ImagesOfASizeThatIsAnInputKeepTheirChannels) {
  const std::string size =
      TfNode("s", "Placeholder", {}, {"dtype { type: DT_INT32 }", "shape { shape { dim { size: 2 } } }"});
  for (const char* resize : {"ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic"}) {
    const std::string text =
        TfInput("x", {1, 4, 4, 2}) + size + TfNode("r", resize, {"x", "s"}, {kFloat}) +
        TfFloats("w", {1, 1, 2, 1}, {1, 1}) +
        TfNode("y", "Conv2D", {"r", "w"},
               {kFloat, "strides { list { i: 1 i: 1 i: 1 i: 1 } }", "padding { s: 'VALID' }"}) +
        kVersion;
    ImportedTf imported = ImportTf(text);
    ASSERT_TRUE(imported.status.ok()) << resize << ": " << imported.status.message();
    const ir::Graph& graph = imported.module.entry();
    EXPECT_THAT(graph.value(graph.outputs[0]).shape, ElementsAre(1, -1, -1, 1));
  }
}

TEST(TensorflowGraph, FetchedFeedsSayTheirOtherName) {
  ImportOptions options;
  options.outputs = {"x_hold"};
  const ImportedTf imported = ImportTf(Matmul(), options);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  EXPECT_THAT(imported.diagnostics.warnings, ElementsAre(HasSubstr("output 'x_hold' is called 'x_hold_1'")));
}

TEST(TensorflowGraph, MisspelledFetchesAreAnError) {
  ImportOptions options;
  options.outputs = {"x_y_product"};
  const ImportedTf imported = ImportTf(Matmul(), options);
  EXPECT_EQ(imported.status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(imported.status.message(), HasSubstr("x_y_product"));
}

TEST(TensorflowGraph, ACycleAndAMissingNodeAreBroken) {
  const std::string cycle = TfNode("a", "Neg", {"b"}, {kFloat}) + TfNode("b", "Neg", {"a"}, {kFloat}) +
                            TfNode("c", "Neg", {"b"}, {kFloat}) + kVersion;
  const ImportedTf circular = ImportTf(cycle);
  EXPECT_EQ(circular.status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(circular.status.message(), HasSubstr("its own output"));
  const ImportedTf missing = ImportTf(TfNode("a", "Neg", {"nowhere"}, {kFloat}));
  EXPECT_EQ(missing.status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(missing.status.message(), HasSubstr("nowhere"));
}

TEST(TensorflowGraph, ConstantsRepeatTheirLastElement) {
  const std::string text =
      TfInput("x", {3}) + TfFloats("c", {3}, {5, 7}) + TfNode("y", "AddV2", {"x", "c"}, {kFloat}) + kVersion;
  EXPECT_THAT(RunTf(text, {{"x", {0, 0, 0}}})["y"], ElementsAre(5, 7, 7));
}

TEST(TensorflowGraph, SizesThatOverflowAreBroken) {
  const std::string text =
      TfFloats("c", {2147483647, 2147483647, 2147483647}, {1}) + TfNode("y", "Neg", {"c"}, {kFloat});
  EXPECT_EQ(ImportTf(text).status.code(), StatusCode::kInvalidModel);
}

TEST(TensorflowGraph, FewElementsForHugeConstantsAreRefused) {
  const std::string text = TfFloats("c", {1048576, 1024}, {1}) + TfNode("y", "Neg", {"c"}, {kFloat});
  EXPECT_EQ(ImportTf(text).status.code(), StatusCode::kUnsupported);
}

std::string Library(const std::string& name, const std::string& body, const std::string& ret) {
  return "library { function { signature { name: '" + name +
         "' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'out' type: DT_FLOAT } } " + body +
         " ret { key: 'out' value: '" + ret + "' } } }\n";
}

std::string AsFunctionNode(std::string node) { return "node_def" + node.substr(4); }

TEST(TensorflowGraph, CallsOfFunctionsArePutInPlace) {
  const std::string body = AsFunctionNode(TfNode("n", "Neg", {"a"}, {kFloat})) +
                           AsFunctionNode(TfNode("s", "Square", {"n:y:0"}, {kFloat}));
  const std::string text =
      TfInput("x", {2}) + TfNode("call", "PartitionedCall", {"x"}, {"f { func { name: 'F' } }"}) +
      TfNode("y", "Identity", {"call"}, {kFloat}) + Library("F", body, "s:y:0") + kVersion;
  EXPECT_THAT(RunTf(text, {{"x", {2, -3}}})["y"], ElementsAre(4, 9));
}

TEST(TensorflowGraph, FunctionsThatCallThemselvesAreRefused) {
  const std::string body =
      AsFunctionNode(TfNode("c", "PartitionedCall", {"a"}, {"f { func { name: 'F' } }"}));
  const std::string text = TfInput("x", {2}) +
                           TfNode("y", "PartitionedCall", {"x"}, {"f { func { name: 'F' } }"}) +
                           Library("F", body, "c:output:0") + kVersion;
  EXPECT_EQ(ImportTf(text).status.code(), StatusCode::kUnsupported);
}

std::string ConstantBool(const std::string& name, bool value) {
  return TfNode(
      name, "Const", {},
      {"dtype { type: DT_BOOL }", std::string("value { tensor { dtype: DT_BOOL tensor_shape { } bool_val: ") +
                                      (value ? "true" : "false") + " } }"});
}

TEST(TensorflowGraph, BranchesByConstantsAreDecided) {
  for (const bool training : {false, true}) {
    const std::string text = TfInput("x", {2}) + ConstantBool("training", training) +
                             TfNode("s", "Switch", {"x", "training"}, {kFloat}) +
                             TfNode("off", "Neg", {"s"}, {kFloat}) + TfNode("on", "Abs", {"s:1"}, {kFloat}) +
                             TfNode("y", "Merge", {"off", "on"}, {kFloat}) + kVersion;
    EXPECT_THAT(RunTf(text, {{"x", {1, -2}}})["y"], training ? ElementsAre(1, 2) : ElementsAre(-1, 2));
  }
}

TEST(TensorflowGraph, VariablesWithoutValuesSayWhatToDo) {
  const std::string text = TfNode("v", "VarHandleOp", {}, {"shared_name { s: 'kernel' }"}) +
                           TfNode("r", "ReadVariableOp", {"v"}) + TfNode("y", "Neg", {"r"}, {kFloat}) +
                           kVersion;
  const ImportedTf imported = ImportTf(text);
  EXPECT_EQ(imported.status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(imported.status.message(), HasSubstr("variables/"));
}

TEST(TensorflowGraph, AVariableAsAConditionIsRefused) {
  const std::string text = TfInput("x", {2}) + TfNode("v", "VarHandleOp", {}) +
                           TfNode("y", "Switch", {"x", "v"}, {kFloat}) + kVersion;
  EXPECT_EQ(ImportTf(text).status.code(), StatusCode::kUnsupported);
}

TEST(TensorflowOps, ChannelsFirstOfAScalarAreRefused) {
  const std::string text = TfInput("x", {}) + TfFloats("c", {1}, {1}) +
                           TfNode("y", "FusedBatchNorm", {"x", "c", "c", "c", "c"},
                                  {kFloat, "is_training { b: false }", "data_format { s: 'NCHW' }"}) +
                           kVersion;
  EXPECT_EQ(ImportTf(text).status.code(), StatusCode::kInvalidModel);
}

const std::vector<std::string> kSame = {kFloat, "padding { s: 'SAME' }",
                                        "strides { list { i: 1 i: 2 i: 2 i: 1 } }"};

TEST(TensorflowOps, ConvolutionPadsTheSameForFixedAndForOpenSizes) {
  const std::string rest = TfFloats("w", {3, 3, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1}) +
                           TfNode("y", "Conv2D", {"x", "w"}, kSame) + kVersion;
  const Floats image = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  // Of four pixels, windows of three every two need one more, at the end.
  const Floats expected = {54, 45, 72, 54};
  EXPECT_EQ(RunTf(TfInput("x", {1, 4, 4, 1}) + rest, {{"x", image}})["y"], expected);
  ImportOptions options;
  options.input_shapes = {{"x", {1, ir::kDynamic, 4, 1}}};
  ImportedTf open = ImportTf(TfInput("x", {1, -1, 4, 1}) + rest, options);
  ASSERT_TRUE(open.status.ok()) << open.status.message();
  EXPECT_GE(CountOps(open.module.entry(), schema::OpCode::Pad), 1);
}

TEST(TensorflowOps, StridedSliceTakesEveryMask) {
  // x[1, ..., newaxis, ::-1]
  const std::string text =
      TfInput("x", {2, 2, 3}) + TfIntegers("b", {1, 0, 0, 0}) + TfIntegers("e", {2, 0, 0, 0}) +
      TfIntegers("s", {1, 1, 1, -1}) +
      TfNode("y", "StridedSlice", {"x", "b", "e", "s"},
             {kFloat, "begin_mask { i: 8 }", "end_mask { i: 8 }", "ellipsis_mask { i: 2 }",
              "new_axis_mask { i: 4 }", "shrink_axis_mask { i: 1 }"}) +
      kVersion;
  ImportedTf imported = ImportTf(text);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  const ir::Graph& graph = imported.module.entry();
  EXPECT_THAT(graph.value(graph.outputs[0]).shape, ElementsAre(2, 1, 3));
  EXPECT_THAT(RunTf(text, {{"x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}})["y"],
              ElementsAre(9, 8, 7, 12, 11, 10));
}

TEST(TensorflowOps, BatchNormalizationOfInference) {
  const std::string text = TfInput("x", {1, 1, 2, 2}) + TfFloats("scale", {2}, {2, 1}) +
                           TfFloats("offset", {2}, {1, 0}) + TfFloats("mean", {2}, {1, 2}) +
                           TfFloats("variance", {2}, {3, 15}) +
                           TfNode("n", "FusedBatchNormV3", {"x", "scale", "offset", "mean", "variance"},
                                  {kFloat, "epsilon { f: 1 }", "is_training { b: false }"}) +
                           TfNode("y", "Identity", {"n"}, {kFloat}) + kVersion;
  EXPECT_THAT(RunTf(text, {{"x", {1, 2, 3, 6}}})["y"], ElementsAre(1, 0, 3, 1));
}

Floats NormalizedByBatch(const std::vector<int64_t>& dims, const Floats& x, const std::string& layout,
                         const std::string& output, const std::string& factor = "1") {
  const std::string text =
      TfInput("x", dims) + TfFloats("scale", {2}, {3, 1}) + TfFloats("offset", {2}, {1, 0}) +
      TfFloats("running", {2}, {10, 20}) +
      TfNode("n", "FusedBatchNormV3", {"x", "scale", "offset", "running", "running"},
             {kFloat, "epsilon { f: 0 }", "is_training { b: true }", "data_format { s: '" + layout + "' }",
              "exponential_avg_factor { f: " + factor + " }"}) +
      TfNode("y", "Identity", {output}, {kFloat}) + kVersion;
  return RunTf(text, {{"x", x}})["y"];
}

TEST(TensorflowOps, BatchNormalizationByTheBatch) {
  EXPECT_THAT(NormalizedByBatch({1, 2, 1, 2}, {1, 2, 3, 6}, "NHWC", "n"), ElementsAre(-2, -1, 4, 1));
  EXPECT_THAT(NormalizedByBatch({1, 2, 2, 1}, {1, 3, 2, 6}, "NCHW", "n"), ElementsAre(-2, 4, -1, 1));
}

// The variance is that of a sample: over one element less.
TEST(TensorflowOps, BatchNormalizationHandsOnItsStatistics) {
  const auto output = [](const char* name, const char* factor) {
    return NormalizedByBatch({1, 2, 1, 2}, {1, 2, 3, 6}, "NHWC", name, factor);
  };
  EXPECT_THAT(output("n:1", "1"), ElementsAre(2, 4));
  EXPECT_THAT(output("n:2", "1"), ElementsAre(2, 8));
  EXPECT_THAT(output("n:1", "0.5"), ElementsAre(6, 12));
  EXPECT_THAT(output("n:2", "0.5"), ElementsAre(6, 14));
}

TEST(TensorflowOps, RunningProducts) {
  const std::string text = TfInput("x", {3}) + TfIntegers("axis", {0}, true) +
                           TfNode("c", "Cumprod", {"x", "axis"}, {kFloat, "exclusive { b: true }"}) +
                           TfNode("y", "Identity", {"c"}, {kFloat}) + kVersion;
  EXPECT_THAT(RunTf(text, {{"x", {2, -3, 5}}})["y"], ElementsAre(1, 2, -6));
}

TEST(TensorflowOps, BitsOfFloatsAsIntegers) {
  const std::string text =
      TfInput("x", {2}) + TfNode("b", "Bitcast", {"x"}, {kFloat, "type { type: DT_INT32 }"}) +
      TfNode("y", "Cast", {"b"}, {"SrcT { type: DT_INT32 }", "DstT { type: DT_FLOAT }"}) + kVersion;
  EXPECT_THAT(RunTf(text, {{"x", {1, 0}}})["y"], ElementsAre(0x3f800000, 0));
}

TEST(TensorflowCustom, OperatorsOfTheUsersOwnKeepAttributesAndStatedOutputs) {
  const std::string text = TfInput("x", {2, 3}) +
                           TfNode("c", "ZeroOut", {"x"},
                                  {kFloat, "index { i: 1 }", "names { list { s: 'a' s: 'b' } }",
                                   "_output_shapes { list { shape { dim { size: 2 } dim { size: 3 } } shape "
                                   "{ dim { size: 2 } } } }"}) +
                           TfNode("d", "Relu", {"c:1"}, {kFloat}) + TfNode("y", "Identity", {"c"}, {kFloat}) +
                           TfNode("z", "Identity", {"d"}, {kFloat}) + kVersion;
  EXPECT_EQ(ImportTf(text).status.code(), StatusCode::kUnsupported);
  frontend::ImportOptions options;
  options.custom_domains = {"tensorflow"};
  ImportedTf imported = ImportTf(text, options);
  ASSERT_THAT(imported.status, IsOk());
  const ir::Graph& graph = imported.module.entry();
  ASSERT_EQ(graph.nodes[0]->code, schema::OpCode::Custom);
  const auto& custom = graph.nodes[0]->as<schema::CustomOptionsT>();
  EXPECT_EQ(custom.domain, "tensorflow");
  ASSERT_EQ(custom.attributes.size(), 3u);
  EXPECT_THAT(custom.attributes[1]->ints, ElementsAre(1));
  EXPECT_THAT(custom.attributes[2]->texts, ElementsAre("a", "b"));
  ASSERT_EQ(graph.nodes[0]->outputs.size(), 2u);
  EXPECT_THAT(graph.value(graph.nodes[0]->outputs[1]).shape, ElementsAre(2));
}

TEST(TensorflowOps, SpaceToBatchAndBack) {
  const std::string blocks =
      TfIntegers("block", {2, 2}) +
      TfNode("pads", "Const", {},
             {"dtype { type: DT_INT32 }",
              "value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } dim { size: 2 } } "
              "int_val: 0 } }"});
  const std::string text = TfInput("x", {1, 2, 2, 1}) + blocks +
                           TfNode("b", "SpaceToBatchND", {"x", "block", "pads"}, {kFloat}) +
                           TfNode("d", "AddV2", {"b", "b"}, {kFloat}) +
                           TfNode("y", "BatchToSpaceND", {"d", "block", "pads"}, {kFloat}) + kVersion;
  EXPECT_THAT(RunTf(text, {{"x", {1, 2, 3, 4}}})["y"], ElementsAre(2, 4, 6, 8));
}

}  // namespace
}  // namespace micrort::testing
