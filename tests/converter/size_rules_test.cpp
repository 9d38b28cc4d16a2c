// What operators require of the sizes of inputs: told by the converter, kept in the file, checked by
// Resize().

#include "runtime/model/size_rules.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "converter/report/summary_json.h"
#include "tests/converter/converted.h"

namespace micrort {
namespace {

using testing::Converted;
using testing::Counting;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OnnxBuilder;

std::vector<std::string> RulesOf(const Converted& converted) {
  std::vector<std::string> rules;
  const schema::Subgraph& entry = *schema::GetModel(converted.result().file.data())->subgraphs()->Get(0);
  const SizeRuleList* list = SizeRulesOf(entry);
  for (uint32_t i = 0; list != nullptr && i < list->size(); ++i) {
    const schema::SizeRule& rule = *list->Get(i);
    rules.push_back(rule.text()->str() + " for " + rule.node()->str());
  }
  return rules;
}

std::vector<std::string> DefaultShapes(const Converted& converted) {
  std::vector<std::string> shapes;
  auto interpreter = Interpreter::Create(converted.model());
  if (!interpreter.ok()) return {interpreter.status().message()};
  for (size_t i = 0; i < interpreter->input_count(); ++i)
    shapes.emplace_back(ShapeString(interpreter->input(i).shape).c_str());
  return shapes;
}

OnnxBuilder Sum() {
  OnnxBuilder b;
  b.Input("old", {"past", "2"}).Input("now", {"new", "2"}).Input("mask", {"1", "total"});
  b.Node("Concat", {"old", "now"}, {"all"}).Int("axis", 0).Node("MatMul", {"mask", "all"}, {"y"});
  return b;
}

TEST(SizeRules, OneSizeIsTheSumOfOthers) {
  OnnxBuilder b = Sum();
  Converted converted(b);
  EXPECT_THAT(RulesOf(converted), ElementsAre("total = new + past for y"));
  EXPECT_THAT(DefaultShapes(converted), ElementsAre("1x2", "1x2", "1x2"));
  EXPECT_EQ(converted.Run({Counting({1, 2}), Counting({1, 2}), Counting({1, 2})}), "1x2: 3 6");
  EXPECT_THAT(converted.Run({Counting({6, 2}), Counting({1, 2}), Counting({1, 8})}),
              HasSubstr("input 2 ('mask'): dimension 1: expected 7 (total = new + past, as node 'y' needs "
                        "it), found 8"));
}

TEST(SizeRules, FixedInputsLeaveNone) {
  OnnxBuilder b = Sum();
  ConvertOptions options;
  options.input_shapes = {{"old", {1, 2}}, {"now", {1, 2}}};
  const Converted converted(b, {"y"}, options);
  EXPECT_THAT(RulesOf(converted), ElementsAre());
  ASSERT_EQ(converted.result().summary.fixed_dimensions.size(), 1u);
  EXPECT_EQ(converted.model().input(2).shape[1], 2);
}

// Rows of a table, as many as there are in x, are added to these.
TEST(SizeRules, ATableBoundsASize) {
  OnnxBuilder b;
  b.Input("x", {"n", "1"}).Floats("table", {3, 1}, {10, 20, 30}).Integers("zero", {1}, {0});
  b.Node("Shape", {"x"}, {"shape"}).Node("Slice", {"shape", "zero", "one"}, {"n"}).Integers("one", {1}, {1});
  b.Node("Slice", {"table", "zero", "n"}, {"rows"}).Node("Add", {"x", "rows"}, {"y"});
  Converted converted(b);
  EXPECT_THAT(RulesOf(converted), ElementsAre("n <= 3 for y"));
  EXPECT_EQ(converted.Run({Counting({3, 1})}), "3x1: 11 22 33");
  EXPECT_EQ(converted.Run({Counting({1, 1})}), "1x1: 11");
  EXPECT_THAT(converted.Run({Counting({4, 1})}),
              HasSubstr("input 0 ('x'): dimension 0: expected n <= 3, as node 'y' needs it, found 4"));
}

OnnxBuilder Halved() {
  OnnxBuilder b;
  b.Input("image", {"1", "2", "h", "4"}).Floats("factors", {4}, {1, 1, 2, 1}).Floats("none", {0}, {});
  b.Weights("w", {2, 2, 1, 1}).Node("Conv", {"image", "w"}, {"full"});
  b.Node("MaxPool", {"full"}, {"half"}).Ints("kernel_shape", {2, 1}).Ints("strides", {2, 1});
  b.Node("Resize", {"half", "none", "factors"}, {"whole"}).String("mode", "nearest");
  return b.Node("Concat", {"full", "whole"}, {"y"}).Int("axis", 1);
}

TEST(SizeRules, TwiceTheHalfIsTheWholeOfEvenSizes) {
  OnnxBuilder b = Halved();
  Converted converted(b);
  EXPECT_THAT(RulesOf(converted), ElementsAre("h is a multiple of 2 for y"));
  EXPECT_THAT(DefaultShapes(converted), ElementsAre("1x2x2x4"));
  EXPECT_THAT(converted.Run({Counting({1, 2, 3, 4})}), HasSubstr("expected h is a multiple of 2"));
}

TEST(SizeRules, FollowDimensionsIntoAnotherLayout) {
  OnnxBuilder b = Halved();
  ConvertOptions options;
  options.io_layout = IoLayout::kNhwc;
  Converted converted(b, {"y"}, options);
  EXPECT_THAT(DefaultShapes(converted), ElementsAre("1x2x4x2"));
  EXPECT_THAT(converted.Run({Counting({1, 3, 4, 2})}), HasSubstr("dimension 1: expected h is a multiple"));
}

TEST(SizeRules, WhatWeightsFixIsTold) {
  OnnxBuilder b;
  b.Input("x", {"n", "m"}).Weights("w", {3, 2}).Node("MatMul", {"x", "w"}, {"y"});
  const Converted converted(b);
  const report::Summary& summary = converted.result().summary;
  EXPECT_THAT(report::SummaryText(summary),
              HasSubstr("fixed      dimension 1 ('m') of input 'x' is 3: node 'y' needs it"));
  const auto json = nlohmann::json::parse(report::ToJson(summary, {}, {}));
  EXPECT_EQ(json["fixed_dimensions"],
            nlohmann::json::parse(R"([{"input": "x", "dim": 1, "size": 3, "node": "y"}])"));
  EXPECT_THAT(RulesOf(converted), ElementsAre());
}

// More rules than a file may have: operators check the rest.
TEST(SizeRules, AreNoMoreThanTheRuntimeReads) {
  OnnxBuilder b;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < kMaxSizeRules + 10; ++i) {
    names.push_back("x" + std::to_string(i));
    b.Input(names.back(), {"", "1"});
  }
  b.Node("Concat", names, {"y"}).Int("axis", 1);
  const Converted converted(b);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_EQ(RulesOf(converted).size(), kMaxSizeRules);
}

struct Kind {
  const char* name;
  void (*set)(ConvertOptions&);
};

class SizeRulesOf : public ::testing::TestWithParam<Kind> {};

// Whatever becomes of weights, inputs and states.
TEST_P(SizeRulesOf, AreKept) {
  OnnxBuilder b;
  b.Input("a", {"n", "32"}).Input("b", {"m", "32"}).Input("old", {"1", "4"}).Weights("w", {32, 4});
  b.Node("Concat", {"a", "b"}, {"both"})
      .Int("axis", 1)
      .Node("Slice", {"both", "zero", "width", "one"}, {"x"});
  b.Integers("zero", {1}, {0}).Integers("width", {1}, {32}).Integers("one", {1}, {1});
  b.Node("MatMul", {"x", "w"}, {"y"}).Node("ReduceSum", {"y"}, {"sum"}).Int("keepdims", 1);
  b.Node("Add", {"old", "sum"}, {"next"});
  ConvertOptions options;
  GetParam().set(options);
  Converted converted(b, {"y", "next"}, options);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_THAT(RulesOf(converted), ElementsAre("m = n for both"));
  const bool keeps_state = converted.model().input_count() == 2;
  const Shape three[] = {Shape::Of(2, 32), Shape::Of(3, 32), Shape::Of(1, 4)};
  InterpreterOptions sizes;
  sizes.input_shapes = {three, keeps_state ? size_t{2} : size_t{3}};
  EXPECT_THAT(Interpreter::Create(converted.model(), sizes).status().message(),
              HasSubstr("input 1 ('b'): dimension 0: expected 2 (m = n, as node 'both' needs it), found 3"));
  EXPECT_TRUE(Interpreter::Create(converted.model()).ok());
}

const Kind kKinds[] = {
    {"Float", [](ConvertOptions&) {}},
    {"Half", [](ConvertOptions& o) { o.quant = QuantMode::kFp16; }},
    {"DynamicInt8", [](ConvertOptions& o) { o.quant = QuantMode::kInt8; }},
    {"Int4", [](ConvertOptions& o) { o.quant = QuantMode::kInt4Weights; }},
    {"State",
     [](ConvertOptions& o) {
       o.states = {{"next", "old"}};
     }},
};

INSTANTIATE_TEST_SUITE_P(Kinds, SizeRulesOf, ::testing::ValuesIn(kKinds),
                         [](const auto& info) { return info.param.name; });

TEST(SizeRules, EqualNamesNeedNone) {
  OnnxBuilder b;
  b.Input("a", {"n", "2"}).Input("b", {"n", "2"}).Node("Concat", {"a", "b"}, {"y"}).Int("axis", 1);
  EXPECT_THAT(RulesOf(Converted(b)), ElementsAre());
}

TEST(SizeRules, UnnamedDimensionsAreNamedByTheirPlace) {
  OnnxBuilder b;
  b.Input("a", {"", "2"}).Input("b", {"", "2"}).Node("Concat", {"a", "b"}, {"y"}).Int("axis", 1);
  EXPECT_THAT(RulesOf(Converted(b)), ElementsAre("b[0] = a[0] for y"));
}

}  // namespace
}  // namespace micrort
