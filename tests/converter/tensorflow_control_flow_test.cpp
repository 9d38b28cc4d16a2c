// Branches, loops and lists of TensorFlow graphs, as functions and as TensorFlow 1 has them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_functions.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using frontend::ImportOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char kHead[] = "versions { producer: 1395 }\n";
const char kOfFloats[] = "T { type: DT_FLOAT }";

// sum(x) > 0 ? x * 2 : -x
std::string Branching(const std::string& op) {
  return TfInput("x", {3}) + TfIntegers("axis", {0}) + TfFloats("zero", {}, {0}) +
         TfNode("sum", "Sum", {"x", "axis"}, {kOfFloats}) +
         TfNode("is_positive", "Greater", {"sum", "zero"}, {kOfFloats}) +
         TfNode("y", op, {"is_positive", "x"},
                {FunctionAttribute("then_branch", "Twice"), FunctionAttribute("else_branch", "Minus")}) +
         "library { " +
         TfFunction("Twice", {"a: DT_FLOAT"}, {TfNode("twice", "AddV2", {"a", "a"}, {kOfFloats})},
                    {"out = twice:z:0"}) +
         TfFunction("Minus", {"a: DT_FLOAT"}, {TfNode("minus", "Neg", {"a"}, {kOfFloats})},
                    {"out = minus:y:0"}) +
         "}\n" + kHead;
}

TEST(TensorflowControlFlow, ARunChoosesAmongBranches) {
  for (const char* op : {"If", "StatelessIf"}) {
    EXPECT_THAT(ConvertAndRunTf(Branching(op), {{"x", {1, 2, -1}}})["y"], ElementsAre(2, 4, -2));
    EXPECT_THAT(ConvertAndRunTf(Branching(op), {{"x", {1, -2, -1}}})["y"], ElementsAre(-1, 2, 1));
  }
}

TEST(TensorflowControlFlow, BranchThatCannotRunIsAnErrorOnlyIfTaken) {
  for (const bool fails_first : {true, false}) {
    const std::string text = TfInput("x", {2}) + TfIntegers("axis", {0}) + TfFloats("zero", {}, {0}) +
                             TfNode("sum", "Sum", {"x", "axis"}, {kOfFloats}) +
                             TfNode("is_positive", "Greater", {"sum", "zero"}, {kOfFloats}) +
                             TfNode("y", "If", {"is_positive", "x"},
                                    {FunctionAttribute("then_branch", fails_first ? "Fails" : "Minus"),
                                     FunctionAttribute("else_branch", fails_first ? "Minus" : "Fails")}) +
                             "library { " +
                             TfFunction("Fails", {"a: DT_FLOAT"},
                                        {TfFloats("three", {3}, {1, 2, 3}),
                                         TfNode("add", "AddV2", {"a", "three:output:0"}, {kOfFloats})},
                                        {"out = add:z:0"}) +
                             TfFunction("Minus", {"a: DT_FLOAT"},
                                        {TfNode("minus", "Neg", {"a"}, {kOfFloats})}, {"out = minus:y:0"}) +
                             "}\n" + kHead;
    Converted converted("graph.pbtxt", text);
    const float sign = fails_first ? 1 : -1;
    EXPECT_EQ(converted.Run({Array<float>({2}, {-sign, -2 * sign})}), fails_first ? "2: 1 2" : "2: -1 -2");
    EXPECT_THAT(converted.Run({Array<float>({2}, {sign, 2 * sign})}),
                HasSubstr(fails_first ? "then branch: node 'then: node 'y/add' (AddV2)"
                                      : "else branch: node 'else: node 'y/add' (AddV2)"));
  }
}

TEST(TensorflowControlFlow, CasesBeyondTheLastOneAreTheLastOne) {
  const std::string text =
      TfInput("x", {2}) + TfInput("which", {}) +
      TfNode("index", "Cast", {"which"}, {"DstT { type: DT_INT32 }"}) +
      TfNode("y", "Case", {"index", "x"},
             {"branches { list { func { name: 'A' } func { name: 'B' } func { name: 'C' } } }"}) +
      "library { " +
      TfFunction("A", {"a: DT_FLOAT"}, {TfNode("n", "Neg", {"a"}, {kOfFloats})}, {"out = n:y:0"}) +
      TfFunction("B", {"a: DT_FLOAT"}, {TfNode("n", "Square", {"a"}, {kOfFloats})}, {"out = n:y:0"}) +
      TfFunction("C", {"a: DT_FLOAT"}, {TfNode("n", "Abs", {"a"}, {kOfFloats})}, {"out = n:y:0"}) + "}\n" +
      kHead;
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {-2, 3}}, {"which", {0}}})["y"], ElementsAre(2, -3));
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {-2, 3}}, {"which", {1}}})["y"], ElementsAre(4, 9));
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {-2, 3}}, {"which", {2}}})["y"], ElementsAre(2, 3));
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {-2, 3}}, {"which", {7}}})["y"], ElementsAre(2, 3));
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {-2, 3}}, {"which", {-1}}})["y"], ElementsAre(2, 3));
}

// for (i = 0; i < 3; ++i) v = v * 2 + x, with x handed through.
TEST(TensorflowControlFlow, LoopsHandOnWhatIterationsChange) {
  const std::vector<std::string> arguments = {"i: DT_INT32", "v: DT_FLOAT", "x: DT_FLOAT"};
  const std::string text =
      TfInput("x", {2}) + ScalarInteger("zero", 0) +
      TfNode("loop", "StatelessWhile", {"zero", "x", "x"},
             {FunctionAttribute("cond", "C"), FunctionAttribute("body", "B")}) +
      TfNode("y", "Identity", {"loop:1"}, {kOfFloats}) + "library { " +
      TfFunction("C", arguments, {ScalarInteger("n", 3), TfNode("less", "Less", {"i", "n:output:0"})},
                 {"out = less:z:0"}) +
      TfFunction("B", arguments,
                 {ScalarInteger("one", 1), TfNode("next", "AddV2", {"i", "one:output:0"}),
                  TfNode("twice", "AddV2", {"v", "v"}), TfNode("sum", "AddV2", {"twice:z:0", "x"}),
                  TfNode("same", "Identity", {"x"})},
                 {"i_out = next:z:0", "v_out = sum:z:0", "x_out = same:output:0"}) +
      "}\n" + kHead;
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {1, -2}}})["y"], ElementsAre(15, -30));
}

TEST(TensorflowControlFlow, LoopsThatNeverBeginHandOnTheirInputs) {
  const std::string text =
      TfInput("x", {2}) +
      TfNode("loop", "While", {"x"}, {FunctionAttribute("cond", "C"), FunctionAttribute("body", "B")}) +
      TfNode("y", "Neg", {"loop"}, {kOfFloats}) + "library { " +
      TfFunction("C", {"v: DT_FLOAT"},
                 {ScalarInteger("n", 3), TfNode("less", "Less", {"n:output:0", "n:output:0"})},
                 {"out = less:z:0"}) +
      TfFunction("B", {"v: DT_FLOAT"}, {TfNode("twice", "AddV2", {"v", "v"})}, {"v_out = twice:z:0"}) +
      "}\n" + kHead;
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {1, -2}}})["y"], ElementsAre(-1, 2));
}

// The running sums of x [T,B,H], as a recurrent layer of Keras writes them: element t of a list is read, a
// state is changed, and what it has become is written to element t of another list.
std::string RunningSums(const std::string& input, const std::string& reserve_shape) {
  const std::vector<std::string> arguments = {"t: DT_INT32", "steps: DT_INT32", "out: DT_VARIANT",
                                              "h: DT_FLOAT", "in: DT_VARIANT"};
  const std::string of_list = "element_dtype { type: DT_FLOAT }";
  return input + ScalarInteger("zero", 0) + TfIntegers("first", {0}) + TfIntegers("second", {1}) +
         TfIntegers("stride", {1}) + TfNode("shape", "Shape", {"x"}, {kOfFloats}) +
         TfNode("length", "StridedSlice", {"shape", "first", "second", "stride"},
                {"shrink_axis_mask { i: 1 }"}) +
         reserve_shape + TfNode("list", "TensorListReserve", {"element", "length"}, {of_list}) +
         TfNode("slices", "TensorListFromTensor", {"x", "element"}, {of_list}) +
         TfNode("x0", "StridedSlice", {"x", "first", "second", "stride"}, {"shrink_axis_mask { i: 1 }"}) +
         TfNode("h0", "ZerosLike", {"x0"}, {kOfFloats}) +
         TfNode("loop", "While", {"zero", "length", "list", "h0", "slices"},
                {FunctionAttribute("cond", "C"), FunctionAttribute("body", "B")}) +
         TfNode("sums", "TensorListStack", {"loop:2", "element"}, {of_list}) +
         TfNode("last", "Identity", {"loop:3"}, {kOfFloats}) + "library { " +
         TfFunction("C", arguments, {TfNode("less", "Less", {"t", "steps"})}, {"go_on = less:z:0"}) +
         TfFunction("B", arguments,
                    {ScalarInteger("one", 1), TfNode("next", "AddV2", {"t", "one:output:0"}),
                     TfIntegers("any", {-1, -1}),
                     TfNode("item", "TensorListGetItem", {"in", "t", "any:output:0"}, {of_list}),
                     TfNode("sum", "AddV2", {"h", "item:item:0"}, {kOfFloats}),
                     TfNode("set", "TensorListSetItem", {"out", "t", "sum:z:0"}, {of_list}),
                     TfNode("same_steps", "Identity", {"steps"}), TfNode("same_in", "Identity", {"in"})},
                    {"t_out = next:z:0", "steps_out = same_steps:output:0", "out_out = set:output_handle:0",
                     "h_out = sum:z:0", "in_out = same_in:output:0"}) +
         "}\n" + kHead;
}

TEST(TensorflowLists, ALoopWritesOneElementAnIteration) {
  for (const std::string& element : {TfIntegers("element", {-1, 2}), TfIntegers("element", {-1}, true)}) {
    auto outputs =
        ConvertAndRunTf(RunningSums(TfInput("x", {3, 1, 2}), element), {{"x", {1, 2, 3, 4, 5, 6}}});
    EXPECT_THAT(outputs["sums"], ElementsAre(1, 2, 4, 6, 9, 12));
    EXPECT_THAT(outputs["last"], ElementsAre(9, 12));
  }
}

TEST(TensorflowLists, SizesOfElementsMayBeOpen) {
  ImportOptions options;
  options.input_shapes = {{"x", {3, ir::kDynamic, 2}}};
  const std::string text = RunningSums(TfInput("x", {3, -1, 2}), TfIntegers("element", {-1, 2}));
  ImportedTf imported = ImportTf(text, options);
  ASSERT_THAT(imported.status, IsOk());
  const ir::Graph& graph = imported.module.entry();
  EXPECT_THAT(graph.value(graph.outputs[0]).shape, ElementsAre(3, ir::kDynamic, 2));
}

// What iterations write is larger than any state: its size comes from the first iteration.
TEST(TensorflowLists, ElementsUnlikeAnyState) {
  const std::string of_list = "element_dtype { type: DT_FLOAT }";
  const std::vector<std::string> arguments = {"t: DT_INT32", "out: DT_VARIANT", "x: DT_FLOAT"};
  const std::string text =
      TfInput("x", {-1, 2}) + ScalarInteger("zero", 0) + ScalarInteger("length", 2) +
      ScalarInteger("element", -1) + TfNode("list", "TensorListReserve", {"element", "length"}, {of_list}) +
      TfNode("loop", "While", {"zero", "list", "x"},
             {FunctionAttribute("cond", "C"), FunctionAttribute("body", "B")}) +
      TfNode("y", "TensorListStack", {"loop:1", "element"}, {of_list}) + "library { " +
      TfFunction("C", arguments, {ScalarInteger("n", 2), TfNode("less", "Less", {"t", "n:output:0"})},
                 {"go_on = less:z:0"}) +
      TfFunction("B", arguments,
                 {ScalarInteger("one", 1), TfNode("next", "AddV2", {"t", "one:output:0"}),
                  TfNode("float", "Cast", {"t"}, {"DstT { type: DT_FLOAT }"}),
                  TfNode("scaled", "Mul", {"x", "float:y:0"}, {kOfFloats}), ScalarInteger("axis", 0),
                  TfNode("double", "ConcatV2", {"scaled:z:0", "scaled:z:0", "axis:output:0"}),
                  TfNode("set", "TensorListSetItem", {"out", "t", "double:output:0"}, {of_list})},
                 {"t_out = next:z:0", "out_out = set:output_handle:0", "x_out = x"}) +
      "}\n" + kHead;
  ImportOptions options;
  options.input_shapes = {{"x", {ir::kDynamic, 2}}};
  ImportedTf imported = ImportTf(text, options);
  ASSERT_THAT(imported.status, IsOk());
  options.input_shapes = {{"x", {1, 2}}};
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {5, 6}}}, options)["y"], ElementsAre(0, 0, 0, 0, 5, 6, 5, 6));
}

TEST(TensorflowLists, OutsideOfLoops) {
  const std::string of_list = "element_dtype { type: DT_FLOAT }";
  const std::string text = TfInput("x", {2}) + ScalarInteger("most", 4) + TfIntegers("element", {2}) +
                           TfNode("empty", "EmptyTensorList", {"element", "most"}, {of_list}) +
                           TfNode("minus", "Neg", {"x"}, {kOfFloats}) +
                           TfNode("one", "TensorListPushBack", {"empty", "x"}, {of_list}) +
                           TfNode("two", "TensorListPushBack", {"one", "minus"}, {of_list}) +
                           TfNode("all", "TensorListStack", {"two", "element"}, {of_list}) +
                           TfNode("count", "TensorListLength", {"two"}) +
                           TfNode("counted", "Cast", {"count"}, {"DstT { type: DT_FLOAT }"}) +
                           TfNode("pop", "TensorListPopBack", {"two", "element"}, {of_list}) +
                           TfNode("popped", "Identity", {"pop:1"}, {kOfFloats}) +
                           TfNode("rest", "TensorListStack", {"pop", "element"}, {of_list}) +
                           TfNode("joined", "TensorListConcatV2", {"two", "element", "element"}, {of_list}) +
                           TfNode("row", "Identity", {"joined"}, {kOfFloats}) + kHead;
  auto outputs = ConvertAndRunTf(text, {{"x", {1, 2}}});
  EXPECT_THAT(outputs["all"], ElementsAre(1, 2, -1, -2));
  EXPECT_THAT(outputs["counted"], ElementsAre(2));
  EXPECT_THAT(outputs["popped"], ElementsAre(-1, -2));
  EXPECT_THAT(outputs["rest"], ElementsAre(1, 2));
  EXPECT_THAT(outputs["row"], ElementsAre(1, 2, -1, -2));
}

// Python's tensor_list_scatter gives no length: -1.
TEST(TensorflowLists, OfEveryIndexWithoutALength) {
  const std::string text = TfInput("x", {2, 1}) + TfIntegers("element", {1}) + TfIntegers("indices", {0, 1}) +
                           ScalarInteger("length", -1) +
                           TfNode("list", "TensorListScatterV2", {"x", "indices", "element", "length"}) +
                           TfNode("all", "TensorListStack", {"list", "element"}) +
                           TfNode("y", "Neg", {"all"}, {kOfFloats}) + kHead;
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {1, 2}}})["y"], ElementsAre(-1, -2));
}

TEST(TensorflowLists, ReadWithoutAnElementIsRefused) {
  const std::string text =
      ScalarInteger("length", 2) + ScalarInteger("element", -1) +
      TfNode("list", "TensorListReserve", {"element", "length"}, {"element_dtype { type: DT_FLOAT }"}) +
      TfNode("y", "TensorListStack", {"list", "element"}, {"element_dtype { type: DT_FLOAT }"}) + kHead;
  const ImportedTf imported = ImportTf(text);
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(imported.status.message(), HasSubstr("nothing was written"));
}

TEST(TensorflowFrames, BranchesOfSwitchAndMerge) {
  // Two results of one condition, and a branch that is a constant.
  const std::string text =
      TfInput("x", {2}) + TfIntegers("axis", {0}) + TfFloats("zero", {}, {0}) +
      TfNode("sum", "Sum", {"x", "axis"}, {kOfFloats}) +
      TfNode("p", "Greater", {"sum", "zero"}, {kOfFloats}) + TfNode("pred", "Identity", {"p"}) +
      TfNode("pivot", "Switch", {"p", "p"}) + TfNode("off", "Identity", {"pivot"}) +
      TfNode("s", "Switch", {"x", "pred"}, {kOfFloats}) + TfNode("minus", "Neg", {"s"}, {kOfFloats}) +
      TfNode("twice", "AddV2", {"s:1", "s:1"}, {kOfFloats}) +
      TfNode("a", "Merge", {"minus", "twice"}, {kOfFloats}) +
      TfNode("square", "Square", {"s:1"}, {kOfFloats}) + TfFloats("fixed", {2}, {7, 8}) +
      TfNode("kept", "Identity", {"fixed", "^off"}, {kOfFloats}) +
      TfNode("b", "Merge", {"kept", "square"}, {kOfFloats}) + TfNode("ya", "Identity", {"a"}, {kOfFloats}) +
      TfNode("yb", "Identity", {"b"}, {kOfFloats}) + kHead;
  auto positive = ConvertAndRunTf(text, {{"x", {1, 2}}});
  EXPECT_THAT(positive["ya"], ElementsAre(2, 4));
  EXPECT_THAT(positive["yb"], ElementsAre(1, 4));
  auto negative = ConvertAndRunTf(text, {{"x", {1, -2}}});
  EXPECT_THAT(negative["ya"], ElementsAre(-1, 2));
  EXPECT_THAT(negative["yb"], ElementsAre(7, 8));
  ImportedTf imported = ImportTf(text);
  EXPECT_EQ(CountOps(imported.module.entry(), schema::OpCode::If), 1);
}

TEST(TensorflowFrames, BranchesInsideBranches) {
  const std::string text =
      TfInput("x", {2}) + TfInput("outer", {}) + TfInput("inner", {}) + TfFloats("zero", {}, {0}) +
      TfNode("p", "Greater", {"outer", "zero"}, {kOfFloats}) +
      TfNode("q", "Greater", {"inner", "zero"}, {kOfFloats}) +
      TfNode("s", "Switch", {"x", "p"}, {kOfFloats}) + TfNode("sq", "Switch", {"q", "p"}) +
      TfNode("t", "Switch", {"s:1", "sq:1"}, {kOfFloats}) + TfNode("a", "Neg", {"t"}, {kOfFloats}) +
      TfNode("b", "Square", {"t:1"}, {kOfFloats}) + TfNode("m", "Merge", {"a", "b"}, {kOfFloats}) +
      TfNode("c", "AddV2", {"m", "s:1"}, {kOfFloats}) + TfNode("d", "Abs", {"s"}, {kOfFloats}) +
      TfNode("merged", "Merge", {"d", "c"}, {kOfFloats}) + TfNode("y", "Identity", {"merged"}, {kOfFloats}) +
      kHead;
  const auto run = [&](float p, float q) {
    return ConvertAndRunTf(text, {{"x", {-3, 2}}, {"outer", {p}}, {"inner", {q}}})["y"];
  };
  EXPECT_THAT(run(-1, 1), ElementsAre(3, 2));
  EXPECT_THAT(run(1, -1), ElementsAre(0, 0));
  EXPECT_THAT(run(1, 1), ElementsAre(6, 6));
}

// x, negated or doubled by one condition, so many times.
std::string ChainOfBranches(int count) {
  std::string text = TfInput("x", {2}) + TfInput("p", {}) + TfFloats("zero", {}, {0}) +
                     TfNode("is", "Greater", {"p", "zero"}, {kOfFloats});
  std::string last = "x";
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += TfNode("s" + n, "Switch", {last, "is"}, {kOfFloats}) +
            TfNode("a" + n, "Neg", {"s" + n}, {kOfFloats}) +
            TfNode("b" + n, "AddV2", {"s" + n + ":1", "s" + n + ":1"}, {kOfFloats}) +
            TfNode("m" + n, "Merge", {"a" + n, "b" + n}, {kOfFloats});
    last = "m" + n;
  }
  return text + TfNode("y", "Identity", {last}, {kOfFloats}) + kHead;
}

TEST(TensorflowFrames, BranchesOneAfterAnother) {
  EXPECT_THAT(ConvertAndRunTf(ChainOfBranches(9), {{"x", {1, 2}}, {"p", {-1}}})["y"], ElementsAre(-1, -2));
  EXPECT_THAT(ConvertAndRunTf(ChainOfBranches(9), {{"x", {1, 2}}, {"p", {1}}})["y"], ElementsAre(512, 1024));
}

TEST(TensorflowFrames, BranchesOfAnyNumberAreFound) {
  ImportedTf imported = ImportTf(ChainOfBranches(1000));
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  EXPECT_EQ(CountOps(imported.module.entry(), schema::OpCode::If), 1000);
}

std::string EnterNode(const std::string& name, const std::string& input, const std::string& frame) {
  return TfNode(name, "Enter", {input}, {"frame_name { s: '" + frame + "' }"});
}

// A loop of TensorFlow 1 with a TensorArray, as dynamic_rnn writes it: h = h + x[t], y[t] = h.
TEST(TensorflowFrames, LoopsWithTensorArrays) {
  const std::string of_floats = "dtype { type: DT_FLOAT }";
  const std::string text =
      TfInput("x", {3, 2}) + ScalarInteger("zero", 0) + ScalarInteger("three", 3) + ScalarInteger("unit", 1) +
      TfNode("indices", "Range", {"zero", "three", "unit"}) +
      TfNode("in", "TensorArrayV3", {"three"}, {of_floats}) +
      TfNode("out", "TensorArrayV3", {"three"}, {of_floats}) +
      TfNode("filled", "TensorArrayScatterV3", {"in", "indices", "x", "in:1"}) + TfFloats("h0", {2}, {0, 0}) +
      EnterNode("enter_t", "zero", "while") + EnterNode("enter_h", "h0", "while") +
      EnterNode("enter_out", "out:1", "while") + EnterNode("out_handle", "out", "while") +
      EnterNode("in_handle", "in", "while") + EnterNode("in_flow", "filled", "while") +
      EnterNode("steps", "three", "while") + TfNode("merge_t", "Merge", {"enter_t", "next_t"}) +
      TfNode("merge_h", "Merge", {"enter_h", "next_h"}) +
      TfNode("merge_out", "Merge", {"enter_out", "next_out"}) + TfNode("less", "Less", {"merge_t", "steps"}) +
      TfNode("cond", "LoopCond", {"less"}) + TfNode("switch_t", "Switch", {"merge_t", "cond"}) +
      TfNode("switch_h", "Switch", {"merge_h", "cond"}) +
      TfNode("switch_out", "Switch", {"merge_out", "cond"}) + TfNode("t", "Identity", {"switch_t:1"}) +
      TfNode("h", "Identity", {"switch_h:1"}) + TfIntegers("one", {1}, true) +
      TfNode("item", "TensorArrayReadV3", {"in_handle", "t", "in_flow"}, {of_floats}) +
      TfNode("sum", "AddV2", {"h", "item"}, {kOfFloats}) +
      TfNode("write", "TensorArrayWriteV3", {"out_handle", "t", "sum", "switch_out:1"}) +
      TfNode("later", "AddV2", {"t", "one"}) + TfNode("next_t", "NextIteration", {"later"}) +
      TfNode("next_h", "NextIteration", {"sum"}) + TfNode("next_out", "NextIteration", {"write"}) +
      TfNode("exit_h", "Exit", {"switch_h"}) + TfNode("exit_out", "Exit", {"switch_out"}) +
      TfNode("size", "TensorArraySizeV3", {"out", "exit_out"}) +
      TfNode("all", "Range", {"zero", "size", "unit"}) +
      TfNode("y", "TensorArrayGatherV3", {"out", "all", "exit_out"}, {of_floats}) +
      TfNode("last", "Identity", {"exit_h"}, {kOfFloats}) + kHead;
  ImportOptions options;
  options.outputs = {"y", "last"};
  auto outputs = ConvertAndRunTf(text, {{"x", {1, 2, 3, 4, 5, 6}}}, options);
  EXPECT_THAT(outputs["y"], ElementsAre(1, 2, 4, 6, 9, 12));
  EXPECT_THAT(outputs["last"], ElementsAre(9, 12));
}

// for (i = 0; i < 2; ++i) { for (j = 0; j < 3; ++j) v += x; v = -v; }, with a branch inside: i > 0 adds 1.
TEST(TensorflowFrames, LoopsAndBranchesInsideLoops) {
  const std::string text =
      TfInput("x", {2}) + ScalarInteger("zero", 0) + TfFloats("v0", {2}, {0, 0}) +
      EnterNode("enter_i", "zero", "outer") + EnterNode("enter_v", "v0", "outer") +
      EnterNode("x_outer", "x", "outer") + TfNode("merge_i", "Merge", {"enter_i", "next_i"}) +
      TfNode("merge_v", "Merge", {"enter_v", "next_v"}) + ScalarInteger("two", 2) +
      TfNode("less_i", "Less", {"merge_i", "two"}) + TfNode("cond_i", "LoopCond", {"less_i"}) +
      TfNode("switch_i", "Switch", {"merge_i", "cond_i"}) +
      TfNode("switch_v", "Switch", {"merge_v", "cond_i"}) + ScalarInteger("start", 0) +
      EnterNode("enter_j", "start", "inner") + EnterNode("enter_w", "switch_v:1", "inner") +
      EnterNode("x_inner", "x_outer", "inner") + TfNode("merge_j", "Merge", {"enter_j", "next_j"}) +
      TfNode("merge_w", "Merge", {"enter_w", "next_w"}) + ScalarInteger("three", 3) +
      TfNode("less_j", "Less", {"merge_j", "three"}) + TfNode("cond_j", "LoopCond", {"less_j"}) +
      TfNode("switch_j", "Switch", {"merge_j", "cond_j"}) +
      TfNode("switch_w", "Switch", {"merge_w", "cond_j"}) + ScalarInteger("one", 1) +
      TfNode("later_j", "AddV2", {"switch_j:1", "one"}) + TfNode("next_j", "NextIteration", {"later_j"}) +
      TfNode("more", "AddV2", {"switch_w:1", "x_inner"}, {kOfFloats}) +
      TfNode("next_w", "NextIteration", {"more"}) + TfNode("exit_w", "Exit", {"switch_w"}) +
      TfNode("minus", "Neg", {"exit_w"}, {kOfFloats}) + ScalarInteger("none", 0) +
      TfNode("is_later", "Greater", {"switch_i:1", "none"}) +
      TfNode("b", "Switch", {"minus", "is_later"}, {kOfFloats}) + TfFloats("plus", {}, {1}) +
      TfNode("added", "AddV2", {"b:1", "plus"}, {kOfFloats}) +
      TfNode("same", "Identity", {"b"}, {kOfFloats}) +
      TfNode("either", "Merge", {"same", "added"}, {kOfFloats}) +
      TfNode("later_i", "AddV2", {"switch_i:1", "one"}) + TfNode("next_i", "NextIteration", {"later_i"}) +
      TfNode("next_v", "NextIteration", {"either"}) + TfNode("exit_v", "Exit", {"switch_v"}) +
      TfNode("y", "Identity", {"exit_v"}, {kOfFloats}) + kHead;
  ImportOptions options;
  options.outputs = {"y"};
  // i = 0: v = -3x; i = 1: v = -(-3x + 3x) + 1.
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", {1, 2}}}, options)["y"], ElementsAre(1, 1));
}

TEST(TensorflowFrames, ALoopThatIsNotClosedIsRefused) {
  const std::string text = TfInput("x", {2}) + EnterNode("e", "x", "while") +
                           TfNode("m", "Merge", {"e", "n"}) + TfNode("n", "NextIteration", {"m"}) +
                           TfNode("y", "Exit", {"m"}) + kHead;
  ImportOptions options;
  options.outputs = {"y"};
  EXPECT_EQ(ImportTf(text, options).status.code(), StatusCode::kUnsupported);
}

TEST(TensorflowControlFlow, WhatIsMissingInABodyIsNamed) {
  const std::string text =
      TfInput("x", {2}) + TfInput("p", {}) +
      TfNode("y", "If", {"p", "x"},
             {FunctionAttribute("then_branch", "A"), FunctionAttribute("else_branch", "A")}) +
      "library { " +
      TfFunction("A", {"a: DT_FLOAT"}, {TfNode("n", "NoSuchOperator", {"a"})}, {"out = n:y:0"}) + "}\n" +
      kHead;
  const ImportedTf imported = ImportTf(text);
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  ASSERT_FALSE(imported.diagnostics.unsupported.empty());
  EXPECT_EQ(imported.diagnostics.unsupported[0].op, "NoSuchOperator");
}

}  // namespace
}  // namespace micrort::testing
