// If, Loop and the graphs inside nodes: conditions, bodies and numbers of graphs that are refused.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_control_flow {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr int kBool = ::onnx::TensorProto::BOOL;

// y = c ? then_branch : else_branch; x, [2], is outside. The caller adds c.
OnnxBuilder IfOf(const OnnxBuilder& then_branch, const OnnxBuilder& else_branch) {
  OnnxBuilder b;
  b.Input("x", {"2"}).Node("If", {"c"}, {"y"}).Output("y");
  return b.Graph("then_branch", then_branch).Graph("else_branch", else_branch);
}

// With a condition that is known, so that only then_branch is imported.
Status Then(const OnnxBuilder& branch) {
  return Import(IfOf(branch, Branch("Neg", {"x"})).Narrow("c", kBool, {}, {1})).status;
}

// A body of a loop that hands `op` of x, a vector, on to the next iteration.
OnnxBuilder Body(const std::string& op, const std::vector<std::string>& inputs) {
  OnnxBuilder b;
  b.Input("i", {}, ::onnx::TensorProto::INT64).Input("go_on", {}, kBool).Input("x", {});
  return b.Node(op, inputs, {"next"}).Output("go_on").Output("next");
}

OneNode Loop(const OnnxBuilder& body) {
  OneNode node("Loop");
  node.Integers({3}).Absent().Graph("body", body);
  return node;
}

// One graph for each element of a sequence, and in each of them one for each element once more.
// A graph for each of `elements`.
Status MapOf(size_t elements, const OnnxBuilder& body) {
  OnnxBuilder b(17);
  b.Input("x", {"2"}).Node("SequenceConstruct", std::vector<std::string>(elements, "x"), {"s"});
  return Import(b.Node("SequenceMap", {"s"}, {"y"}).Graph("body", body).Output("x")).status;
}

Status MapInsideMap(size_t elements) {
  OnnxBuilder outer, inner;
  inner.Input("part", {}).Output("part");
  outer.Input("whole", {}).Node("SequenceMap", {"s"}, {"parts"}).Graph("body", inner).Output("whole");
  return MapOf(elements, outer);
}

Status MapToLargeGraphs(size_t elements, size_t bytes) {
  OnnxBuilder body;
  body.Input("part", {}).Output("part");
  body.graph().set_doc_string(std::string(bytes, ' '));
  return MapOf(elements, body);
}

const Refusal kGraphs[] = {
    {"ConditionOfNumbers",
     MICRORT_STATUS(
         Import(
             IfOf(Branch("Abs", {"x"}), Branch("Neg", {"x"})).Narrow("c", ::onnx::TensorProto::INT8, {}, {1}))
             .status),
     "condition 'c': expected one bool"},
    {"MoreOutputsThanTheBranches",
     [] {
       OneNode node("If");
       node.X({}, kBool).Output("z").model().Input("x", {"2"});
       return node.Graph("then_branch", Branch("Abs", {"x"}))
           .Graph("else_branch", Branch("Neg", {"x"}))
           .Refused();
     },
     "expected 2 outputs of graph 'graph', found 1"},
    {"BranchWithAnInput", MICRORT_STATUS(Then(Branch("Abs", {"x"}).Input("z", {"2"}))),
     "the graph inside has 1 inputs, expected 0"},
    {"BranchWithoutItsOutput",
     [] {
       OnnxBuilder branch;
       return Then(branch.Output("missing"));
     },
     "nothing computes the output 'missing'"},
    {"BodyOfTooFewInputs", MICRORT_STATUS(Loop(Body("Abs", {"x"})).Xs(2, {"2"}).Refused()),
     "expected a body of 4 inputs and at least 3 outputs, found 3 and 2"},
    {"LoopWithoutACarriedValue",
     MICRORT_STATUS(Loop(Body("Abs", {"x"}).Input("z", {}).Output("z")).Absent().X({"2"}).Refused()),
     "input 2 is required, but absent"},
    {"CarriedValueOfAnotherRank",
     MICRORT_STATUS(Loop(Body("Unsqueeze", {"x", "axes"}).Integers("axes", {1}, {0})).X({"2"}).Refused()),
     "the value 'x' changes its type or rank from one iteration to the next", kUnsupported},
    {"TooManyGraphs", MICRORT_STATUS(MapInsideMap(128)), "graphs inside nodes are imported over 16384 times",
     kUnsupported},
    {"LargeGraphsAgainAndAgain", MICRORT_STATUS(MapToLargeGraphs(64, 1 << 24)),
     "graphs inside nodes are repeated to over 1073741824 bytes", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedGraphs, kGraphs);

}  // namespace
}  // namespace micrort::testing::onnx_refused_control_flow
