// Subgraphs that operators of TFLite run: arguments, results and conditions that do not fit, and what loops
// and branches cannot hand on.

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_control_flow {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kBool = fb::TensorType::Bool;
constexpr auto kFloat = fb::TensorType::Float32;
constexpr auto kInt8 = fb::TensorType::Int8;
constexpr auto kResource = fb::TensorType::Resource;

Status Import(const TfliteBuilder& b) { return ImportTflite(b.Bytes()).status; }

// A subgraph that gives what one operator makes of its input, `outputs` times.
int AddUnary(TfliteBuilder* b, const std::string& op, fb::TensorType result = kFloat, int outputs = 1,
             const Quantized& q = {}) {
  const int index = b->AddSubgraph();
  const fb::TensorType type = q.scales.empty() ? kFloat : kInt8;
  const int x = b->Input("x", {1}, type, q), y = b->Tensor("y", {1}, result, q);
  b->Op(op, {x}, {y});
  for (int i = 0; i < outputs; ++i) b->Output(y);
  b->BackToMain();
  return index;
}

// Gives its input as it is, which is a handle of a variable, or a value.
int AddIdentity(TfliteBuilder* b, fb::TensorType type) {
  const int index = b->AddSubgraph();
  b->Output(b->Input("x", type == kResource ? std::vector<int32_t>{} : std::vector<int32_t>{1}, type));
  b->BackToMain();
  return index;
}

// Of a variable that has a value.
int AddHandle(TfliteBuilder* b, const std::string& name) {
  const int handle = b->Tensor(name, {}, kResource);
  fb::VarHandleOptionsT o;
  o.shared_name = name;
  b->Op("VAR_HANDLE", {}, {handle}, o);
  b->Op("ASSIGN_VARIABLE", {handle, b->Floats("first", {1}, {0})}, {});
  return handle;
}

Status IfOf(fb::TensorType condition, std::vector<int32_t> shape, int then_outputs, int else_outputs) {
  TfliteBuilder b;
  const int then_graph = AddUnary(&b, "NEG", kFloat, then_outputs),
            else_graph = AddUnary(&b, "ABS", kFloat, else_outputs);
  const int c = b.Input("go", std::move(shape), condition), x = b.Input("a", {1}), y = b.Tensor("b", {1});
  b.Op("IF", {c, x}, {y}, Branches(then_graph, else_graph));
  b.Output(y);
  return Import(b);
}

// while (condition(x)) x = body(x)
Status WhileOf(const std::function<int(TfliteBuilder*)>& condition,
               const std::function<int(TfliteBuilder*)>& body) {
  TfliteBuilder b;
  const int condition_graph = condition(&b), body_graph = body(&b);
  const int x = b.Input("a", {1}), y = b.Tensor("b", {1});
  b.Op("WHILE", {x}, {y}, Repeats(condition_graph, body_graph));
  b.Output(y);
  return Import(b);
}

// What a loop leaves in a variable.
Status LoopOverTotal(TfliteBuilder* b, int condition, int body) {
  const int handle = AddHandle(b, "total"), given = b->Tensor("given", {}, kResource),
            y = b->Tensor("y", {1});
  b->Op("WHILE", {handle}, {given}, Repeats(condition, body));
  b->Op("READ_VARIABLE", {given}, {y});
  b->Output(y);
  return Import(*b);
}

int AddNegation(TfliteBuilder* b) { return AddUnary(b, "NEG"); }

// Of the first element, so that a value of any rank does.
int AddIsNegative(TfliteBuilder* b) {
  const int index = b->AddSubgraph();
  const int x = b->Input("x", {1}), first = b->Tensor("first", {1}), y = b->Tensor("y", {1}, kBool);
  b->Op("RESHAPE", {x, b->Integers("one", {1})}, {first});
  b->Op("LESS", {first, b->Floats("zero", {1}, {0})}, {y});
  b->Output(y);
  b->BackToMain();
  return index;
}

const Refusal kCalls[] = {
    {"ArgumentOfAnotherQuantization",
     [] {
       TfliteBuilder b;
       const int callee = AddUnary(&b, "ABS", kInt8, 1, {{0.5f}, {3}});
       const int x = b.Input("a", {1}, kInt8, {{0.25f}, {3}}), y = b.Tensor("b", {1}, kInt8, {{0.5f}, {3}});
       b.Op("CALL", {x}, {y}, Calls(callee));
       b.Output(y);
       return Import(b);
     },
     "input 0: a tensor is handed on with another quantization", kUnsupported},
    {"FewerResultsThanOutputs",
     [] {
       TfliteBuilder b;
       const int callee = AddNegation(&b);
       const int x = b.Input("a", {1}), y = b.Tensor("b", {1}), z = b.Tensor("c", {1});
       b.Op("CALL", {x}, {y, z}, Calls(callee));
       b.Output(y).Output(z);
       return Import(b);
     },
     "it has 2 outputs, and its subgraph 1"},
    {"ManyLoopsInsideEachOther",
     [] {
       TfliteBuilder b;
       const int condition = AddIsNegative(&b);
       int inner = AddNegation(&b);
       constexpr int kDepth = 16;
       for (int i = 0; i <= kDepth; ++i) {
         const int loop = i == kDepth ? 0 : b.AddSubgraph();
         const int x = b.Input("x", {1}), y = b.Tensor("y", {1});
         b.Op("WHILE", {x}, {y}, Repeats(condition, inner));
         b.Output(y);
         b.BackToMain();
         inner = loop;
       }
       return Import(b);
     },
     "more than 16 graphs inside each other", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TfliteCalls, kCalls);

const Refusal kBranches[] = {
    {"ConditionOfFloats", MICRORT_STATUS(IfOf(kFloat, {}, 1, 1)), "condition 'go': expected one bool"},
    {"SeveralConditions", MICRORT_STATUS(IfOf(kBool, {2}, 1, 1)), "condition 'go': expected one bool"},
    // It would decide which branch is imported.
    {"ConstantConditionOfAByte",
     [] {
       TfliteBuilder b;
       const int same = AddNegation(&b);
       const int c = b.Constant<int8_t>("go", {1}, kInt8, {1}), x = b.Input("a", {1}), y = b.Tensor("b", {1});
       b.Op("IF", {c, x}, {y}, Branches(same, same));
       b.Output(y);
       return Import(b);
     },
     "condition 'go': expected one bool"},
    {"OtherNumbersOfOutputs", MICRORT_STATUS(IfOf(kBool, {}, 1, 2)), "the branches have 1 and 2 outputs"},
    {"MoreOutputsThanTheOperator", MICRORT_STATUS(IfOf(kBool, {}, 2, 2)),
     "it has 1 outputs, and its subgraph 2"},
    {"BranchesThatGiveVariables",
     [] {
       TfliteBuilder b;
       const int same = AddIdentity(&b, kResource), again = AddIdentity(&b, kResource);
       const int c = b.Input("go", {}, kBool), handle = AddHandle(&b, "total"),
                 given = b.Tensor("given", {}, kResource), y = b.Tensor("y", {1});
       b.Op("IF", {c, handle}, {given}, Branches(same, again));
       b.Op("READ_VARIABLE", {given}, {y});
       b.Output(y);
       return Import(b);
     },
     "branches that give variables", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TfliteBranches, kBranches);

const Refusal kLoops[] = {
    {"TwoConditions",
     [] { return WhileOf([](TfliteBuilder* b) { return AddUnary(b, "CAST", kBool, 2); }, AddNegation); },
     "the condition has 2 outputs"},
    {"NoCondition",
     [] { return WhileOf([](TfliteBuilder* b) { return AddUnary(b, "CAST", kBool, 0); }, AddNegation); },
     "the condition has 0 outputs"},
    {"VariableAsCondition",
     [] {
       TfliteBuilder b;
       const int condition = AddIdentity(&b, kResource), body = AddIdentity(&b, kResource);
       return LoopOverTotal(&b, condition, body);
     },
     "the condition has 1 outputs"},
    {"ConditionOfFloats", MICRORT_STATUS(WhileOf(AddNegation, AddNegation)), "expected one bool"},
    {"VariablesThatIterationsExchange",
     [] {
       TfliteBuilder b;
       const int condition = b.AddSubgraph();
       b.Input("x", {}, kResource);
       b.Output(b.Constant<uint8_t>("go", {1}, kBool, {1}));
       const int body = b.AddSubgraph();
       b.Input("x", {}, kResource);
       b.Output(AddHandle(&b, "other"));
       b.BackToMain();
       return LoopOverTotal(&b, condition, body);
     },
     "input 0, which iterations hand on, is a variable", kUnsupported},
    {"ValuesThatGetMoreDimensions",
     [] {
       const auto body = [](TfliteBuilder* b) {
         const int index = b->AddSubgraph();
         const int x = b->Input("x", {1}), y = b->Tensor("y", {1, 1});
         b->Op("EXPAND_DIMS", {x, b->Integers("axis", {0})}, {y});
         b->Output(y);
         b->BackToMain();
         return index;
       };
       return WhileOf(AddIsNegative, body);
     },
     "the value 'a' changes its type or rank from one iteration to the next", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TfliteLoops, kLoops);

}  // namespace
}  // namespace micrort::testing::tflite_refused_control_flow
