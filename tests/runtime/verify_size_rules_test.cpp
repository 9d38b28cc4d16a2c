// Files whose rules about sizes are broken by hand, and what rules come to.

#include <gmock/gmock.h>

#include "micrort/interpreter.h"
#include "micrort/model.h"
#include "runtime/model/size_rules.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing::verify_size_rules {
namespace {

using schema::SizeStep;
using ::testing::HasSubstr;

using Steps = std::vector<std::pair<SizeStep, int64_t>>;

std::vector<int64_t> List(const Steps& steps) {
  std::vector<int64_t> list;
  for (const auto& [code, operand] : steps) {
    list.push_back(static_cast<int64_t>(code));
    list.push_back(operand);
  }
  return list;
}

const Steps kRows = {{SizeStep::Dim, 0}}, kColumns = {{SizeStep::Dim, 1}};

void AddRule(ModelBuilder& b, const std::vector<int64_t>& left, const std::vector<int64_t>& right) {
  std::vector<uint8_t>& bytes = b.graph().size_rules;
  schema::SizeRulesT list;
  if (!bytes.empty()) flatbuffers::GetRoot<schema::SizeRules>(bytes.data())->UnPackTo(&list);
  list.rules.push_back(std::make_unique<schema::SizeRuleT>());
  list.rules.back()->left = left;
  list.rules.back()->right = right;
  list.rules.back()->text = "rule";
  list.rules.back()->node = "node";
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(schema::SizeRules::Pack(builder, &list));
  bytes.assign(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
  b.model.schema_version = 13;
}

ModelBuilder Negated() {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {-1, -1});
  const int y = b.Tensor("y", kF32, {-1, -1});
  schema::UnaryOptionsT negate;
  negate.kind = schema::UnaryKind::Neg;
  b.Node(negate, {x}, {y}, "negate");
  b.Output(y);
  return b;
}

Status Load(const ModelBuilder& b) {
  const ModelFile file = b.Finish();
  return Model::FromBuffer(file.data(), file.size()).status();
}

struct Broken {
  const char* name;
  std::vector<int64_t> steps;
  const char* message;
};

std::vector<int64_t> Numbers(size_t count) {
  std::vector<int64_t> list;
  for (size_t i = 0; i < count; ++i) list.insert(list.end(), {0, 1});
  return list;
}

const Broken kRules[] = {
    {"Nothing", {}, "found 0 numbers"},
    {"HalfAStep", {0}, "found 1 numbers"},
    {"TooLong", Numbers(kMaxSizeSteps), "expected pairs"},
    {"TooDeep", Numbers(kMaxSizeDepth + 1), "expected at most 32 numbers"},
    {"UnknownStep", {99, 0}, "expected a known step, found 99"},
    {"NegativeStep", {-1, 0}, "expected a known step, found -1"},
    {"NoSuchInput", List({{SizeStep::Dim, 8}}), "expected a dimension of an input, found 8"},
    {"NoSuchDimension", List({{SizeStep::Dim, 2}}), "expected a dimension of an input, found 2"},
    {"NegativeDimension", List({{SizeStep::Dim, -1}}), "expected a dimension of an input, found -1"},
    {"HugeDimension", List({{SizeStep::Dim, INT64_MAX}}), "expected a dimension of an input"},
    {"NothingToAdd", List({{SizeStep::Number, 1}, {SizeStep::Add, 0}}), "expected 2 numbers before it"},
    {"NothingToChange", List({{SizeStep::IsZero, 0}}), "expected 1 numbers before it"},
    {"TwoResults", Numbers(2), "expected one number in the end, found 2"},
};

class VerifySizeRules : public ::testing::TestWithParam<Broken> {};

TEST_P(VerifySizeRules, Refuses) {
  ModelBuilder left = Negated(), right = Negated();
  AddRule(left, GetParam().steps, List(kRows));
  AddRule(right, List(kRows), GetParam().steps);
  for (const ModelBuilder* b : {&left, &right}) {
    const Status status = Load(*b);
    EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
    EXPECT_THAT(status.message(), HasSubstr(GetParam().message));
    EXPECT_THAT(status.message(), HasSubstr("size rule 0 ('rule')"));
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, VerifySizeRules, ::testing::ValuesIn(kRules),
                         [](const auto& info) { return info.param.name; });

// Rows are what the steps come to for 7 columns.
Status WithRows(int64_t rows, const Steps& right) {
  ModelBuilder b = Negated();
  AddRule(b, List(kRows), List(right));
  const ModelFile file = b.Finish();
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  if (!model.ok()) return model.status();
  const Shape shapes[] = {Shape::Of(rows, 7)};
  InterpreterOptions options;
  options.input_shapes = shapes;
  return Interpreter::Create(*model, options).status();
}

struct Computed {
  const char* name;
  Steps steps;
  int64_t rows;
};

const Computed kComputed[] = {
    {"Dim", kColumns, 7},
    {"Add", {{SizeStep::Dim, 1}, {SizeStep::Number, -2}, {SizeStep::Add, 0}}, 5},
    {"Multiply", {{SizeStep::Dim, 1}, {SizeStep::Number, 3}, {SizeStep::Multiply, 0}}, 21},
    {"FloorDivide", {{SizeStep::Dim, 1}, {SizeStep::Number, 2}, {SizeStep::FloorDivide, 0}}, 3},
    {"FloorDivideNegative", {{SizeStep::Number, -7}, {SizeStep::Number, -3}, {SizeStep::FloorDivide, 0}}, 2},
    {"PositivePart", {{SizeStep::Dim, 1}, {SizeStep::PositivePart, 0}}, 7},
    {"IsZero", {{SizeStep::Number, 0}, {SizeStep::IsZero, 0}}, 1},
    {"IsNonNegative", {{SizeStep::Number, -1}, {SizeStep::IsNonNegative, 0}}, 0},
    {"Broadcast", {{SizeStep::Number, 1}, {SizeStep::Dim, 1}, {SizeStep::Broadcast, 0}}, 7},
};

class SizeRuleSteps : public ::testing::TestWithParam<Computed> {};

TEST_P(SizeRuleSteps, Compute) {
  const Status right = WithRows(GetParam().rows, GetParam().steps);
  EXPECT_TRUE(right.ok()) << right.message();
  const Status wrong = WithRows(GetParam().rows + 1, GetParam().steps);
  EXPECT_EQ(wrong.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(wrong.message(), HasSubstr("rule"));
}

INSTANTIATE_TEST_SUITE_P(Steps, SizeRuleSteps, ::testing::ValuesIn(kComputed),
                         [](const auto& info) { return info.param.name; });

// No shape keeps a rule that cannot be computed.
TEST(SizeRuleLimits, AreErrors) {
  const Steps by_zero = {{SizeStep::Dim, 1}, {SizeStep::Number, 0}, {SizeStep::FloorDivide, 0}};
  const Steps overflow = {{SizeStep::Number, INT64_MAX}, {SizeStep::Dim, 1}, {SizeStep::Multiply, 0}};
  const Steps least = {{SizeStep::Number, INT64_MIN}, {SizeStep::Number, -1}, {SizeStep::FloorDivide, 0}};
  const Steps unequal = {{SizeStep::Number, 2}, {SizeStep::Dim, 1}, {SizeStep::Broadcast, 0}};
  for (const Steps& steps : {by_zero, overflow, least, unequal}) {
    EXPECT_EQ(WithRows(1, steps).code(), StatusCode::kInvalidArgument);
  }
}

// 256 rules that no sizes keep, each with as many dimensions as there is room for, of one name in 256 inputs.
TEST(SizeRuleLimits, SizesAreNotSearchedForLong) {
  ModelBuilder b = Negated();
  for (int i = 0; i < 255; ++i) b.Input("x" + std::to_string(i), kF32, {-1, -1});
  for (const int32_t input : b.graph().inputs) b.tensor(input).dim_names = {"rows", "columns"};
  Steps sum = kRows;
  for (uint32_t i = 0; i + 2 < kMaxSizeSteps / 4; ++i) {
    sum.emplace_back(SizeStep::Dim, 1);
    sum.emplace_back(SizeStep::Add, 0);
  }
  for (int i = 0; i < 256; ++i) AddRule(b, List({{SizeStep::Number, -1}}), List(sum));
  const ModelFile file = b.Finish();
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_THAT(Interpreter::Create(*model).status().message(), HasSubstr("expected rule"));
}

TEST(SizeRuleLimits, DamagedBytesAreAnError) {
  ModelBuilder whole = Negated();
  AddRule(whole, List(kRows), List(kColumns));
  ModelBuilder cut = Negated(), changed = Negated();
  const std::vector<uint8_t> bytes = whole.graph().size_rules;
  cut.graph().size_rules.assign(bytes.begin(), bytes.end() - 8);
  changed.graph().size_rules = bytes;
  changed.graph().size_rules[0] = 0xff;
  for (const ModelBuilder* b : {&cut, &changed}) {
    EXPECT_EQ(Load(*b).code(), StatusCode::kInvalidModel);
    EXPECT_THAT(Load(*b).message(), HasSubstr("are damaged"));
  }
}

TEST(SizeRuleLimits, OnlyTheEntryHasRules) {
  ModelBuilder b = Negated();
  b.Use(b.AddGraph("body"));
  b.Output(b.Input("x", kF32, {1}));
  AddRule(b, List({{SizeStep::Number, 1}}), List({{SizeStep::Number, 1}}));
  EXPECT_THAT(Load(b).message(), HasSubstr("expected rules about sizes of the first subgraph only"));
}

TEST(SizeRuleLimits, AreNotTooMany) {
  ModelBuilder b = Negated();
  for (int i = 0; i < 257; ++i) AddRule(b, List(kRows), List(kRows));
  EXPECT_EQ(Load(b).code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort::testing::verify_size_rules
