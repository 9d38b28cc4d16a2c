// Statements of TorchScript beyond branches and loops: with, fork, print, members of Enums, sorted lists.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/torch_archive.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TorchArchive NetOf(const std::string& body, const std::string& more = "") {
  return TorchArchive("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + body + more);
}

Floats Outputs(const TorchArchive& archive) {
  return RunTorch(archive.Bytes(), {{"x", {2}}}, {{"x", {1, 2}}})["output"];
}

TEST(TorchStatements, WithRunsWhatAContextDoes) {
  const std::string context =
      "class Ctx:\n"
      "  s : float\n"
      "  def __init__(self: __torch__.Ctx, s: float) -> NoneType:\n"
      "    self.s = s\n"
      "    return None\n"
      "  def __enter__(self: __torch__.Ctx) -> float:\n"
      "    return self.s\n"
      "  def __exit__(self: __torch__.Ctx, a: Any, b: Any, c: Any) -> NoneType:\n"
      "    self.s = 100.\n"
      "    return None\n";
  const std::string body =
      "    _0 = __torch__.Ctx.__new__(__torch__.Ctx)\n"
      "    _1 = (_0).__init__(2.5, )\n"
      "    with _0 as s:\n"
      "      y = torch.mul(x, s)\n"
      "    return torch.add(y, _0.s)\n";
  EXPECT_THAT(Outputs(NetOf(body, context)), ElementsAre(102.5, 105));
}

TEST(TorchStatements, ContextsOfPyTorchChangeNoValue) {
  const std::string body =
      "    _0 = "
      "__torch__.torch.autograd.grad_mode.no_grad.__new__(__torch__.torch.autograd.grad_mode.no_grad)\n"
      "    _1 = (_0).__init__()\n"
      "    with _0:\n"
      "      if torch.gt(torch.size(x, 0), 1):\n"
      "        return torch.mul(x, 2)\n"
      "    return x\n";
  const std::string no_grad =
      "class no_grad:\n"
      "  prev : bool\n"
      "  def __init__(self: __torch__.torch.autograd.grad_mode.no_grad) -> NoneType:\n"
      "    self.prev = False\n"
      "    return None\n"
      "  def __enter__(self: __torch__.torch.autograd.grad_mode.no_grad) -> NoneType:\n"
      "    ops.nothing.known(self)\n"
      "    return None\n";
  EXPECT_THAT(Outputs(NetOf(body).Entry("code/__torch__/torch/autograd/grad_mode.py", no_grad)),
              ElementsAre(2, 4));
}

TEST(TorchStatements, WhatIsForkedIsThereWhereItIsWaitedFor) {
  const std::string body =
      "    fs = annotate(List[Future[Tensor]], [])\n"
      "    for i in range(2):\n"
      "      _0 = torch.add(x, i)\n"
      "      def __forked_function():\n"
      "        _1 = torch.mul(_0, 10)\n"
      "        return _1\n"
      "      _2 = fork(__forked_function)\n"
      "      _3 = torch.append(fs, _2)\n"
      "    return torch.sub(torch.wait(fs[1]), torch.wait(fs[0]))\n";
  EXPECT_THAT(Outputs(NetOf(body)), ElementsAre(10, 10));
}

TEST(TorchStatements, PrintsAreLeftOut) {
  const std::string body =
      "    y = torch.mul(x, 2)\n"
      "    print(\"size\", torch.size(x, 0), y)\n"
      "    if torch.gt(torch.sum(x), 0):\n"
      "      print(\"positive\")\n"
      "    else:\n"
      "      pass\n"
      "    return y\n";
  EXPECT_THAT(Outputs(NetOf(body)), ElementsAre(2, 4));
}

TEST(TorchStatements, TextsAreFormattedByPercent) {
  const std::string body =
      "    print(torch.percentFormat(\"mean %f of %d\", torch.mean(x), torch.size(x, 0)))\n"
      "    if torch.eq(torch.percentFormat(\"%d of %s: 5%%\", 3, \"a\"), \"3 of a: 5%\"):\n"
      "      y = torch.mul(x, 2)\n"
      "    else:\n"
      "      y = x\n"
      "    return y\n";
  EXPECT_THAT(Outputs(NetOf(body)), ElementsAre(2, 4));
}

// nn.LSTM checks what it gets: data of packed sequences have one dimension less, and batches are counted.
TEST(TorchStatements, PackedSequencesAreAskedForTheirSizes) {
  const std::string body =
      "    d, s = torch._pack_padded_sequence(torch.reshape(x, [2, 1, 1]), torch.tensor([2]), False)\n"
      "    n = int(torch.select(s, 0, 0))\n"
      "    if torch.eq(torch.add(torch.dim(d), n), 3):\n"
      "      y = torch.mul(x, torch.add(n, 4))\n"
      "    else:\n"
      "      y = x\n"
      "    return y\n";
  EXPECT_THAT(Outputs(NetOf(body)), ElementsAre(5, 10));
}

TEST(TorchStatements, ElementsOfNamedTuplesByPosition) {
  const std::string pair = "class Pair(NamedTuple):\n  factor : float\n  term : Tensor\n";
  EXPECT_THAT(Outputs(NetOf("    p = __torch__.Pair(3., x)\n"
                            "    return torch.add(torch.mul(x, (p)[0]), (p)[-1])\n",
                            pair)),
              ElementsAre(4, 8));
}

TEST(TorchStatements, SortedListsOfNumbersStringsAndTuples) {
  EXPECT_THAT(Outputs(NetOf("    return torch.mul(x, (sorted([5, -1, 3]))[0])\n")), ElementsAre(-1, -2));
  EXPECT_THAT(Outputs(NetOf("    l = [(2, \"b\"), (1, \"d\"), (1, \"c\")]\n"
                            "    if torch.eq(((sorted(l))[0])[1], \"c\"):\n"
                            "      y = torch.mul(x, ((sorted(l))[2])[0])\n"
                            "    else:\n"
                            "      y = x\n"
                            "    return y\n")),
              ElementsAre(2, 4));
}

const char kMode[] = "class Mode(Enum):\n  A = \"a\"\n  B = \"b\"\n";

TEST(TorchStatements, MembersOfEnumsAreCompared) {
  const std::string body =
      "    m = self.m\n"
      "    if torch.eq(m, __torch__.Mode.B):\n"
      "      y = torch.mul(x, 3)\n"
      "    else:\n"
      "      y = x\n"
      "    if torch.__is__(m, __torch__.Mode.A):\n"
      "      z = x\n"
      "    else:\n"
      "      z = torch.add(y, 1)\n"
      "    if torch.eq(torch.add(m.name, m.value), \"Bb\"):\n"
      "      w = torch.add(z, 100)\n"
      "    else:\n"
      "      w = z\n"
      "    return w\n";
  // PyTorch calls the class with the value, where other calls have a tuple.
  for (const char* call : {"R", "\x85R"}) {
    TorchArchive archive = NetOf(body, kMode);
    archive.Attribute("m", PickledGlobal("__torch__", "Mode") + PickledText("b") + call);
    EXPECT_THAT(Outputs(archive), ElementsAre(104, 107));
  }
}

TEST(TorchStatements, MembersOfEnumsHaveValuesWhereTheyAreNamed) {
  EXPECT_THAT(Outputs(NetOf("    return torch.mul(x, (__torch__.Size.B).value)\n",
                            "class Size(Enum):\n  A = 1\n  B = 5\n")),
              ElementsAre(5, 10));
}

TEST(TorchStatements, RecordsAndAssertionsAreLeftOut) {
  EXPECT_THAT(Outputs(NetOf("    torch._assert_async(torch.any(torch.gt(x, 0)), \"positive\")\n"
                            "    r = ops.profiler._record_function_enter_new(\"part\", None)\n"
                            "    y = torch.mul(x, 2)\n"
                            "    ops.profiler._record_function_exit(r)\n"
                            "    return y\n")),
              ElementsAre(2, 4));
}

TEST(TorchStatements, AssertionsAreDecidedWhereTheyCanBe) {
  const auto import = [](const std::string& assertion) {
    frontend::ImportOptions options;
    options.input_shapes = {{"x", {2}}};
    return ImportTorch(NetOf("    " + assertion + "\n    return torch.neg(x)\n").Bytes(), options);
  };
  for (const char* op : {"torch._assert_scalar", "torch._assert_async", "torch._functional_assert_scalar"}) {
    const std::string call = op;
    const std::string of_size = call + "(torch.eq(torch.size(x, 0), ";
    const ImportedTorch holds = import(of_size + "2), \"two\")");
    EXPECT_TRUE(holds.status.ok()) << holds.status.message();
    EXPECT_TRUE(holds.diagnostics.warnings.empty());
    EXPECT_THAT(import(of_size + "3), \"three of them\")").status.message(), HasSubstr("three of them"));
    const ImportedTorch unknown = import(call + "(torch.all(torch.gt(x, 0)), \"positive\")");
    EXPECT_TRUE(unknown.status.ok()) << unknown.status.message();
    EXPECT_THAT(unknown.diagnostics.warnings,
                ElementsAre(HasSubstr(": an exception that the values of inputs")));
  }
}

TEST(TorchStatements, ExceptionsOfTheModelSayWhichValuesWouldDo) {
  const std::string body =
      "    _0 = torch.format(\"expected one of {}, found {}\", [8000, 16000], torch.size(x, 0))\n"
      "    ops.prim.RaiseException(_0)\n"
      "    return x\n";
  frontend::ImportOptions options;
  options.input_shapes = {{"x", {2}}};
  EXPECT_THAT(ImportTorch(NetOf(body).Bytes(), options).status.message(),
              HasSubstr("expected one of [8000, 16000], found 2"));
}

TEST(TorchStatements, AStateDictWithVersionsIsCalledWhatItIs) {
  const std::string dictionary = "\x80\x02" + PickledGlobal("collections", "OrderedDict") + ")R(" +
                                 PickledText("w") + PickledTensor("0", {2}, {1}, 0, 2) + "u}" +
                                 PickledText("_metadata") + "}sb.";
  const Status status = ImportTorch(ZipOf({{"data.pkl", dictionary}, {"version", "3"}}), {}).status;
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("state_dict"));
}

}  // namespace
}  // namespace micrort::testing
