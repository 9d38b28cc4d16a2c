// Inputs that become constants (--input-value), in every format.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/caffe_net.h"
#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_functions.h"
#include "tests/converter/tflite_builder.h"
#include "tests/converter/torch_archive.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"

namespace micrort::testing {
namespace {

using frontend::InputValue;
using schema::OpCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kOnnxInt64 = ::onnx::TensorProto::INT64;
constexpr int kOnnxBool = ::onnx::TensorProto::BOOL;

ConvertOptions WithValues(const std::vector<InputValue>& values) {
  ConvertOptions options;
  options.input_values = values;
  return options;
}

Converted ConvertedWith(OnnxBuilder b, const std::vector<InputValue>& values) {
  return Converted(b, {"y"}, WithValues(values));
}

std::vector<std::string> InputsOf(const Converted& converted) {
  std::vector<std::string> names;
  for (size_t i = 0; i < converted.model().input_count(); ++i)
    names.emplace_back(converted.model().input(i).name);
  return names;
}

std::string SavedArray(const std::string& name, const io::NamedArray& array) {
  const std::string path = ::testing::TempDir() + "input_value_" + name + ".npy";
  const std::vector<uint8_t> bytes = io::FormatNpy(array.dtype, array.shape, array.data.data());
  EXPECT_TRUE(io::WriteFileAtomically(path, Span<const uint8_t>(bytes.data(), bytes.size())).ok());
  return path;
}

// y = rate == 16000 ? x + 1 : -x
OnnxBuilder OfTwoRates(const std::vector<std::string>& dims = {}) {
  OnnxBuilder b;
  b.Input("x", {"2"}).Input("rate", dims, kOnnxInt64).Integers("fast", {}, {16000}).Floats("one", {1}, {1});
  b.Node("Equal", {"rate", "fast"}, {"is_fast"}).Node("Squeeze", {"is_fast"}, {"c"});
  b.Node("If", {"c"}, {"y"}).Graph("then_branch", Branch("Add", {"x", "one"}));
  b.Graph("else_branch", Branch("Neg", {"x"}));
  return b;
}

const io::NamedArray kThreeFour = Array<float>({2}, {3, 4});

TEST(InputValueOnnx, DecidesBranchesAndLeavesTheInputs) {
  for (const auto& [value, y] : {std::pair{"16000", "2: 4 5"}, {"8000", "2: -3 -4"}}) {
    OnnxBuilder b = OfTwoRates();
    Converted converted(b, {"y"}, WithValues({{"rate", value}}));
    EXPECT_EQ(converted.Run({kThreeFour}), y);
    EXPECT_EQ(converted.Count(OpCode::If), 0);
    EXPECT_THAT(InputsOf(converted), ElementsAre("x"));
    const auto& constants = converted.result().summary.constant_inputs;
    ASSERT_EQ(constants.size(), 1u);
    EXPECT_EQ(constants[0].name + "=" + constants[0].value + Name(constants[0].dtype),
              std::string("rate=") + value + "int64");
  }
}

TEST(InputValueOnnx, PositionsAreThoseOfTheSource) {
  OnnxBuilder b;
  b.Input("a", {}, kOnnxInt64).Input("x", {"N"}).Input("b", {}, kOnnxInt64).Node("Sub", {"a", "b"}, {"d"});
  b.Node("Cast", {"d"}, {"f"}).Int("to", ::onnx::TensorProto::FLOAT).Node("Add", {"x", "f"}, {"y"});
  ConvertOptions options = WithValues({{"#0", "7"}, {"#2", "4"}});
  options.input_shapes = {{"#1", {2}}};
  Converted converted(b, {"y"}, options);
  EXPECT_EQ(converted.Run({kThreeFour}), "2: 6 7");
  EXPECT_THAT(InputsOf(converted), ElementsAre("x"));
}

TEST(InputValueOnnx, ListsBooleansAndFilesFitTypesAndShapes) {
  OnnxBuilder b;
  b.Input("x", {"2"}).Input("w", {"1", "N"}).Input("keep", {"1"}, kOnnxBool).Floats("zero", {1}, {0});
  b.Node("Where", {"keep", "w", "zero"}, {"k"}).Node("Mul", {"x", "k"}, {"y"});
  EXPECT_EQ(ConvertedWith(b, {{"w", "2,0.5"}, {"keep", "true"}}).Run({kThreeFour}), "1x2: 6 2");
  EXPECT_EQ(ConvertedWith(b, {{"w", "2,0.5"}, {"keep", "0"}}).Run({kThreeFour}), "1x2: 0 0");
  // A file of another type whose values are kept.
  const std::string file = SavedArray("w", Array<double>({1, 2}, {10, 0.25}));
  Converted of_file = ConvertedWith(b, {{"w", file}, {"keep", "True"}});
  EXPECT_EQ(of_file.Run({kThreeFour}), "1x2: 30 1");
  EXPECT_THAT(of_file.result().sources, ElementsAre(file));
}

TEST(InputValueOnnx, ReplacesTheDefaultOfAnInput) {
  OnnxBuilder b = OfTwoRates();
  b.Integers("rate", {}, {8000});
  EXPECT_EQ(ConvertedWith(b, {}).Run({kThreeFour}), "2: -3 -4");
  EXPECT_EQ(ConvertedWith(b, {{"rate", "16000"}}).Run({kThreeFour}), "2: 4 5");
}

TEST(InputValueOnnx, AModelMayLoseAllItsInputs) {
  OnnxBuilder b = OfTwoRates({"1"});
  EXPECT_EQ(Converted(b, {"y"}, WithValues({{"x", "3,4"}, {"rate", "16000"}})).Run({}), "2: 4 5");
}

// The decoders of encoder-decoder networks: one graph for the first token and one for the others.
OnnxBuilder MergedDecoder() {
  OnnxBuilder b;
  b.Input("x", {"B", "1"}).Input("past", {"B", "P"}).Input("use_cache_branch", {"1"}, kOnnxBool);
  b.Node("If", {"use_cache_branch"}, {"present"});
  OnnxBuilder with_cache;
  with_cache.Node("Concat", {"past", "x"}, {"r"}).Int("axis", 1).Output("r");
  return b.Graph("then_branch", with_cache).Graph("else_branch", Branch("Neg", {"x"}));
}

TEST(InputValueOnnx, ChoosesTheBranchOfAMergedDecoder) {
  OnnxBuilder for_next = MergedDecoder(), for_first = MergedDecoder();
  Converted next(for_next, {"present"}, WithValues({{"use_cache_branch", "true"}}));
  EXPECT_EQ(next.Run({Array<float>({1, 1}, {5}), Array<float>({1, 2}, {1, 2})}), "1x3: 1 2 5");
  EXPECT_EQ(next.Count(OpCode::If), 0);
  Converted first(for_first, {"present"}, WithValues({{"use_cache_branch", "false"}}));
  EXPECT_EQ(first.Run({Array<float>({1, 1}, {5}), Array<float>({1, 2}, {1, 2})}), "1x1: -5");
}

// training ? x * 2 : -x, with a default as Keras' learning phase has it.
std::string TfTraining(const std::string& op) {
  const bool has_default = op == "PlaceholderWithDefault";
  return TfInput("x", {2}) +
         TfNode("off", "Const", {},
                {"dtype { type: DT_BOOL }",
                 "value { tensor { dtype: DT_BOOL tensor_shape {} bool_val: false } }"}) +
         TfNode("training", op, has_default ? std::vector<std::string>{"off"} : std::vector<std::string>{},
                {"dtype { type: DT_BOOL }", "shape { shape {} }"}) +
         TfNode("y", "If", {"training", "x"},
                {FunctionAttribute("then_branch", "Twice"), FunctionAttribute("else_branch", "Minus")}) +
         "library { " +
         TfFunction("Twice", {"a: DT_FLOAT"},
                    {TfNode("twice", "AddV2", {"a", "a"}, {"T { type: DT_FLOAT }"})}, {"out = twice:z:0"}) +
         TfFunction("Minus", {"a: DT_FLOAT"}, {TfNode("minus", "Neg", {"a"}, {"T { type: DT_FLOAT }"})},
                    {"out = minus:y:0"}) +
         "}\nversions { producer: 1395 }\n";
}

TEST(InputValueTensorflow, DecidesBranches) {
  for (const char* op : {"Placeholder", "PlaceholderWithDefault"}) {
    Converted on("model.pbtxt", TfTraining(op), WithValues({{"training", "true"}}));
    EXPECT_EQ(on.Run({kThreeFour}), "2: 6 8") << op;
    EXPECT_EQ(on.Count(OpCode::If), 0);
    EXPECT_THAT(InputsOf(on), ElementsAre("x"));
    EXPECT_EQ(Converted("model.pbtxt", TfTraining(op), WithValues({{"training", "0"}})).Run({kThreeFour}),
              "2: -3 -4");
  }
  EXPECT_EQ(Converted("model.pbtxt", TfTraining("PlaceholderWithDefault")).Run({kThreeFour}), "2: -3 -4");
}

TEST(InputValueTensorflow, FillsWhatTheFeedsLeaveOut) {
  ConvertOptions options = WithValues({{"training", "true"}});
  options.feeds = {"x"};
  EXPECT_EQ(Converted("model.pbtxt", TfTraining("Placeholder"), options).Run({kThreeFour}), "2: 6 8");
}

TEST(InputValueTflite, TakesThePlaceOfQuantizedAndPlainInputs) {
  TfliteBuilder b;
  const Quantized halves = {{0.5f}, {3}};
  const int x = b.Input("x", {2}), n = b.Input("n", {2}, fb::TensorType::Int8, halves);
  const int real = b.Tensor("real", {2}), y = b.Tensor("y", {2});
  b.Op("DEQUANTIZE", {n}, {real});
  b.Op("ADD", {x, real}, {y});
  b.Output(y);
  Converted converted("model.tflite", b.Bytes(), WithValues({{"n", "5,-1"}}));
  EXPECT_EQ(converted.Run({kThreeFour}), "2: 4 2");
  EXPECT_THAT(InputsOf(converted), ElementsAre("x"));
}

TEST(InputValueTflite, DecidesBranches) {
  TfliteBuilder b;
  const auto branch = [&](const char* op) {
    const int index = b.AddSubgraph();
    const int u = b.Input("u", {2}), v = b.Tensor("v", {2});
    b.Op(op, {u}, {v});
    b.Output(v);
    b.BackToMain();
    return index;
  };
  const int negate = branch("NEG"), absolute = branch("ABS");
  const int c = b.Input("c", {1}, fb::TensorType::Bool), x = b.Input("x", {2}), y = b.Tensor("y", {2});
  fb::IfOptionsT options;
  options.then_subgraph_index = negate;
  options.else_subgraph_index = absolute;
  b.Op("IF", {c, x}, {y}, options);
  b.Output(y);
  Converted converted("model.tflite", b.Bytes(), WithValues({{"#0", "true"}}));
  EXPECT_EQ(converted.Run({kThreeFour}), "2: -3 -4");
  EXPECT_EQ(converted.Count(OpCode::If), 0);
}

TEST(InputValueCaffe, TakesThePlaceOfAnInput) {
  const std::string net = InputText("x", {1, 2}) + InputText("im_info", {1, 2}) +
                          LayerText("Eltwise", {"x", "im_info"}, "eltwise_param { operation: PROD }");
  Converted converted("model.prototxt", net, WithValues({{"im_info", "10,0.5"}}));
  EXPECT_EQ(converted.Run({Array<float>({1, 2}, {3, 4})}), "1x2: 30 2");
  EXPECT_THAT(InputsOf(converted), ElementsAre("x"));
}

std::string TorchBytes(const std::string& parameters, const std::string& body) {
  return TorchArchive("  def forward(self: __torch__.Net, " + parameters + ") -> Tensor:\n" + body).Bytes();
}

std::string RunTorchWith(const std::string& bytes, ConvertOptions options) {
  options.input_shapes.push_back({"x", {2}});
  Converted converted("model.pt", bytes, options);
  return converted.Run({kThreeFour});
}

TEST(InputValueTorch, NumbersAndTensorsAreKnownToTheCode) {
  const std::string checked = TorchBytes("x: Tensor, rate: int",
                                         "    if torch.eq(rate, 16000):\n"
                                         "      y = torch.add(x, 1)\n"
                                         "    else:\n"
                                         "      ops.prim.RaiseException(\"unsupported rate\")\n"
                                         "      y = x\n"
                                         "    return y\n");
  EXPECT_EQ(RunTorchWith(checked, WithValues({{"rate", "16000"}})), "2: 4 5");
  EXPECT_EQ(RunTorchWith(checked, WithValues({{"#1", "16000"}})), "2: 4 5");
  EXPECT_THAT(RunTorchWith(checked, WithValues({{"rate", "8000"}})), HasSubstr("unsupported rate"));
  const std::string scaled = TorchBytes("x: Tensor, s: float, on: bool=False, t: Optional[Tensor]=None",
                                        "    if on:\n"
                                        "      y = torch.mul(x, s)\n"
                                        "    else:\n"
                                        "      y = x\n"
                                        "    if torch.__isnot__(t, None):\n"
                                        "      t0 = unchecked_cast(Tensor, t)\n"
                                        "      z = torch.add(y, t0)\n"
                                        "    else:\n"
                                        "      z = y\n"
                                        "    return z\n");
  EXPECT_EQ(RunTorchWith(scaled, WithValues({{"s", "0.5"}})), "2: 3 4");
  EXPECT_EQ(RunTorchWith(scaled, WithValues({{"s", "0.5"}, {"on", "true"}, {"t", "10.,20."}})), "2: 11.5 22");
}

TEST(InputValueTorch, TensorsHaveTheValuesType) {
  // An element that it picks, which integers alone can do.
  const std::string picks = TorchBytes("x: Tensor, at: Tensor", "    return torch.index_select(x, 0, at)\n");
  EXPECT_EQ(RunTorchWith(picks, WithValues({{"at", "1,0,1"}})), "3: 4 3 4");
  EXPECT_EQ(RunTorchWith(picks, WithValues({{"at", SavedArray("at", Array<int64_t>({1}, {1}))}})), "1: 4");
}

std::string ArchiveWithMode() {
  const std::string code =
      "class Mode(Enum):\n  FAST = 1\n  SLOW = 2\n"
      "class Net(Module):\n  __parameters__ = []\n  training : bool\n"
      "  def forward(self: __torch__.Net, x: Tensor, how: str, mode: __torch__.Mode, s: "
      "Optional[float]=None) -> Tensor:\n"
      "    if torch.eq(how, \"double\"):\n"
      "      y = torch.mul(x, 2)\n"
      "    else:\n"
      "      y = torch.add(x, torch.len(how))\n"
      "    if torch.eq(mode, __torch__.Mode.SLOW):\n"
      "      z = torch.neg(y)\n"
      "    else:\n"
      "      z = y\n"
      "    if torch.__isnot__(s, None):\n"
      "      z0 = torch.mul(z, unchecked_cast(float, s))\n"
      "    else:\n"
      "      z0 = z\n"
      "    return z0\n";
  return TorchArchive("").Entry("code/__torch__.py", code).Bytes();
}

TEST(InputValueTorch, TextsMembersOfEnumsAndNone) {
  const std::string bytes = ArchiveWithMode();
  EXPECT_EQ(RunTorchWith(bytes, WithValues({{"how", "double"}, {"mode", "SLOW"}})), "2: -6 -8");
  EXPECT_EQ(RunTorchWith(bytes, WithValues({{"#1", "abc"}, {"#2", "Mode.FAST"}, {"s", "None"}})), "2: 6 7");
  // What would be a number elsewhere is a text here.
  EXPECT_EQ(RunTorchWith(bytes, WithValues({{"how", "12"}, {"mode", "FAST"}, {"s", "10"}})), "2: 50 60");
}

TEST(InputValueTorch, TextsThatAreMissingOrWrongAreNamed) {
  const std::string bytes = ArchiveWithMode();
  EXPECT_THAT(RunTorchWith(bytes, WithValues({{"mode", "FAST"}})),
              HasSubstr("input 'how': it is a text, which has to be a constant: --input-value how=TEXT"));
  EXPECT_THAT(
      RunTorchWith(bytes, WithValues({{"how", "a"}})),
      HasSubstr(
          "it is a member of Enum Mode, which has to be a constant: --input-value mode=MEMBER (FAST, SLOW)"));
  EXPECT_THAT(RunTorchWith(bytes, WithValues({{"how", "a"}, {"mode", "slow"}})),
              HasSubstr("--input-value mode=slow: expected a member of Enum Mode (FAST, SLOW)"));
  EXPECT_THAT(RunTorchWith(bytes, WithValues({{"how", "a"}, {"mode", "FAST"}, {"s", "none.npy"}})),
              HasSubstr("none.npy"));
}

// Values that do not fit, and options that speak of the constant.
std::string RefusalOf(OnnxBuilder b, const ConvertOptions& options) {
  Converted converted(b, {"y"}, options);
  EXPECT_EQ(converted.status().code(), StatusCode::kInvalidArgument);
  return converted.status().message();
}

TEST(InputValueRefused, NamesWhatWasExpectedAndFound) {
  EXPECT_THAT(RefusalOf(OfTwoRates(), WithValues({{"speed", "1"}})),
              HasSubstr("--input-value: 'speed' is no input of the model, whose inputs are 'x' (2), 'rate'"));
  EXPECT_THAT(RefusalOf(OfTwoRates(), WithValues({{"rate", "1,2"}})),
              HasSubstr("input 'rate': --input-value rate=1,2: expected shape scalar, found 2 elements"));
  EXPECT_THAT(RefusalOf(OfTwoRates(), WithValues({{"rate", "0.5"}})),
              HasSubstr("is 0.5, which int64 cannot hold"));
  EXPECT_THAT(RefusalOf(OfTwoRates(), WithValues({{"rate", "true"}})),
              HasSubstr("expected elements of int64, found booleans"));
  EXPECT_THAT(RefusalOf(OfTwoRates(), WithValues({{"x", "1e39,0"}})), HasSubstr("float32 cannot hold 1e+39"));
  EXPECT_THAT(RefusalOf(OfTwoRates(), WithValues({{"rate", "1"}, {"#1", "2"}})),
              HasSubstr("two values are given for 'rate'"));
  const std::string file = SavedArray("three", Array<float>({3}, {1, 2, 3}));
  EXPECT_THAT(RefusalOf(OfTwoRates(), WithValues({{"x", file}})), HasSubstr("expected shape 2, found 3"));
  OnnxBuilder open;
  open.Input("x", {"A", "B"}).Node("Relu", {"x"}, {"y"});
  EXPECT_THAT(RefusalOf(open, WithValues({{"x", "1,2"}})),
              HasSubstr("expected shape ?x?, found 2 elements; --input-shape or a file tells how they lie"));
  ConvertOptions shaped = WithValues({{"x", "1,2,3"}});
  shaped.input_shapes = {{"x", {2}}};
  EXPECT_THAT(RefusalOf(OfTwoRates(), shaped), HasSubstr("expected shape 2, found 3 elements"));
}

TEST(InputValueRefused, OptionsOfInputsThatAreConstants) {
  ConvertOptions options = WithValues({{"rate", "16000"}});
  options.feeds = {"rate"};
  EXPECT_THAT(
      RefusalOf(OfTwoRates(), options),
      HasSubstr("--feeds: --input-value makes 'rate' the constant 16000, which is no input any more"));
  options = WithValues({{"x", "1,2"}});
  options.states = {{"y", "x"}};
  EXPECT_THAT(RefusalOf(OfTwoRates(), options),
              HasSubstr("--state: --input-value makes 'x' the constant 1,2"));
  options = WithValues({{"#1", "16000"}});
  options.calibration = {"rate=samples"};
  options.verify = VerifyMode::kOutputs;
  EXPECT_THAT(RefusalOf(OfTwoRates(), options),
              HasSubstr("--calib: --input-value makes 'rate' the constant 16000, so it needs no samples"));
}

// The reason, which is the error itself where a model is broken.
std::string WhyUnsupported(const OnnxBuilder& b) {
  const Imported imported = Import(b);
  const auto& found = imported.diagnostics.unsupported;
  return found.empty() ? imported.status.message() : found[0].reason;
}

TEST(InputValueRefused, MessagesNameTheInputThatDecides) {
  OnnxBuilder b(18);
  b.Input("x", {"1", "4", "1"}).Input("block", {"2"}, kOnnxInt64).Integers("image", {2}, {2, 2});
  b.Node("Col2Im", {"x", "image", "block"}, {"y"}).Output("y");
  EXPECT_THAT(WhyUnsupported(b),
              HasSubstr("must be a constant of int32 or int64; input 'block' decides it: --input-value "
                        "block=VALUE makes that a constant"));
  const Converted blocks(b, {}, WithValues({{"block", "2,2"}}));
  EXPECT_TRUE(blocks.status().ok()) << blocks.status().message();
  const std::string picks = TorchBytes("x: Tensor, k: int", "    l = [x, torch.neg(x)]\n    return l[k]\n");
  ConvertOptions options;
  options.input_shapes = {{"x", {2}}};
  EXPECT_THAT(Converted("model.pt", picks, options).status().message(),
              HasSubstr("a position that a run decides; input 'k' decides it: --input-value k=VALUE"));
  EXPECT_EQ(RunTorchWith(picks, WithValues({{"k", "1"}})), "2: -3 -4");
}

TEST(InputValue, IsVerifiedAgainstTheSourceWithIt) {
  OnnxBuilder b = OfTwoRates();
  ConvertOptions options = WithValues({{"rate", "16000"}});
  options.verify = VerifyMode::kOutputs;
  Converted converted(b, {"y"}, options);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_EQ(converted.result().verification.size(), 1u);
}

TEST(InputValue, IsListed) {
  const std::string bytes = OfTwoRates().Output("y").Bytes();
  frontend::ImportOptions options;
  std::vector<frontend::Offer> offers;
  const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  options.input_values = {{"rate", "16000"}};
  ASSERT_TRUE(frontend::ListModel("m", span, frontend::SourceFormat::kUnknown, options, &offers).ok());
  EXPECT_EQ(offers[0].inputs[1].value, "16000");
  EXPECT_THAT(offers[0].inputs[0].value, IsEmpty());
  options.input_values = {{"rated", "16000"}};
  EXPECT_EQ(frontend::ListModel("m", span, frontend::SourceFormat::kUnknown, options, &offers).code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace micrort::testing
