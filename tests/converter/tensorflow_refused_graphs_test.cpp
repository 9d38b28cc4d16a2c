// Graphs of TensorFlow that are refused: names, ports, constants, attributes, and what nodes read.

#include "tests/converter/tensorflow_functions.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_graphs {
namespace {

using frontend::ImportOptions;

constexpr auto kUnsupported = StatusCode::kUnsupported;
const char kOfFloats[] = "T { type: DT_FLOAT }";
const char kVersions[] = "versions { producer: 1395 }\n";

Status Import(const std::string& nodes, const ImportOptions& options = {}) {
  return ImportTf(nodes + kVersions, options).status;
}

std::string Negated(const std::string& input) { return TfNode("y", "Neg", {input}, {kOfFloats}); }

// y = op(x, others) for x [2,3].
Status Node(const std::string& op, const std::vector<std::string>& others,
            const std::vector<std::string>& attributes = {kOfFloats}, const std::string& before = "",
            const ImportOptions& options = {}) {
  std::vector<std::string> inputs = {"x"};
  inputs.insert(inputs.end(), others.begin(), others.end());
  return Import(TfInput("x", {2, 3}) + before + TfNode("y", op, inputs, attributes), options);
}

Status Constant(const std::string& tensor) {
  return Import(TfNode("c", "Const", {}, {"value { tensor { dtype: DT_FLOAT " + tensor + " } }"}) +
                Negated("c"));
}

// An operator of the user's own.
Status Custom(const std::vector<std::string>& others, const std::vector<std::string>& attributes = {},
              const std::string& rest = "") {
  ImportOptions options;
  options.custom_domains = {"tensorflow"};
  return Node("ZeroOut", others, attributes, rest, options);
}

Status Fetched(const std::string& output, const std::string& nodes) {
  ImportOptions options;
  options.outputs = {output};
  return Import(nodes, options);
}

std::string Repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

const Refusal kGraphs[] = {
    {"NodeWithoutAName", MICRORT_STATUS(Import(TfInput("x", {2}) + TfInput("", {2}) + Negated("x"))),
     "a node has no name"},
    {"TwoNodesOfOneName", MICRORT_STATUS(Import(TfInput("x", {2}) + Negated("x") + Negated("x"))),
     "two nodes are called 'y'"},
    {"OnlyConstants", MICRORT_STATUS(Import(TfFloats("c", {1}, {1}))), "no node computes an output"},
    {"InputOfStrings",
     MICRORT_STATUS(Import(TfNode("x", "Placeholder", {}, {"dtype { type: DT_STRING }"}) + Negated("x"))),
     "input 'x' is of type DT_STRING; feed what is computed from it (--feeds)", kUnsupported},
    {"PlaceholderBesidesTheFeeds",
     [] {
       ImportOptions options;
       options.feeds = {"x"};
       return Node("AddV2", {"z"}, {kOfFloats}, TfInput("z", {2, 3}), options);
     },
     "node 'z' (Placeholder): the placeholder is needed, but not among the inputs (--feeds)",
     StatusCode::kInvalidArgument},
    {"SeveralPlaceholdersBesidesTheFeeds",
     [] {
       ImportOptions options;
       options.feeds = {"x"};
       return Node("AddN", {"z", "w"}, {kOfFloats}, TfInput("z", {2, 3}) + TfInput("w", {2, 3}), options);
     },
     "node 'w' (Placeholder): the placeholder is needed, but not among the inputs (--feeds); so are 'z'",
     StatusCode::kInvalidArgument},
    {"OutputThatIsAVariable", MICRORT_STATUS(Fetched("v", TfNode("v", "VarHandleOp", {}))),
     "output 'v' is no tensor"},
    {"InputThatItsNodeDoesNotGive", MICRORT_STATUS(Import(TfFloats("c", {1}, {1}) + Negated("c:1"))),
     "'y' (Neg): its input 'c:1' is no tensor that we have", kUnsupported},
    {"ListAsATensor",
     MICRORT_STATUS(Import(TfFloats("c", {2, 3}, {1}) + TfIntegers("shape", {3}) +
                           TfNode("list", "TensorListFromTensor", {"c", "shape"}) + Negated("list"))),
     "'y' (Neg): it reads a list of tensors", kUnsupported},
    {"UnknownTypeInAnAttribute", MICRORT_STATUS(Node("Cast", {}, {"DstT { type: DT_STRING }"})),
     "'y' (Cast): DstT = DT_STRING", kUnsupported},
};

const Refusal kConstants[] = {
    {"NoRank", MICRORT_STATUS(Constant("tensor_shape { unknown_rank: true }")),
     "a constant's rank is not given"},
    {"TooManyDimensions",
     MICRORT_STATUS(Constant("tensor_shape { " + Repeated("dim { size: 1 } ", 9) + "} float_val: 1")),
     "a constant of 9 dimensions; at most 8", kUnsupported},
    {"NegativeDimension", MICRORT_STATUS(Constant("tensor_shape { dim { size: -1 } }")),
     "a constant's dimension is negative"},
    {"SizeThatOverflows",
     MICRORT_STATUS(Constant("tensor_shape { " + Repeated("dim { size: 2147483647 } ", 2) + "}")),
     "a constant's size overflows"},
    {"SizeThatOverflowsBesidesA0",
     MICRORT_STATUS(
         Constant("tensor_shape { dim { size: 0 } " + Repeated("dim { size: 2147483647 } ", 2) + "}")),
     "a constant's size overflows"},
    {"HugeDimensionBesidesA0",
     MICRORT_STATUS(Constant("tensor_shape { dim { size: 0 } dim { size: 2147483648 } }")),
     "a constant's dimension of 2147483648", kUnsupported},
    {"FewerBytesThanElements",
     MICRORT_STATUS(Constant("tensor_shape { dim { size: 2 } } tensor_content: 'abcd'")),
     "a constant's content: expected 8 bytes, found 4"},
};

const Refusal kOperands[] = {
    {"AxisBehindTheLast", MICRORT_STATUS(Node("Pack", {"x"}, {kOfFloats, "axis { i: 3 }"})),
     "axis 3 of 3 dimensions"},
    {"AxisBeforeTheFirst", MICRORT_STATUS(Node("Pack", {"x"}, {kOfFloats, "axis { i: -4 }"})),
     "axis -4 of 3 dimensions"},
    {"AxisThatARunComputes", MICRORT_STATUS(Node("CumulativeLogsumexp", {"x"})),
     "input 1 is no constant list of integers", kUnsupported},
    {"TwoAxes",
     MICRORT_STATUS(Node("CumulativeLogsumexp", {"axes"}, {kOfFloats}, TfIntegers("axes", {0, 1}))),
     "input 1: expected one integer, found 2"},
    {"RangeThatARunComputes", MICRORT_STATUS(Node("FakeQuantWithMinMaxVars", {"x", "x"})),
     "input 1 is no constant of floats", kUnsupported},
};

const Refusal kCustom[] = {
    {"ShapesAsAnAttribute", MICRORT_STATUS(Custom({}, {"sizes { list { shape { dim { size: 2 } } } }"})),
     "attribute 'sizes' of a custom operator: expected numbers or text", kUnsupported},
    {"FunctionAsAnAttribute", MICRORT_STATUS(Custom({}, {FunctionAttribute("inner", "F")})),
     "attribute 'inner' of a custom operator: expected numbers or text", kUnsupported},
    {"VariableAsAnInput", MICRORT_STATUS(Custom({"v"}, {}, TfNode("v", "VarHandleOp", {}))),
     "'y' (ZeroOut): it gets variable 'v'", kUnsupported},
    {"TooManyOutputs", MICRORT_STATUS(Custom({}, {}, TfNode("z", "Neg", {"y:64"}, {kOfFloats}))),
     "outputs of a custom operator, found 65", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(TensorflowRefusedGraphs, kGraphs);
MICRORT_EXPECT_REFUSALS(TensorflowRefusedConstants, kConstants);
MICRORT_EXPECT_REFUSALS(TensorflowRefusedOperands, kOperands);
MICRORT_EXPECT_REFUSALS(TensorflowRefusedCustom, kCustom);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_graphs
