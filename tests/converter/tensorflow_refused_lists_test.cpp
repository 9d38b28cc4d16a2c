// Lists and variables of TensorFlow graphs that are refused.

#include "tests/converter/tensorflow_functions.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_lists {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
const char kOfFloats[] = "T { type: DT_FLOAT }";

Status Import(const std::string& nodes) {
  return ImportTf(TfInput("x", {2, 3}) + TfIntegers("shape", {3}) + TfNode("v", "VarHandleOp", {}) + nodes +
                  "versions { producer: 1395 }\n")
      .status;
}

// y is what an operator about lists gives.
Status ListOp(const std::string& op, const std::vector<std::string>& inputs, const std::string& before = "") {
  return Import(before + TfNode("y", op, inputs, {"element_dtype { type: DT_FLOAT }"}));
}

std::string ListOf(const std::string& tensor) {
  return TfNode("list", "TensorListFromTensor", {tensor, "shape"});
}

const Refusal kLists[] = {
    {"VariableAsAnElement", MICRORT_STATUS(ListOp("TensorListFromTensor", {"v", "shape"})),
     "'y' (TensorListFromTensor): input 0 is no tensor that lists hold", kUnsupported},
    {"ComplexNumbersAsElements",
     MICRORT_STATUS(
         ListOp("TensorListFromTensor", {"z", "shape"}, TfNode("z", "Complex", {"x", "x"}, {kOfFloats}))),
     "input 0 is no tensor that lists hold", kUnsupported},
    {"TensorAsAList", MICRORT_STATUS(ListOp("TensorListStack", {"x", "shape"})),
     "'y' (TensorListStack): input 0 is no list that we know", kUnsupported},
    {"ScalarOfElements",
     MICRORT_STATUS(ListOp("TensorListFromTensor", {"c", "shape"}, TfFloats("c", {}, {1}))),
     "a list from a scalar"},
    {"IndicesInAnotherOrder",
     MICRORT_STATUS(ListOp("TensorListScatter", {"x", "indices", "shape"}, TfIntegers("indices", {1, 0}))),
     "indices other than 0, 1 ... of a list without a length", kUnsupported},
    {"IndicesInAnotherOrderAndANegativeLength",
     MICRORT_STATUS(ListOp("TensorListScatterV2", {"x", "indices", "shape", "length"},
                           TfIntegers("indices", {1, 0}) + ScalarInteger("length", -1))),
     "indices other than 0, 1 ... of a list without a length", kUnsupported},
    {"ScalarsToJoin",
     MICRORT_STATUS(ListOp("TensorListConcat", {"list"}, TfFloats("c", {3}, {1, 2, 3}) + ListOf("c"))),
     "elements without a dimension to join"},
    {"LengthsThatARunComputes", MICRORT_STATUS(ListOp("TensorListSplit", {"x", "shape", "x"})),
     "lengths that are not constant", kUnsupported},
    {"ScalarToSplit",
     MICRORT_STATUS(ListOp("TensorListSplit", {"c", "shape", "shape"}, TfFloats("c", {}, {1}))),
     "lengths that are not constant", kUnsupported},
    {"PartsOfDifferentLengths",
     MICRORT_STATUS(ListOp("TensorListSplit", {"x", "shape", "lengths"}, TfIntegers("lengths", {0, 2}))),
     "parts of different lengths", kUnsupported},
    {"MissingInput", MICRORT_STATUS(ListOp("TensorListStack", {"list"}, ListOf("x"))),
     "'y' (TensorListStack): expected 2 inputs, found 1"},
};

const Refusal kVariables[] = {
    {"TensorAsAVariable",
     MICRORT_STATUS(Import(TfNode("r", "ReadVariableOp", {"x"}) + TfNode("y", "Neg", {"r"}))),
     "'r' (ReadVariableOp): its input is no variable of the model", kUnsupported},
    {"ChangeOfATensor",
     MICRORT_STATUS(Import(TfNode("a", "AssignAddVariableOp", {"x", "x"}) +
                           TfNode("y", "Neg", {"x", "^a"}, {kOfFloats}))),
     "'a' (AssignAddVariableOp): expected a variable of the model, and a tensor", kUnsupported},
    {"ChangeByAVariable",
     MICRORT_STATUS(
         Import(TfNode("a", "AssignVariableOp", {"v", "v"}) + TfNode("y", "Neg", {"x", "^a"}, {kOfFloats}))),
     "'a' (AssignVariableOp): expected a variable of the model, and a tensor", kUnsupported},
    {"ChangeInABranch",
     [] {
       const std::string change = TfNode("a", "AssignVariableOp", {"b", "x"});
       const std::string branch = TfNode("out", "Identity", {"x", "^a"}, {kOfFloats});
       return Import(
           TfInput("p", {}) +
           TfNode("y", "If", {"p", "v", "x"},
                  {FunctionAttribute("then_branch", "Change"), FunctionAttribute("else_branch", "Change")}) +
           "library { " +
           TfFunction("Change", {"b: DT_RESOURCE", "x: DT_FLOAT"}, {change, branch}, {"out = out:output:0"}) +
           "}\n");
     },
     "(AssignVariableOp): it changes a variable in a branch or loop that a run decides", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(TensorflowRefusedLists, kLists);
MICRORT_EXPECT_REFUSALS(TensorflowRefusedVariables, kVariables);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_lists
