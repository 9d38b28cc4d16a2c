// TorchScript archives: code that is run while a model is imported, inputs and outputs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/converted.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing {
namespace {

using frontend::ImportOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::string Forward(const std::string& parameters, const std::string& body) {
  return "  def forward(self: __torch__.Net, " + parameters + ") -> Tensor:\n" + body;
}

TEST(TorchscriptModel, IsToldFromTheContentAndReadsItsWeights) {
  const std::string bytes = TorchArchive(Forward("x: Tensor", "    return torch.linear(x, self.w, self.b)\n"))
                                .Tensor("w", {2, 3}, {1, 2, 3, 4, 5, 6})
                                .Tensor("b", {2}, {10, 20})
                                .Bytes();
  frontend::SourceFormat format;
  ASSERT_TRUE(
      frontend::DetectFormat({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &format).ok());
  EXPECT_EQ(format, frontend::SourceFormat::kTorchscript);
  EXPECT_THAT(RunTorch(bytes, {{"x", {1, 3}}}, {{"x", {1, 1, 2}}}),
              UnorderedElementsAre(Pair("output", ElementsAre(19, 41))));
}

TEST(TorchscriptModel, WeightsMayBeViewsOfTheirStorage) {
  const std::string bytes =
      TorchArchive(Forward("x: Tensor", "    return torch.add(x, self.w)\n"))
          .Attribute("w", PickledTensor("0", {2, 2}, {1, 2}, 1, 5))
          .Entry("data/0",
                 std::string("\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40", 20))  // 0 1 2 3 4
          .Bytes();
  EXPECT_THAT(RunTorch(bytes, {{"x", {2, 2}}}, {{"x", {0, 0, 0, 0}}})["output"], ElementsAre(1, 3, 2, 4));
}

TEST(TorchscriptModel, LoopsAndBranchesByConstantsAreUnrolled) {
  const std::string body =
      "    y = x\n"
      "    for i in range(3):\n"
      "      if torch.eq(torch.remainder(i, 2), 0):\n"
      "        y0 = torch.add(y, x)\n"
      "      else:\n"
      "        y0 = torch.mul(y, i)\n"
      "      y = y0\n"
      "    _0 = True\n"
      "    n = 0\n"
      "    while _0:\n"
      "      y = torch.add(y, 1)\n"
      "      n0 = torch.add(n, 1)\n"
      "      _0, n = torch.lt(n0, 2), n0\n"
      "    return y\n";
  // ((x + x) * 1 + x) + 2
  EXPECT_THAT(
      RunTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), {{"x", {2}}}, {{"x", {1, 2}}})["output"],
      ElementsAre(5, 8));
}

TEST(TorchscriptModel, WhatIsChangedInPlaceIsChangedForAllWhoReadIt) {
  const std::string body =
      "    y = torch.clone(x)\n"
      "    row = torch.select(y, 0, 1)\n"
      "    _0 = torch.mul_(row, 10)\n"
      "    _1 = torch.add_(torch.slice(y, 1, 0, 1), 100)\n"
      "    _2 = torch.copy_(torch.select(torch.slice(y), 1, 1), torch.tensor(7.))\n"
      "    return torch.cat([y, torch.unsqueeze(row, 0)], 0)\n";
  EXPECT_THAT(RunTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), {{"x", {2, 2}}},
                       {{"x", {1, 2, 3, 4}}})["output"],
              ElementsAre(101, 7, 130, 7, 130, 7));
}

TEST(TorchscriptModel, PartsWithStepsAndPiecesChangeTheWhole) {
  const std::string body =
      "    y = torch.clone(x)\n"
      "    _0 = torch.zero_(torch.slice(y, 1, 0, 9223372036854775807, 2))\n"
      "    a, b, = torch.chunk(y, 2)\n"
      "    _1 = torch.add_(b, 1)\n"
      "    _2 = torch.add_(y, 10)\n"
      "    return torch.cat([y, a])\n";
  EXPECT_THAT(RunTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), {{"x", {2, 3}}},
                       {{"x", {1, 2, 3, 4, 5, 6}}})["output"],
              ElementsAre(10, 12, 10, 11, 16, 11, 10, 12, 10));
}

TEST(TorchscriptModel, WhatWasChangedInAPartThatCannotBeWrittenBackIsNotRead) {
  const std::string body =
      "    y = torch.clone(x)\n"
      "    n = int(torch.argmax(y))\n"
      "    part = torch.reshape(torch.slice(y, 0, n, None, 2), [-1, 1])\n"
      "    _0 = torch.zero_(part)\n";
  ImportOptions options;
  options.input_shapes = {{"x", {4}}};
  const auto import = [&](const std::string& result) {
    return ImportTorch(TorchArchive(Forward("x: Tensor", body + result)).Bytes(), options).status;
  };
  EXPECT_TRUE(import("    return torch.relu(part)\n").ok());
  const Status status = import("    return torch.relu(y)\n");
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("of which a part was changed in place"));
}

TEST(TorchscriptModel, ListsAreSlicedBackwards) {
  const std::string body =
      "    a = [1, 2, 3, 4]\n"
      "    b = torch.slice(a, None, None, -1)\n"
      "    d = torch.slice(a, 2, -9, -2)\n"
      "    return torch.add(x, torch.tensor([b[0], b[3], d[0], d[1], torch.len(d)]))\n";
  EXPECT_THAT(RunTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), {{"x", {5}}},
                       {{"x", {0, 0, 0, 0, 0}}})["output"],
              ElementsAre(4, 1, 3, 1, 2));
}

TEST(TorchscriptModel, ScalarsHaveTheAxesOfVectors) {
  const std::string body =
      "    s = torch.sum(x)\n"
      "    most, place, = torch.cummax(s, 0)\n"
      "    moved = torch.movedim(s, [0], [-1])\n"
      "    twice = torch.repeat_interleave(s, 2, 0)\n"
      "    return torch.add(torch.add(twice, most), torch.add(moved, place))\n";
  EXPECT_THAT(
      RunTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), {{"x", {2}}}, {{"x", {1, 2}}})["output"],
      ElementsAre(9, 9));
}

TEST(TorchscriptModel, OutputsNamedAsAnInputSayTheirOtherName) {
  const std::string methods =
      "  def forward(self: __torch__.Net, x: Tensor) -> Dict[str, Tensor]:\n"
      "    return {\"x\": torch.neg(x), \"y\": torch.abs(x)}\n";
  const std::string bytes = TorchArchive(methods).Bytes();
  frontend::ImportOptions options;
  options.input_shapes = {{"x", {2}}};
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
  const Span<const uint8_t> span = {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  ASSERT_TRUE(frontend::ImportModel("net.pt", span, frontend::SourceFormat::kTorchscript, options, &module,
                                    &diagnostics)
                  .ok());
  ASSERT_EQ(diagnostics.warnings.size(), 1u);
  EXPECT_THAT(diagnostics.warnings[0], ::testing::HasSubstr("output 'x' is called 'x_1'"));
}

TEST(TorchscriptModel, TuplesListsAndDictionariesAreTakenApart) {
  const std::string methods =
      "  def forward(self: __torch__.Net, x: Tensor, state: Tuple[Tensor, Tensor], scale: float=2., "
      "more: Optional[Tensor]=None) -> Dict[str, Tensor]:\n"
      "    a, b, = state\n"
      "    c = torch.add(a, torch.mul(b, scale))\n"
      "    return {\"sum\": torch.add(x, c), \"parts\": [a, b]}\n";
  EXPECT_THAT(RunTorch(TorchArchive(methods).Bytes(), {{"x", {1}}, {"state.0", {1}}, {"state.1", {1}}},
                       {{"x", {1}}, {"state.0", {10}}, {"state.1", {100}}}),
              UnorderedElementsAre(Pair("sum", ElementsAre(211)), Pair("parts.0", ElementsAre(10)),
                                   Pair("parts.1", ElementsAre(100))));
}

TEST(TorchscriptModel, ValuesInsideBecomeTheOutputs) {
  const std::string bytes =
      TorchArchive(Forward("x: Tensor", "    _0 = torch.relu(x)\n    return torch.add(_0, 1)\n")).Bytes();
  ImportOptions options;
  options.input_shapes = {{"x", {2}}};
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
  const Span<const uint8_t> span = {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  const auto import = [&] {
    module = ir::Module();
    return frontend::ImportModel("net.pt", span, frontend::SourceFormat::kTorchscript, options, &module,
                                 &diagnostics);
  };
  ASSERT_TRUE(import().ok());
  const std::string inner = module.entry().value(module.entry().nodes[0]->outputs[0]).name;
  options.outputs = {inner};
  ASSERT_TRUE(import().ok());
  ASSERT_EQ(module.entry().outputs.size(), 1u);
  EXPECT_EQ(module.entry().value(module.entry().outputs[0]).name, inner);
  options.outputs = {"output", inner};
  ASSERT_TRUE(import().ok());
  EXPECT_EQ(module.entry().outputs.size(), 2u);
  options.outputs = {"absent"};
  EXPECT_EQ(import().code(), StatusCode::kInvalidArgument);
}

TEST(TorchscriptModel, DimensionsMayStayDynamic) {
  const std::string body =
      "    n = ops.prim.NumToTensor(torch.size(x, 0))\n"
      "    return torch.view(x, [int(n), -1])\n";
  ImportOptions options;
  options.input_shapes = {{"x", {ir::kDynamic, 2, 3}}};
  const ImportedTorch imported = ImportTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), options);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  const ir::Graph& graph = *imported.module.graphs[0];
  EXPECT_THAT(graph.value(graph.outputs[0]).shape, ElementsAre(ir::kDynamic, 6));
}

TEST(TorchscriptModel, InputsThatAreReadAsPositionsAreIntegers) {
  ImportOptions options;
  options.input_shapes = {{"x", {2}}};
  const ImportedTorch imported =
      ImportTorch(TorchArchive(Forward("x: Tensor", "    return torch.embedding(self.w, x)\n"))
                      .Tensor("w", {3, 1}, {1, 2, 3})
                      .Bytes(),
                  options);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  const ir::Graph& graph = *imported.module.graphs[0];
  EXPECT_EQ(graph.value(graph.inputs[0]).dtype, DType::kInt64);
}

TEST(TorchscriptModel, SaysWhichInputsNeedAShape) {
  const ImportedTorch imported = ImportTorch(
      TorchArchive(Forward("image: Tensor, mask: Tensor", "    return torch.mul(image, mask)\n")).Bytes(),
      {});
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(imported.status.message(), HasSubstr("give the shapes of 'image', 'mask'"));
}

TEST(TorchscriptModel, AllOperatorsThatAreMissingAreListed) {
  const std::string body =
      "    a = torch.frobnicate(x)\n"
      "    b = torch.relu(a)\n"
      "    return torch.add(torch.randint_like(x, 5), b)\n";
  ImportOptions options;
  options.input_shapes = {{"x", {1}}};
  const ImportedTorch imported = ImportTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), options);
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(imported.diagnostics.unsupported.size(), 2u);
  EXPECT_EQ(imported.diagnostics.unsupported[0].op, "aten::frobnicate");
  EXPECT_EQ(imported.diagnostics.unsupported[1].op, "aten::randint_like");
}

TEST(TorchscriptModel, ErrorsNameFileAndLine) {
  ImportOptions options;
  options.input_shapes = {{"x", {1}}};
  const auto message = [&](const std::string& body) {
    return std::string(
        ImportTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), options).status.message());
  };
  EXPECT_THAT(message("    y = x\n    return nowhere\n"),
              HasSubstr("code/__torch__.py:6: 'nowhere' is not defined"));
  EXPECT_THAT(message("    return (x\n"), HasSubstr("code/__torch__.py: line 6: expected ')'"));
  EXPECT_THAT(message("    ops.prim.RaiseException(\"too small\")\n"), HasSubstr("too small"));
}

const char kBranch[] =
    "    y = torch.clone(x)\n"
    "    row = torch.select(y, 0, 1)\n"
    "    if bool(torch.gt(torch.sum(x), 0)):\n"
    "      z = torch.mul(x, 2)\n"
    "      n = 1\n"
    "      _0 = torch.add_(row, 100)\n"
    "    else:\n"
    "      z = torch.neg(x)\n"
    "      n = 2\n"
    "    return torch.stack([z, y, torch.mul(x, n)])\n";

TEST(TorchscriptModel, BranchesByValuesBecomeAnIf) {
  ConvertOptions options;
  options.input_shapes = {{"x", {2}}};
  Converted model("model.pt", TorchArchive(Forward("x: Tensor", kBranch)).Bytes(), options);
  ASSERT_TRUE(model.status().ok()) << model.status().message();
  EXPECT_EQ(model.Count(schema::OpCode::If), 1);
  EXPECT_EQ(model.Run({Array<float>({2}, {3, -1})}), "3x2: 6 -2 3 99 3 -1");
  EXPECT_EQ(model.Run({Array<float>({2}, {-3, 1})}), "3x2: 3 -1 -3 1 -6 2");
}

// As the compiler of TorchScript writes a return inside of a branch.
TEST(TorchscriptModel, BranchesThatReturnEarlyLeaveNothingToTheOthers) {
  const std::string body =
      "    _0 = uninitialized(Tuple[Tensor, int])\n"
      "    if bool(torch.gt(torch.sum(x), 0)):\n"
      "      _1, _2 = True, (torch.mul(x, 2), 5)\n"
      "    else:\n"
      "      _1, _2 = False, _0\n"
      "    if _1:\n"
      "      y = _2\n"
      "    else:\n"
      "      y = (torch.neg(x), 7)\n"
      "    z, n, = y\n"
      "    return torch.add(z, n)\n";
  ConvertOptions options;
  options.input_shapes = {{"x", {2}}};
  Converted model("model.pt", TorchArchive(Forward("x: Tensor", body)).Bytes(), options);
  ASSERT_TRUE(model.status().ok()) << model.status().message();
  EXPECT_EQ(model.Run({Array<float>({2}, {3, -1})}), "2: 11 3");
  EXPECT_EQ(model.Run({Array<float>({2}, {-3, 1})}), "2: 10 6");
}

TEST(TorchscriptModel, BranchThatCannotRunIsAnErrorOnlyIfTaken) {
  const std::string body =
      "    y = torch.clone(x)\n"
      "    if bool(torch.gt(torch.sum(x), 0)):\n"
      "      z = torch.add(x, torch.ones([3]))\n"
      "      _0 = torch.add_(y, 100)\n"
      "    else:\n"
      "      z = torch.neg(x)\n"
      "      _1 = torch.add_(y, 1)\n"
      "    return torch.stack([z, y])\n";
  ConvertOptions options;
  options.input_shapes = {{"x", {2}}};
  Converted model("model.pt", TorchArchive(Forward("x: Tensor", body)).Bytes(), options);
  ASSERT_TRUE(model.status().ok()) << model.status().message();
  EXPECT_EQ(model.Run({Array<float>({2}, {-3, 1})}), "2x2: 3 -1 -2 2");
  const std::string error = model.Run({Array<float>({2}, {3, -1})});
  EXPECT_THAT(error, HasSubstr("then branch: node 'the branch at line 6: "));
  EXPECT_THAT(error, HasSubstr("node 'add' (aten::add): "));
}

TEST(TorchscriptModel, LoopsByValuesBecomeALoop) {
  const std::string body =
      "    y = x\n"
      "    n = 0\n"
      "    _0 = bool(torch.lt(torch.sum(y), 10))\n"
      "    while _0:\n"
      "      y = torch.mul(y, 2)\n"
      "      n0 = torch.add(n, 1)\n"
      "      _1 = torch.add_(total, n0)\n"
      "      _0, n = bool(torch.lt(torch.sum(y), 10)), n0\n"
      "    for i in range(int(torch.sum(count))):\n"
      "      y = torch.add(y, i)\n"
      "    return torch.stack([y, torch.add(x, n), total])\n";
  ConvertOptions options;
  options.input_shapes = {{"x", {1}}, {"total", {1}}, {"count", {1}}};
  Converted model("model.pt", TorchArchive(Forward("x: Tensor, total: Tensor, count: Tensor", body)).Bytes(),
                  options);
  ASSERT_TRUE(model.status().ok()) << model.status().message();
  EXPECT_EQ(model.Count(schema::OpCode::Loop), 2);
  const auto run = [&](float x, float count) {
    return model.Run({Array<float>({1}, {x}), Array<float>({1}, {0}), Array<float>({1}, {count})});
  };
  EXPECT_EQ(run(3, 3), "3x1: 15 5 3");  // 3 6 12, + 0 + 1 + 2; two iterations
  EXPECT_EQ(run(20, 0), "3x1: 20 20 0");
}

TEST(TorchscriptModel, ListsMayNotGrowWhereValuesDecide) {
  ImportOptions options;
  options.input_shapes = {{"x", {1}}};
  const std::string body =
      "    ys = [x]\n"
      "    if bool(torch.gt(x, 0)):\n"
      "      _0 = torch.append(ys, x)\n"
      "    else:\n"
      "      pass\n"
      "    return torch.cat(ys)\n";
  const ImportedTorch imported = ImportTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), options);
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(imported.status.message(), HasSubstr("code/__torch__.py:7: a list is changed in a branch"));
}

TEST(TorchscriptModel, AnExceptionThatValuesDecideIsNeverRaisedButWarnedOf) {
  ImportOptions options;
  options.input_shapes = {{"x", {1}}};
  const std::string body =
      "    if bool(torch.gt(x, 0)):\n"
      "      ops.prim.RaiseException(\"positive\")\n"
      "    else:\n"
      "      pass\n"
      "    return torch.neg(x)\n";
  const ImportedTorch imported = ImportTorch(TorchArchive(Forward("x: Tensor", body)).Bytes(), options);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  EXPECT_THAT(imported.diagnostics.warnings, ElementsAre(HasSubstr("code/__torch__.py:5: an exception")));
}

TEST(TorchscriptModel, AttributesThatForwardChangesAreStates) {
  const std::string body =
      "    self.h = torch.add(self.h, x)\n"
      "    self.last = x\n"
      "    return torch.mul(self.h, 2)\n";
  ImportOptions options;
  options.input_shapes = {{"x", {2}}};
  const ImportedTorch imported = ImportTorch(
      TorchArchive(Forward("x: Tensor", body)).Tensor("h", {2}, {1, 2}).Tensor("last", {2}, {0, 0}).Bytes(),
      options);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  const ir::Graph& graph = *imported.module.graphs[0];
  ASSERT_EQ(graph.states.size(), 1u);  // nothing reads `last`
  EXPECT_EQ(graph.caller_inputs(), 1u);
  EXPECT_EQ(graph.caller_outputs(), 1u);
  EXPECT_EQ(graph.value(graph.inputs[1]).name, "h");
  ASSERT_NE(graph.states[0].initial, nullptr);
  EXPECT_EQ(reinterpret_cast<const float*>(graph.states[0].initial->data())[1], 2.0f);
}

TEST(TorchscriptModel, QuantizedLayersBecomeIntegerLayers) {
  const std::string body =
      "    q = torch.quantize_per_tensor(x, 0.5, 10, 13)\n"
      "    y = ops.quantized.linear_relu(q, self.packed, 0.25, 0)\n"
      "    return torch.dequantize(torch.flatten(y))\n";
  const std::string storage = "(" + PickledText("storage") + PickledGlobal("torch", "QInt8Storage") +
                              PickledText("q") + PickledText("cpu") + PickledInt(4) + "tQ";
  const std::string weight = PickledGlobal("torch._utils", "_rebuild_qtensor") + "(" + storage +
                             PickledInt(0) + "(" + PickledInt(2) + PickledInt(2) + "t(" + PickledInt(2) +
                             PickledInt(1) + "t(" + PickledGlobal("torch", "per_tensor_affine") + "G" +
                             std::string("\x3f\xd0\0\0\0\0\0\0", 8) + PickledInt(0) + "t\x89" +
                             PickledGlobal("collections", "OrderedDict") + ")RtR";
  const std::string bytes =
      TorchArchive(Forward("x: Tensor", body))
          .Attribute("packed", PickledGlobal("__torch__.torch.classes.quantized", "LinearPackedParamsBase") +
                                   ")\x81(" + weight + "Ntb")
          .Entry("data/q", std::string("\x01\x02\xff\x04", 4))
          .Bytes();
  // x = [1, 2]: weights 1/4 of (1 2, -1 4).
  EXPECT_THAT(RunTorch(bytes, {{"x", {1, 2}}}, {{"x", {1, 2}}})["output"], ElementsAre(1.25, 1.75));
}

// y[t] = relu(x[t] + y[t - 1]), of which each sequence has so many steps.
TEST(TorchscriptOps, PackedSequencesEndWhereTheirLengthsSay) {
  const std::string body =
      "    data, sizes = torch._pack_padded_sequence(x, lengths, True)\n"
      "    h = torch.zeros([1, 2, 1])\n"
      "    y, last = torch.rnn_relu(data, sizes, h, [self.w, self.r], False, 1, 0., False, False)\n"
      "    padded, _0 = torch._pad_packed_sequence(y, sizes, True, -1., 4)\n"
      "    return (padded, last)\n";
  const std::string bytes = TorchArchive(Forward("x: Tensor, lengths: Tensor", body))
                                .Tensor("w", {1, 1}, {1})
                                .Tensor("r", {1, 1}, {1})
                                .Bytes();
  auto outputs =
      RunTorch(bytes, {{"x", {2, 3, 1}}, {"lengths", {2}}}, {{"x", {1, 2, 3, 4, 5, 6}}, {"lengths", {3, 1}}});
  EXPECT_THAT(outputs["output.0"], ElementsAre(1, 3, 6, -1, 4, -1, -1, -1));
  EXPECT_THAT(outputs["output.1"], ElementsAre(6, 4));
}

}  // namespace
}  // namespace micrort::testing
