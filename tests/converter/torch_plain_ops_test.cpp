// TorchScript's operators on numbers, strings, lists and dictionaries, names of operators that others
// compute, and tensors of numbers that formulas lose.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "converter/frontend/torchscript/aliases.h"
#include "converter/frontend/torchscript/compositions.h"
#include "converter/frontend/torchscript/registry.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing {
namespace {

namespace torchscript = frontend::torchscript;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

// What the expressions are, after these lines of code.
Floats ValuesOf(const std::string& lines, const std::vector<std::string>& expressions) {
  std::string body = lines, list;
  for (const std::string& expression : expressions)
    list += (list.empty() ? "" : ", ") + ("float(" + expression + ")");
  const std::string methods = "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + body +
                              "    return torch.add(x, torch.tensor([" + list + "]))\n";
  const auto size = static_cast<int64_t>(expressions.size());
  return RunTorch(TorchArchive(methods).Bytes(), {{"x", {size}}},
                  {{"x", Floats(expressions.size())}})["output"];
}

TEST(TorchscriptPlainOps, NumbersAreComputedAsPythonDoes) {
  EXPECT_THAT(
      ValuesOf("", {"torch.floordiv(-7, 2)", "torch.remainder(-7, 2)", "torch.remainder(-7., 2.)",
                    "torch.pow(2, 10)", "torch.__lshift__(3, 2)", "torch.__rshift__(-5, 1)",
                    "torch.gcd(12, 18)", "torch.abs(-3)", "torch.neg(True)", "torch.round(2.5)",
                    "torch.floor(-1.5)", "torch.ceil(-1.5)", "torch.trunc(-1.5)", "torch.factorial(5)"}),
      ElementsAre(-4, 1, 1, 1024, 12, -3, 6, 3, -1, 2, -2, -1, -1, 120));
  EXPECT_THAT(
      ValuesOf("", {"torch.log(8, 2)", "torch.log2(8)", "torch.atan2(1., 0.)", "torch.fmod(-7., 2.)",
                    "torch.degrees(3.1415926535)", "torch.copysign(2., -0.5)", "torch.isinf(inf)"}),
      ElementsAre(FloatNear(3, 1e-6f), 3, FloatNear(1.5707963f, 1e-6f), -1, FloatNear(180, 1e-4f), -2, 1));
}

TEST(TorchscriptPlainOps, TwoResultsOfADivision) {
  EXPECT_THAT(
      ValuesOf("    q, r = torch.divmod(-7, 2)\n    p, s = torch.divmod(7.5, 2.)\n", {"q", "r", "p", "s"}),
      ElementsAre(-4, 1, 3, 1.5));
}

TEST(TorchscriptPlainOps, NumbersAtTheEndOfAllNumbers) {
  EXPECT_THAT(
      ValuesOf("", {"torch.__range_length(-9223372036854775807, 9223372036854775807, 4)",
                    "torch.__range_length(9223372036854775807, -9223372036854775807, -9223372036854775807)",
                    "torch.__range_length(0, 9223372036854775807, 2)", "torch.__range_length(3, 3, 1)",
                    "torch.__derive_index(9223372036854775807, 0, 2)",
                    "torch.remainder(-9223372036854775807, 3)", "torch.remainder(7, -3)"}),
      ElementsAre(4611686018427387904.0f, 2, 4611686018427387904.0f, 0, -2, 2, -2));
}

TEST(TorchscriptPlainOps, NothingIsEqualToWhatIsOfAnotherKind) {
  EXPECT_THAT(ValuesOf("", {"torch.eq(\"1\", 1)", "torch.ne(1, \"1\")", "torch.eq(None, 0)",
                            "torch.eq([1], (1,))", "torch.eq(1, True)", "torch.eq(1, 1.)"}),
              ElementsAre(0, 1, 0, 0, 1, 1));
}

TEST(TorchscriptPlainOps, ListsAreChangedForAllWhoHaveThem) {
  const std::string lines =
      "    a = [3, 1, 2, 3]\n"
      "    b = a\n"
      "    _0 = torch.remove(a, 3)\n"
      "    _1 = torch.append(a, 5)\n"
      "    _2 = torch.Delete(a, 0)\n"
      "    c = torch.sorted(b)\n"
      "    _3 = torch.insert(a, 0, 9)\n"
      "    _4 = torch.sort(b, True)\n";  // 9 5 3 2, c = 2 3 5
  EXPECT_THAT(ValuesOf(lines, {"b[0]", "b[1]", "b[2]", "b[3]", "torch.len(a)", "c[0]", "c[1]", "c[2]",
                               "ops.prim.max(c)", "torch.sum(c)", "torch.index(c, 3)"}),
              ElementsAre(9, 5, 3, 2, 4, 2, 3, 5, 5, 10, 1));
}

TEST(TorchscriptPlainOps, DictionariesKeepTheOrderOfTheirKeys) {
  const std::string lines =
      "    d = torch.dict([(\"a\", 1), (\"b\", 2), (\"a\", 3)])\n"
      "    _0 = torch.update(d, {\"c\": 7})\n"
      "    was = torch.setdefault(d, \"e\", 8)\n"
      "    popped = torch.pop(d, \"b\")\n"
      "    _1 = torch.Delete(d, \"c\")\n"
      "    keys = torch.keys(d)\n";
  EXPECT_THAT(ValuesOf(lines, {"d[\"a\"]", "was", "popped", "torch.len(d)", "torch.eq(keys[1], \"e\")",
                               "torch.get(d, \"z\", 4)", "torch.__contains__(d, \"c\")"}),
              ElementsAre(3, 8, 2, 2, 1, 4, 0));
}

TEST(TorchscriptPlainOps, StringsOfModesAreTakenApart) {
  const std::string lines =
      "    parts = torch.split(\"Conv_relu_3\", \"_\")\n"
      "    joined = torch.join(\"-\", parts)\n";
  EXPECT_THAT(ValuesOf(lines, {"torch.len(parts)", "torch.eq(torch.lower(parts[0]), \"conv\")",
                               "torch.eq(torch.upper(parts[1]), \"RELU\")",
                               "torch.eq(joined, \"Conv-relu-3\")", "torch.endswith(joined, \"3\")",
                               "torch.startswith(joined, \"relu\")", "torch.find(joined, \"relu\")"}),
              ElementsAre(3, 1, 1, 1, 1, 0, 5));
}

TEST(TorchscriptPlainOps, WhatIsNotThereIsSaid) {
  frontend::ImportOptions options;
  options.input_shapes = {{"x", {1}}};
  const auto message = [&](const std::string& expression) {
    const std::string methods =
        "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    y = " + expression +
        "\n    return torch.mul(x, y)\n";
    return std::string(ImportTorch(TorchArchive(methods).Bytes(), options).status.message());
  };
  EXPECT_THAT(message("[1, 2][5]"), HasSubstr("element 5 of 2"));
  EXPECT_THAT(message("torch.pop([1], 3)"), HasSubstr("no element 3 in a list of 1"));
  EXPECT_THAT(message("torch.index([1], 3)"), HasSubstr("a list has no such element"));
  EXPECT_THAT(message("torch.pop({\"a\": 1}, \"b\")"), HasSubstr("a dictionary has no entry 'b'"));
  EXPECT_THAT(message("torch.remainder(1, 0)"), HasSubstr("division by zero"));
}

TEST(TorchscriptComplex, ImaginaryLiteralsAndProducts) {
  const std::string methods =
      "  def forward(self: __torch__.Net, x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n"
      "    z = torch.view_as_complex(x)\n"
      "    turned = torch.mul(z, 1j)\n"
      "    return (torch.view_as_real(turned), torch.view_as_real(torch.dot(z, turned)),\n"
      "      torch.view_as_real(torch.vdot(z, torch.add(z, 2.5j))))\n";
  auto outputs = RunTorch(TorchArchive(methods).Bytes(), {{"x", {2, 2}}}, {{"x", {1, 2, 3, -1}}});
  EXPECT_THAT(outputs["output.0"], ElementsAre(-2, 1, 1, 3));
  // (1 + 2i)(-2 + i) + (3 - i)(1 + 3i)
  EXPECT_THAT(outputs["output.1"], ElementsAre(-4 + 6, -3 + 8));
  // (1 - 2i)(1 + 4.5i) + (3 + i)(3 + 1.5i)
  EXPECT_THAT(outputs["output.2"], ElementsAre(10 + 7.5, 2.5 + 7.5));
}

TEST(TorchscriptNames, OfCompositionsAndAliasesAreOfOneOperatorEach) {
  ASSERT_TRUE(torchscript::CompositionsStatus().ok()) << torchscript::CompositionsStatus().message();
  std::set<std::string> names;
  bool in_place = false;
  for (const std::string& name : torchscript::AllCompositions()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(torchscript::FindOpImporter(name, &in_place), nullptr) << name;
    EXPECT_EQ(torchscript::NameOfAlias(name), nullptr) << name;
  }
  for (const std::string& name : torchscript::AllAliases()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    const char* const other = torchscript::NameOfAlias(name);
    ASSERT_NE(other, nullptr) << name << " is not where a search finds it";
    EXPECT_EQ(torchscript::FindOpImporter(name, &in_place), nullptr) << name;
    const bool is_composed = torchscript::FindComposition(other) != nullptr ||
                             torchscript::FindComposition(other, torchscript::Numbering::kComplex) != nullptr;
    EXPECT_TRUE(is_composed || torchscript::FindOpImporter(other, &in_place) != nullptr) << other;
  }
}

// y = what the expression gives for x.
Floats TensorOf(const std::string& expression, const Floats& x) {
  const std::string methods =
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    return torch.add(" + expression +
      ", 0.)\n";
  return RunTorch(TorchArchive(methods).Bytes(), {{"x", {static_cast<int64_t>(x.size())}}},
                  {{"x", x}})["output"];
}

TEST(TorchscriptValues, RunningSumsOfExponentialsThatAreFarApart) {
  EXPECT_THAT(TensorOf("torch.logcumsumexp(x, 0)", {-200, 0, 200, 200}),
              ElementsAre(-200, 0, 200, FloatNear(200.693147f, 1e-4f)));
}

TEST(TorchscriptValues, AnglesOfZerosWithSigns) {
  EXPECT_THAT(TensorOf("torch.atan2(torch.neg(torch.relu(x)), x)", {-1, 1}),
              ElementsAre(FloatNear(-3.1415927f, 1e-6f), FloatNear(-0.78539816f, 1e-6f)));
  EXPECT_THAT(TensorOf("torch.atan2(x, x)", {INFINITY, -INFINITY}),
              ElementsAre(FloatNear(0.78539816f, 1e-6f), FloatNear(-2.3561945f, 1e-6f)));
}

TEST(TorchscriptValues, QuotientsOfLargeAndSmallComplexNumbers) {
  EXPECT_THAT(TensorOf("torch.real(torch.div(torch.complex(x, x), torch.complex(x, x)))", {1e25f, 1e-25f, 2}),
              ElementsAre(FloatNear(1, 1e-6f), FloatNear(1, 1e-6f), FloatNear(1, 1e-6f)));
}

TEST(TorchscriptValues, MagnitudesOfLargeAndSmallNumbers) {
  const Floats x = {3e30f, 3e-30f, 0, INFINITY};
  const auto expected = [](double factor) {
    return ElementsAre(FloatNear(static_cast<float>(3e30 * factor), 1e24f),
                       FloatNear(static_cast<float>(3e-30 * factor), 1e-36f), 0, INFINITY);
  };
  EXPECT_THAT(TensorOf("torch.hypot(x, x)", x), expected(std::sqrt(2)));
  EXPECT_THAT(TensorOf("torch.abs(torch.complex(x, x))", x), expected(std::sqrt(2)));
  EXPECT_THAT(TensorOf("torch.real(torch.reciprocal(torch.complex(x, x)))", {2e30f, 2e-30f}),
              ElementsAre(FloatNear(0.25e-30f, 1e-36f), FloatNear(0.25e30f, 1e24f)));
}

TEST(TorchscriptValues, SayWhetherTheyAreQuantized) {
  const std::string quantized = "torch.quantize_per_tensor(x, 0.5, 10, 13)";
  EXPECT_THAT(TensorOf("torch.mul(x, int(ops.prim.is_quantized(x)))", {2}), ElementsAre(0));
  EXPECT_THAT(TensorOf("torch.mul(x, int(ops.prim.is_quantized(" + quantized + ")))", {2}), ElementsAre(2));
}

// A layer that tracks no statistics takes those of the batch, in evaluation, too.
TEST(TorchscriptValues, NormalizedByTheirBatch) {
  EXPECT_THAT(
      TensorOf("torch.reshape(torch.batch_norm(torch.reshape(x, [2, 2]), None, None, None, None, True, "
               "0.1, 0., True), [4])",
               {1, 2, 3, 6}),
      ElementsAre(-1, -1, 1, 1));
}

TEST(TorchscriptValues, QuantilesOfSmallChances) {
  EXPECT_THAT(TensorOf("torch.special_ndtri(x)", {1e-9f, 0.5f}), ElementsAre(FloatNear(-5.9978f, 1e-3f), 0));
}

TEST(TorchscriptValues, NanIsBehindAllOthers) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::string limits = "torch.tensor([0., 1., 2.])";
  EXPECT_THAT(TensorOf("torch.bucketize(x, " + limits + ")", {kNan, 0, 1.5f}), ElementsAre(3, 0, 2));
  EXPECT_THAT(TensorOf("torch.bucketize(x, " + limits + ", out_int32=False, right=True)", {kNan, 0, 1.5f}),
              ElementsAre(3, 1, 2));
}

TEST(TorchscriptValues, OfNothing) {
  EXPECT_THAT(TensorOf("torch.any(torch.slice(x, 0, 0, 0))", {1, 2}), ElementsAre(0));
  EXPECT_THAT(TensorOf("torch.all(torch.slice(x, 0, 0, 0))", {1, 2}), ElementsAre(1));
  EXPECT_THAT(TensorOf("torch.isin(x, torch.slice(x, 0, 0, 0))", {1, 2}), ElementsAre(0, 0));
}

}  // namespace
}  // namespace micrort::testing
