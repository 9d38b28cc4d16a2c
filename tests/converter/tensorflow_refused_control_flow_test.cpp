// Branches, loops and calls of TensorFlow that are refused.

#include "tests/converter/tensorflow_functions.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_control_flow {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
const char kOfFloats[] = "T { type: DT_FLOAT }";
const char kVersions[] = "versions { producer: 1395 }\n";

// Inputs p, a scalar, and x [2]; a variable v.
std::string Model(const std::string& nodes, const std::string& functions) {
  return TfInput("p", {}) + TfInput("x", {2}) + TfNode("v", "VarHandleOp", {}) + nodes + "library { " +
         functions + "}\n" + kVersions;
}

Status Import(const std::string& nodes, const std::string& functions = "") {
  return ImportTf(Model(nodes, functions)).status;
}

std::string Negation(const std::string& name = "Minus") {
  return TfFunction(name, {"a: DT_FLOAT"}, {TfNode("minus", "Neg", {"a"}, {kOfFloats})}, {"out = minus:y:0"});
}

const std::vector<std::string> kAlike = {FunctionAttribute("then_branch", "Minus"),
                                         FunctionAttribute("else_branch", "Minus")};

Status If(const std::vector<std::string>& inputs, const std::vector<std::string>& attributes = kAlike) {
  return Import(TfNode("y", "If", inputs, attributes), Negation());
}

// "Minus" or another function of x and v.
std::string IfMinusOr(const std::string& nodes, const std::vector<std::string>& results) {
  return Model(TfNode("y", "If", {"p", "x", "v"},
                      {FunctionAttribute("then_branch", "Minus"), FunctionAttribute("else_branch", "Other")}),
               TfFunction("Minus", {"a: DT_FLOAT", "b: DT_RESOURCE"},
                          {TfNode("minus", "Neg", {"a"}, {kOfFloats})}, {"out = minus:y:0"}) +
                   TfFunction("Other", {"a: DT_FLOAT", "b: DT_RESOURCE"}, {nodes}, results));
}

// Why the node of this operator is not converted, which may not be the first one.
Status WhyNot(const std::string& op, const std::string& text) {
  const ImportedTf imported = ImportTf(text);
  for (const frontend::UnsupportedOp& unsupported : imported.diagnostics.unsupported) {
    if (unsupported.op == op) return MICRORT_ERROR(kUnsupported, "%s", unsupported.reason.c_str());
  }
  return imported.status;
}

Status Case(const std::string& index, int branches) {
  std::string functions;
  for (int i = 0; i < branches; ++i) functions += "func { name: 'Minus' } ";
  return Import(TfNode("y", "Case", {index, "x"}, {"branches { list { " + functions + "} }"}), Negation());
}

// Branches one after another, each of which reads x after a chain of nodes behind the last one.
std::string BranchesThatWaitFor(int chain, int count) {
  std::string text = TfNode("is", "Greater", {"p", "p"}, {kOfFloats}), last = "x";
  const std::string end = "^z" + std::to_string(chain - 1);
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += TfNode("s" + n, "Switch", {last, "is"}, {kOfFloats}) +
            TfNode("a" + n, "Neg", {"s" + n}, {kOfFloats}) + TfNode("k" + n, "Neg", {"x", end}, {kOfFloats}) +
            TfNode("m" + n, "Merge", {"a" + n, "k" + n}, {kOfFloats});
    last = "m" + n;
  }
  for (int i = 0; i < chain; ++i) {
    text +=
        TfNode("z" + std::to_string(i), "Neg", {i == 0 ? last : "z" + std::to_string(i - 1)}, {kOfFloats});
  }
  return text + TfNode("y", "Neg", {last}, {kOfFloats});
}

// A branch in the first branch, and so on.
Status IfsInside(int depth) {
  std::string functions = TfFunction("Other", {"p: DT_FLOAT", "a: DT_FLOAT"}, {}, {"out = a"}) +
                          TfFunction("F0", {"p: DT_FLOAT", "a: DT_FLOAT"}, {}, {"out = a"});
  const auto branch = [](const std::string& name, int k) {
    return TfNode(name, "If", {"p", "p", "a"},
                  {FunctionAttribute("then_branch", "F" + std::to_string(k)),
                   FunctionAttribute("else_branch", "Other")});
  };
  for (int k = 1; k < depth; ++k) {
    functions += TfFunction("F" + std::to_string(k), {"p: DT_FLOAT", "a: DT_FLOAT"}, {branch("y", k - 1)},
                            {"out = y:output:0"});
  }
  return Import(TfNode("a", "Neg", {"x"}, {kOfFloats}) + branch("y", depth - 1), functions);
}

const Refusal kBranches[] = {
    {"IfWithoutAFunction", MICRORT_STATUS(If({"p", "x"}, {FunctionAttribute("then_branch", "Minus")})),
     "'y' (If): it names no function"},
    {"IfWithoutACondition", MICRORT_STATUS(If({})), "it has no condition"},
    {"VariableAsACondition", MICRORT_STATUS(If({"v", "x"})), "'y' (If): the condition is no tensor",
     kUnsupported},
    {"ConditionOfTwoElements", MICRORT_STATUS(If({"x", "x"})), "the condition has 2 elements, expected one",
     kUnsupported},
    {"CaseWithoutAFunction", MICRORT_STATUS(Case("p", 0)), "'y' (Case): it names no function"},
    {"CaseOfTooManyBranches", MICRORT_STATUS(Case("p", 65)), "more than 64 branches", kUnsupported},
    {"VariableAsAnIndex", MICRORT_STATUS(Case("v", 2)), "the index is no tensor"},
    {"MissingOperatorInABranch",
     MICRORT_STATUS(WhyNot("If", IfMinusOr(TfNode("n", "NoSuchOperator", {"a"}), {"out = n:y:0"}))),
     "else: an operator inside it", kUnsupported},
    {"OneMoreOutputInABranch",
     MICRORT_STATUS(
         ImportTf(IfMinusOr(TfNode("n", "Neg", {"a"}, {kOfFloats}), {"out = n:y:0", "more = n:y:0"})).status),
     "the branches have 1 and 2 outputs"},
    {"VariableAsAnOutputOfABranch",
     MICRORT_STATUS(ImportTf(IfMinusOr(TfNode("n", "Identity", {"b"}, {"T { type: DT_RESOURCE }"}),
                                       {"out = n:output:0"}))
                        .status),
     "output 0 is no tensor of both branches", kUnsupported},
    {"TooManyInsideEachOther", MICRORT_STATUS(IfsInside(17)), "more than 16 graphs inside each other",
     kUnsupported},
    {"SwitchWithoutACondition", MICRORT_STATUS(Import(TfNode("y", "Switch", {"x"}, {kOfFloats}))),
     "'y' (Switch): expected 2 inputs, found 1"},
    // Each branch waits for a chain behind the last one, so that all of it is looked at for each.
    {"BranchesThatWaitForAll", MICRORT_STATUS(Import(BranchesThatWaitFor(6000, 500))),
     "or too many nodes decide about it", kUnsupported},
    {"SwitchThatNothingEnds",
     MICRORT_STATUS(Import(TfNode("is", "Greater", {"p", "p"}, {kOfFloats}) +
                           TfNode("s", "Switch", {"x", "is"}, {kOfFloats}) +
                           TfNode("y", "Neg", {"s"}, {kOfFloats}))),
     "the condition is not constant, and no Merge ends its branches", kUnsupported},
};

// While p, of x and a third input, with functions "C" and "B" of these three.
Status LoopOf(const std::string& third, const std::string& before, const std::string& functions,
              const std::vector<std::string>& attributes = {FunctionAttribute("cond", "C"),
                                                            FunctionAttribute("body", "B")}) {
  return Import(before + TfNode("loop", "While", {"p", "x", third}, attributes) +
                    TfNode("y", "Neg", {"loop:1"}, {kOfFloats}),
                functions);
}

std::string InLoop(const std::string& name, const std::string& nodes,
                   const std::vector<std::string>& results) {
  std::vector<std::string> all;
  if (!nodes.empty()) all.push_back(nodes);
  return TfFunction(name, {"p: DT_FLOAT", "a: DT_FLOAT", "b: DT_RESOURCE"}, all, results);
}

const std::vector<std::string> kGoOn = {"go_on = p"};

// The third input is a variable; `results` are what an iteration makes of them.
Status Loop(const std::string& nodes, const std::vector<std::string>& results) {
  return LoopOf("v", "", InLoop("C", "", kGoOn) + InLoop("B", nodes, results));
}

const std::vector<std::string> kSame = {"p_out = p", "a_out = a", "b_out = b"};

const Refusal kLoops[] = {
    {"NoFunction", MICRORT_STATUS(LoopOf("v", "", InLoop("C", "", kGoOn), {FunctionAttribute("cond", "C")})),
     "'loop' (While): it names no function"},
    {"ConditionOfTwoOutputs",
     MICRORT_STATUS(LoopOf("v", "", InLoop("C", "", {"go_on = p", "more = p"}) + InLoop("B", "", kSame))),
     "the condition has 2 outputs"},
    {"BodyOfFewerOutputs", MICRORT_STATUS(Loop("", {"p_out = p", "a_out = a"})),
     "expected a body of 3 inputs and outputs, found 3 and 2"},
    {"AnotherVariableAfterAnIteration",
     MICRORT_STATUS(Loop(TfNode("w", "VarHandleOp", {}), {"p_out = p", "a_out = a", "b_out = w:resource:0"})),
     "input 2, which iterations change, is no tensor or list", kUnsupported},
    {"ComplexNumbersThatIterationsChange",
     MICRORT_STATUS(LoopOf(
         "z", TfNode("z", "Complex", {"x", "x"}, {kOfFloats}),
         InLoop("C", "", kGoOn) +
             InLoop("B", TfNode("n", "Conj", {"b"}), {"p_out = p", "a_out = a", "b_out = n:output:0"}))),
     "input 2, which iterations change, is no tensor or list", kUnsupported},
    {"TensorInsteadOfAList",
     MICRORT_STATUS(LoopOf(
         "list",
         TfIntegers("shape", {2}) + ScalarInteger("length", 3) +
             TfNode("list", "TensorListReserve", {"shape", "length"}, {"element_dtype { type: DT_FLOAT }"}),
         InLoop("C", "", kGoOn) + InLoop("B", "", {"p_out = p", "a_out = a", "b_out = a"}))),
     "value 2 is a list before an iteration or after it, not both"},
    {"VariableInsteadOfATensor", MICRORT_STATUS(Loop("", {"p_out = p", "a_out = b", "b_out = b"})),
     "result 1 of an iteration is no tensor", kUnsupported},
    {"AnotherRankAfterAnIteration",
     MICRORT_STATUS(Loop(TfNode("n", "Pack", {"a", "a"}, {kOfFloats, "axis { i: 0 }"}),
                         {"p_out = p", "a_out = n:output:0", "b_out = b"})),
     "value 1 changes its type or rank from one iteration to the next", kUnsupported},
    {"AnotherTypeAfterAnIteration",
     MICRORT_STATUS(Loop(TfNode("n", "Cast", {"a"}, {"DstT { type: DT_INT32 }"}),
                         {"p_out = p", "a_out = n:y:0", "b_out = b"})),
     "value 1 changes its type or rank from one iteration to the next", kUnsupported},
};

std::string CallOf(const std::string& name, const std::string& function, const std::string& input = "x") {
  return TfNode(name, "PartitionedCall", {input}, {FunctionAttribute("f", function)});
}

// All functions of a node are looked at where its inputs cannot be had: a hundred times a thousand, and more.
Status ManyCalls() {
  const auto branches = [](const std::string& name, const std::vector<std::string>& inputs, int count,
                           const std::string& function) {
    std::vector<std::string> attributes;
    for (int i = 0; i < count; ++i) {
      attributes.push_back(FunctionAttribute("branch_" + std::to_string(i), function));
    }
    return TfNode(name, "If", inputs, attributes);
  };
  return WhyNot("If", Model(TfNode("missing", "NoSuchOperator", {"x"}) +
                                branches("y", {"missing", "missing"}, 101, "Thousand"),
                            TfFunction("Thousand", {"a: DT_FLOAT"}, {branches("n", {"a"}, 1000, "Nothing")},
                                       {"out = n:output:0"}) +
                                TfFunction("Nothing", {}, {}, {})));
}

const Refusal kCalls[] = {
    {"NoFunction", MICRORT_STATUS(Import(TfNode("y", "PartitionedCall", {"x"}))),
     "'y' (PartitionedCall): it names no function"},
    {"FunctionThatIsNotThere", MICRORT_STATUS(Import(CallOf("y", "Plus"), Negation())),
     "there is no function 'Plus'"},
    {"OneMoreArgument",
     MICRORT_STATUS(
         Import(TfNode("y", "PartitionedCall", {"x", "x"}, {FunctionAttribute("f", "Minus")}), Negation())),
     "function 'Minus' takes 1 arguments, and is given 2", kUnsupported},
    {"OutputThatIsNotReturned",
     MICRORT_STATUS(Import(CallOf("y", "F"),
                           "function { signature { name: 'F' input_arg { name: 'a' } "
                           "output_arg { name: 'out' } } } ")),
     "function 'F' does not return 'out'"},
    {"TooMany", ManyCalls, "more than 16384 calls of functions", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(TensorflowRefusedBranches, kBranches);
MICRORT_EXPECT_REFUSALS(TensorflowRefusedLoops, kLoops);
MICRORT_EXPECT_REFUSALS(TensorflowRefusedCalls, kCalls);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_control_flow
