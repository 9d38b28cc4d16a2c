// Files whose graphs do not fit the operators that own them: each is refused when it is loaded.

#include <gmock/gmock.h>

#include <functional>

#include "tests/runtime/control_flow_models.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

struct BrokenBody {
  const char* name;
  std::function<ModelBuilder()> make;
  const char* message;
  StatusCode code = StatusCode::kInvalidModel;
};

schema::IfOptionsT& Branches(ModelBuilder& b, size_t node = 0) {
  return *b.graph().operators[node]->options.AsIfOptions();
}
schema::LoopOptionsT& LoopOptions(ModelBuilder& b) {
  return *b.graph().operators[0]->options.AsLoopOptions();
}

ModelBuilder BrokenIf(const std::function<void(NegOrAbs&)>& change) {
  NegOrAbs b;
  change(b);
  return std::move(b);
}

ModelBuilder BrokenLoop(bool has_condition, const std::function<void(SumLoop&)>& change) {
  SumLoop b(has_condition);
  change(b);
  return std::move(b);
}

// Graph i owns graph i + 1, `depth` times.
ModelBuilder Nested(uint32_t depth) {
  ModelBuilder b;
  for (uint32_t i = 0; i < depth; ++i) {
    if (i != 0) b.Use(b.AddGraph("level"));
    b.Input("i", DType::kInt64, {});
    b.Input("condition", DType::kBool, {});
    const int x = b.Input("x", DType::kFloat32, {1});
    const int y = b.Tensor("y", DType::kFloat32, {1});
    const int one = b.Constant<int64_t>("one", {}, {1});
    if (i + 1 < depth) {
      b.Node(LoopOf(i + 1, 1, false), {one, -1, x}, {y}, "loop");
    } else {
      b.Node(UnaryOf(schema::UnaryKind::Abs), {x}, {y}, "abs");
    }
    b.Output(y);
  }
  return b;
}

const BrokenBody kBroken[] = {
    {"NoSuchGraph", [] { return BrokenIf([](NegOrAbs& b) { Branches(b).else_graph = 7; }); },
     "node 0 ('choose', If): expected a body in [1, 3), found subgraph 7"},
    {"Recursion",
     [] {
       return BrokenIf([](NegOrAbs& b) {
         b.Use(b.negate);
         b.graph().operators.clear();
         b.tensor(0).dtype = schema::DType::Bool;
         b.Node(IfOf(b.negate, b.absolute), {0, 0}, {1}, "again");
         b.Use(b.absolute);
         b.tensor(0).dtype = schema::DType::Bool;
         b.Use(0);
         b.tensor(b.x).dtype = schema::DType::Bool;
       });
     },
     "expected a body in [2, 3), found subgraph 1"},
    {"TheEntryAsBody", [] { return BrokenIf([](NegOrAbs& b) { Branches(b).then_graph = 0; }); },
     "expected a body in [1, 3), found subgraph 0"},
    {"OneBodyForBoth", [] { return BrokenIf([](NegOrAbs& b) { Branches(b).else_graph = b.negate; }); },
     "subgraph 1 is the body of another node already"},
    {"NobodysBody", [] { return BrokenIf([](NegOrAbs& b) { b.AddGraph("lost"); }); },
     "the graph has no outputs"},
    {"NobodysGraph",
     [] { return BrokenIf([](NegOrAbs& b) { UnaryGraph(b, "lost", schema::UnaryKind::Abs, {1}); }); },
     "subgraph 3 ('lost') belongs to no node of a subgraph before it"},
    {"TooDeep", [] { return Nested(17); }, "expected at most 16 graphs inside each other",
     StatusCode::kUnsupported},
    {"NoCondition", [] { return BrokenIf([](NegOrAbs& b) { b.graph().operators[0]->inputs[0] = -1; }); },
     "body 1 ('negate'): the condition is absent"},
    {"AbsentCapture", [] { return BrokenIf([](NegOrAbs& b) { b.graph().operators[0]->inputs[1] = -1; }); },
     "inputs 0 is absent"},
    {"FewInputs", [] { return BrokenIf([](NegOrAbs& b) { b.graph().operators[0]->inputs.pop_back(); }); },
     "body 1 ('negate'): expected 0 inputs, found 1"},
    {"ManyOutputs",
     [] {
       return BrokenIf([](NegOrAbs& b) {
         const int more = b.Tensor("more", DType::kFloat32, {3});
         b.graph().operators[0]->outputs.push_back(more);
       });
     },
     "body 1 ('negate'): expected 2 outputs, found 1"},
    {"InputOfOtherType",
     [] { return BrokenIf([](NegOrAbs& b) { b.tensor(b.x).dtype = schema::DType::Int32; }); },
     "inputs 0: expected int32 as 'x', found float32 as 'x'"},
    {"OutputOfOtherType",
     [] { return BrokenIf([](NegOrAbs& b) { b.tensor(b.y).dtype = schema::DType::Int32; }); },
     "outputs 0: expected int32 as 'y', found float32 as 'y'"},
    {"InputAsOutput",
     [] {
       return BrokenIf([](NegOrAbs& b) {
         b.Use(b.absolute);
         b.graph().outputs = {0};
         b.Use(0);
       });
     },
     "body 2 ('absolute'): output 0: expected a tensor that a node writes, each once, found 'x'"},
    {"ManyCarried", [] { return BrokenLoop(false, [](SumLoop& b) { LoopOptions(b).carried = 3; }); },
     "do not fit a body of 4 inputs and 2 outputs"},
    {"MoreCarriedThanThereAre",
     [] { return BrokenLoop(false, [](SumLoop& b) { LoopOptions(b).carried = 0xffffffff; }); },
     "4294967295 carried values do not fit"},
    {"MissingCondition",
     [] { return BrokenLoop(false, [](SumLoop& b) { LoopOptions(b).has_condition = true; }); },
     "do not fit a body of 4 inputs and 2 outputs"},
    {"IterationOfOtherType",
     [] {
       return BrokenLoop(false, [](SumLoop& b) {
         b.Use(b.body);
         b.tensor(0).dtype = schema::DType::Int32;
         b.Use(0);
       });
     },
     "iteration: expected int64, found int32"},
    {"CarriedOfOtherType",
     [] { return BrokenLoop(false, [](SumLoop& b) { b.tensor(b.sum).dtype = schema::DType::Int32; }); },
     "carried values 0: expected float32 as 'start', found int32 as 'sum'"},
    {"ConditionOfOtherType",
     [] {
       return BrokenLoop(true, [](SumLoop& b) {
         b.Use(b.body);
         for (auto& tensor : b.graph().tensors) {
           if (tensor->name == "go_on") tensor->dtype = schema::DType::UInt8;
         }
         b.Use(0);
       });
     },
     "condition: expected bool, found uint8"},
};

class VerifyBodiesTest : public ::testing::TestWithParam<BrokenBody> {};

TEST_P(VerifyBodiesTest, Refuses) {
  const ModelFile file = GetParam().make().Finish();
  const Status status = Model::FromBuffer(file.data(), file.size()).status();
  EXPECT_EQ(status.code(), GetParam().code);
  EXPECT_THAT(status.message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(Bodies, VerifyBodiesTest, ::testing::ValuesIn(kBroken),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(VerifyBodies, AcceptsGraphsNestedToTheLimit) {
  const ModelFile file = Nested(16).Finish();
  const Status status = Model::FromBuffer(file.data(), file.size()).status();
  EXPECT_TRUE(status.ok()) << status.message();
}

}  // namespace
}  // namespace micrort::testing
