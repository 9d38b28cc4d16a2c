// Sequences and optionals, which are resolved while a model is imported.

#include <gmock/gmock.h>

#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using testing::RunOnnx;

// a = [1, 2], b = [3, 4], c = [5, 6], which the graph is given, in a sequence.
OnnxBuilder Sequence() {
  OnnxBuilder b(18);
  b.Input("a", {"2"}).Input("b", {"2"}).Input("c", {"2"});
  return b.Node("SequenceConstruct", {"a", "b", "c"}, {"s"});
}

Floats YOfRun(OnnxBuilder& b) {
  return RunOnnx(b.Output("y"), {{"a", {1, 2}}, {"b", {3, 4}}, {"c", {5, 6}}})["y"];
}

OnnxBuilder& Joined(OnnxBuilder& b, const std::string& sequence) {
  return b.Node("ConcatFromSequence", {sequence}, {"y"}).Int("axis", 0);
}

TEST(OnnxSequence, ElementsAreFoundByPosition) {
  OnnxBuilder first = Sequence();
  EXPECT_THAT(YOfRun(first.Integers("i", {}, {0}).Node("SequenceAt", {"s", "i"}, {"y"})), ElementsAre(1, 2));
  OnnxBuilder last = Sequence();
  EXPECT_THAT(YOfRun(last.Integers("i", {}, {-1}).Node("SequenceAt", {"s", "i"}, {"y"})), ElementsAre(5, 6));
  OnnxBuilder outside = Sequence();
  outside.Integers("i", {}, {3}).Node("SequenceAt", {"s", "i"}, {"y"}).Output("y");
  EXPECT_THAT(Import(outside).text(), HasSubstr("position 3, of 3"));
}

TEST(OnnxSequence, APositionThatTheRunDecidesPicksFromEqualShapes) {
  OnnxBuilder b = Sequence();
  b.Node("ArgMax", {"a"}, {"i"}).Int("keepdims", 0).Node("SequenceAt", {"s", "i"}, {"y"});
  EXPECT_THAT(YOfRun(b), ElementsAre(3, 4));
}

TEST(OnnxSequence, InsertsAndErases) {
  OnnxBuilder appended = Sequence();
  EXPECT_THAT(YOfRun(Joined(appended.Node("SequenceInsert", {"s", "a"}, {"t"}), "t")),
              ElementsAre(1, 2, 3, 4, 5, 6, 1, 2));
  OnnxBuilder inserted = Sequence();
  inserted.Integers("i", {}, {-1}).Node("SequenceInsert", {"s", "a", "i"}, {"t"});
  EXPECT_THAT(YOfRun(Joined(inserted, "t")), ElementsAre(1, 2, 3, 4, 1, 2, 5, 6));
  OnnxBuilder at_end = Sequence();
  at_end.Integers("i", {}, {3}).Node("SequenceInsert", {"s", "a", "i"}, {"t"});
  EXPECT_THAT(YOfRun(Joined(at_end, "t")), ElementsAre(1, 2, 3, 4, 5, 6, 1, 2));
  OnnxBuilder erased = Sequence();
  erased.Integers("i", {}, {0}).Node("SequenceErase", {"s", "i"}, {"t"}).Node("SequenceErase", {"t"}, {"u"});
  EXPECT_THAT(YOfRun(Joined(erased, "u")), ElementsAre(3, 4));
}

TEST(OnnxSequence, GrowsFromNothing) {
  OnnxBuilder b(18);
  b.Input("a", {"2"}).Node("SequenceEmpty", {}, {"e"}).Node("SequenceInsert", {"e", "a"}, {"s"});
  b.Node("SequenceInsert", {"s", "a"}, {"t"}).Node("Identity", {"t"}, {"u"});
  b.Node("SequenceLength", {"u"}, {"n"}).Node("Cast", {"n"}, {"f"}).Int("to", 1);
  b.Node("SequenceAt", {"t", "one"}, {"x"}).Integers("one", {}, {1}).Node("Mul", {"x", "f"}, {"y"});
  EXPECT_THAT(RunOnnx(b.Output("y"), {{"a", {3, 4}}})["y"], ElementsAre(6, 8));
}

TEST(OnnxSequence, JoinsAlongANewAxis) {
  OnnxBuilder b = Sequence();
  b.Node("ConcatFromSequence", {"s"}, {"y"}).Int("axis", -1).Int("new_axis", 1);
  EXPECT_THAT(YOfRun(b), ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST(OnnxSequence, SplitsIntoEqualPartsOrThoseListed) {
  const auto part = [](bool scalar, std::vector<int64_t> split, int64_t position) {
    OnnxBuilder b(18);
    std::vector<int64_t> dims;
    if (!scalar) dims = {static_cast<int64_t>(split.size())};
    b.Input("x", {"5"}).Integers("split", dims, split).Integers("i", {}, {position});
    b.Node("SplitToSequence", {"x", "split"}, {"s"}).Node("SequenceAt", {"s", "i"}, {"y"}).Output("y");
    return RunOnnx(b, {{"x", {1, 2, 3, 4, 5}}})["y"];
  };
  EXPECT_THAT(part(true, {2}, 2), ElementsAre(5));
  EXPECT_THAT(part(false, {1, 4}, 1), ElementsAre(2, 3, 4, 5));
}

TEST(OnnxSequence, SplitsByComputedSizes) {
  OnnxBuilder b(18);
  b.Input("x", {"4"}).Input("sizes", {"2"}).Node("Cast", {"sizes"}, {"split"}).Int("to", 7);
  b.Node("SplitToSequence", {"x", "split"}, {"s"})
      .Integers("i", {}, {1})
      .Node("SequenceAt", {"s", "i"}, {"part"});
  b.Node("ReduceSum", {"part"}, {"y"}).Int("keepdims", 0);
  EXPECT_TRUE(Import(b.Output("y")).status.ok()) << Import(b).text();
}

TEST(OnnxSequence, SplitsMayDropTheirAxis) {
  OnnxBuilder b(18);
  b.Input("x", {"2", "2"}).Node("SplitToSequence", {"x"}, {"s"}).Int("axis", 1).Int("keepdims", 0);
  b.Integers("i", {}, {1}).Node("SequenceAt", {"s", "i"}, {"e"}).Node("Shape", {"e"}, {"n"});
  b.Node("Cast", {"n"}, {"f"}).Int("to", 1).Node("Concat", {"e", "f"}, {"y"}).Int("axis", 0);
  EXPECT_THAT(RunOnnx(b.Output("y"), {{"x", {1, 2, 3, 4}}})["y"], ElementsAre(2, 4, 2));
}

// The body: (element, other) → (element + other + a, element * 2), with a from outside.
void AddMap(OnnxBuilder& b, const std::vector<std::string>& inputs) {
  b.Node("SequenceMap", inputs, {"sums", "twice"});
  auto* attribute = b.graph().mutable_node(b.graph().node_size() - 1)->add_attribute();
  attribute->set_name("body");
  attribute->set_type(::onnx::AttributeProto::GRAPH);
  OnnxBuilder body;
  body.Floats("two", {}, {2}).Node("Add", {"element", "other"}, {"sum"}).Node("Add", {"sum", "a"}, {"moved"});
  body.Node("Mul", {"element", "two"}, {"doubled"}).Output("moved").Output("doubled");
  for (const char* name : {"element", "other"}) body.graph().add_input()->set_name(name);
  *attribute->mutable_g() = body.graph();
}

TEST(OnnxSequence, MapsEveryElement) {
  OnnxBuilder tensor = Sequence();
  AddMap(tensor, {"s", "b"});
  tensor.Integers("i", {}, {2})
      .Node("SequenceAt", {"sums", "i"}, {"u"})
      .Node("SequenceAt", {"twice", "i"}, {"v"});
  EXPECT_THAT(YOfRun(tensor.Node("Concat", {"u", "v"}, {"y"}).Int("axis", 0)), ElementsAre(9, 12, 10, 12));
  OnnxBuilder sequences = Sequence();
  AddMap(sequences, {"s", "s"});
  EXPECT_THAT(YOfRun(Joined(sequences, "sums")), ElementsAre(3, 6, 7, 10, 11, 14));
}

TEST(OnnxSequence, MapsSequencesOfOneLength) {
  OnnxBuilder b = Sequence();
  b.Node("SequenceErase", {"s"}, {"shorter"});
  AddMap(b, {"s", "shorter"});
  EXPECT_THAT(Import(Joined(b, "sums").Output("y")).text(), HasSubstr("different lengths"));
}

TEST(OnnxSequence, OtherOperatorsTakeTensorsOnly) {
  OnnxBuilder operand = Sequence();
  EXPECT_THAT(Import(operand.Node("Relu", {"s"}, {"y"}).Output("y")).text(),
              HasSubstr("input 0 is a sequence"));
  OnnxBuilder element = Sequence();
  element.Node("SequenceInsert", {"s", "s"}, {"t"});
  EXPECT_THAT(Import(Joined(element, "t").Output("y")).text(), HasSubstr("input 1 is a sequence"));
  OnnxBuilder position = Sequence();
  EXPECT_THAT(Import(position.Node("SequenceAt", {"s", "s"}, {"y"}).Output("y")).text(),
              HasSubstr("input 1 is a sequence"));
  OnnxBuilder tensor(18);
  tensor.Input("a", {"2"}).Node("SequenceLength", {"a"}, {"y"}).Output("y");
  EXPECT_THAT(Import(tensor).text(), HasSubstr("no sequence"));
}

TEST(OnnxSequence, DoesNotGoThroughLoops) {
  OnnxBuilder b = Sequence();
  b.Integers("n", {}, {2})
      .Node("Loop", {"n", "", "s"}, {"t"})
      .Node("SequenceLength", {"t"}, {"y"})
      .Output("y");
  EXPECT_EQ(Import(b).status.code(), StatusCode::kUnsupported) << "a valid model";
}

TEST(OnnxSequence, IsNoOutputOfAModel) {
  OnnxBuilder b = Sequence();
  const auto imported = Import(b.Output("s"));
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(imported.status.message(), HasSubstr("output 's' is a sequence"));
}

TEST(OnnxSequence, EmptyOnesCannotBeRead) {
  OnnxBuilder joined(18);
  joined.Node("SequenceEmpty", {}, {"s"});
  EXPECT_THAT(Import(Joined(joined, "s").Output("y")).text(), HasSubstr("the sequence is empty"));
  OnnxBuilder erased(18);
  erased.Node("SequenceEmpty", {}, {"s"})
      .Node("SequenceErase", {"s"}, {"t"})
      .Node("SequenceLength", {"t"}, {"y"});
  EXPECT_THAT(Import(erased.Output("y")).text(), HasSubstr("the sequence is empty"));
}

TEST(OnnxOptional, HoldsATensorOrASequence) {
  OnnxBuilder tensor(18);
  tensor.Input("a", {"2"})
      .Node("Optional", {"a"}, {"o"})
      .Node("OptionalGetElement", {"o"}, {"y"})
      .Output("y");
  EXPECT_THAT(RunOnnx(tensor, {{"a", {1, 2}}})["y"], ElementsAre(1, 2));
  OnnxBuilder sequence = Sequence();
  sequence.Node("Optional", {"s"}, {"o"}).Node("OptionalGetElement", {"o"}, {"t"});
  EXPECT_THAT(YOfRun(Joined(sequence, "t")), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(OnnxOptional, TellsWhetherItHoldsAnything) {
  const auto has = [](const std::vector<std::string>& inputs) {
    OnnxBuilder b(18);
    b.Input("a", {"2"}).Node("Optional", inputs, {"o"}).Node("OptionalHasElement", {"o"}, {"h"});
    b.Node("Cast", {"h"}, {"y"}).Int("to", 1).Output("y");
    return RunOnnx(b, {{"a", {1, 2}}})["y"];
  };
  EXPECT_THAT(has({"a"}), ElementsAre(1));
  EXPECT_THAT(has({}), ElementsAre(0));
  OnnxBuilder empty(18);
  empty.Node("Optional", {}, {"o"}).Node("OptionalGetElement", {"o"}, {"y"}).Output("y");
  EXPECT_THAT(Import(empty).text(), HasSubstr("the optional is empty"));
}

TEST(OnnxOptional, TensorsHaveAnElementToo) {
  OnnxBuilder b(18);
  b.Input("a", {"2"}).Node("OptionalHasElement", {"a"}, {"h"}).Node("OptionalHasElement", {""}, {"none"});
  b.Node("Cast", {"h"}, {"f"}).Int("to", 1).Node("Cast", {"none"}, {"g"}).Int("to", 1);
  b.Node("OptionalGetElement", {"a"}, {"e"}).Node("Sub", {"f", "g"}, {"d"}).Node("Mul", {"e", "d"}, {"y"});
  EXPECT_THAT(RunOnnx(b.Output("y"), {{"a", {1, 2}}})["y"], ElementsAre(1, 2));
}

}  // namespace
}  // namespace micrort
