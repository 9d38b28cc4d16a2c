// Tensors that bodies of branches and loops of TorchScript read and change.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing::torch_bodies {
namespace {

using ::testing::HasSubstr;

// Of {{1, 2}, {3, 4}}, as x and as the complex numbers z: shape and elements of the output.
std::string OutputOf(const std::string& statements) {
  ConvertOptions options;
  options.input_shapes = {{"x", {2, 2}}};
  const std::string forward =
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    z = torch.view_as_complex(x)\n" +
      statements;
  Converted model("model.pt", TorchArchive(forward).Bytes(), options);
  return model.Run({Counting({2, 2})});
}

// The parts that a body reads are values of its own graph.
TEST(TorchBodies, PartsOfComplexNumbersAreReadInABranchAndAfterIt) {
  EXPECT_EQ(OutputOf("    if bool(torch.gt(torch.sum(x), 0)):\n"
                     "      y = torch.view_as_real(torch.mul(z, z))\n"
                     "    else:\n"
                     "      y = torch.neg(torch.view_as_real(torch.mul(z, z)))\n"
                     "    return torch.add(torch.view_as_real(torch.mul(z, z)), y)\n"),
            "2x2: -6 8 -14 48");
}

TEST(TorchBodies, PartsOfComplexNumbersAreReadInALoopAndAfterIt) {
  EXPECT_EQ(OutputOf("    y = torch.mul(x, 0)\n"
                     "    for i in range(int(torch.select(torch.select(x, 0, 0), 0, 1))):\n"
                     "      y = torch.add(y, torch.view_as_real(torch.mul(z, z)))\n"
                     "    return torch.add(torch.view_as_real(torch.mul(z, z)), y)\n"),
            "2x2: -9 12 -21 72");
}

TEST(TorchBodies, TensorsAreFilledWithNumbersThatARunDecides) {
  const std::string two = "    n = int(torch.select(torch.select(x, 0, 0), 0, 1))\n    y = torch.mul(x, 1)\n";
  EXPECT_EQ(OutputOf(two + "    return torch.fill_(y, n)\n"), "2x2: 2 2 2 2");
  EXPECT_EQ(OutputOf(two + "    return torch.add(torch.full_like(x, n), torch.new_full(x, [1, 2], n))\n"),
            "2x2: 4 4 4 4");
}

TEST(TorchBodies, OutputsMayBeComplexNumbers) {
  EXPECT_EQ(OutputOf("    return torch.mul(z, z)\n"), "2x2: -3 4 -7 24");
}

// The shape of a complex input ends with its parts.
TEST(TorchBodies, InputsMayBeComplexNumbers) {
  const std::string forward =
      "  def forward(self: __torch__.Net, z: Tensor) -> Tensor:\n"
      "    return torch.view_as_real(torch.mul(z, z))\n";
  ConvertOptions options;
  options.input_shapes = {{"z", {2, 2}}};
  options.input_types = {{"z", DType::kFloat32, true}};
  const std::string bytes = TorchArchive(forward).Bytes();
  EXPECT_EQ(Converted("model.pt", bytes, options).Run({Counting({2, 2})}), "2x2: -3 4 -7 24");
  options.input_shapes = {{"z", {2, 3}}};
  EXPECT_THAT(Converted("model.pt", bytes, options).status().message(),
              HasSubstr("a shape that ends with 2"));
}

// A loop of as many iterations as x has positive elements in its first column fills a list.
std::string FillList(const std::string& iteration, const std::string& end) {
  return "    n = (torch.size(torch.index(x, [torch.gt(torch.select(x, 1, 0), 0)])))[0]\n"
         "    res = annotate(List[Tensor], [])\n"
         "    for i in range(n):\n      row = torch.mul(torch.select(x, 0, i), 2)\n" +
         iteration + end;
}

TEST(TorchBodies, ALoopFillsAList) {
  const std::string append = "      _0 = torch.append(res, row)\n";
  EXPECT_EQ(OutputOf(FillList(append, "    return torch.stack(res)\n")), "2x2: 2 4 6 8");
  EXPECT_EQ(OutputOf(FillList(append, "    return torch.stack(res, 1)\n")), "2x2: 2 6 4 8");
  EXPECT_EQ(OutputOf(FillList(append, "    return torch.cat(res)\n")), "4: 2 4 6 8");
  EXPECT_EQ(OutputOf(FillList("      _0 = torch.append(res, torch.unsqueeze(row, 1))\n",
                              "    return torch.cat(res, 1)\n")),
            "2x2: 2 6 4 8");
  EXPECT_EQ(OutputOf(FillList(append, "    return torch.add(res[-1], torch.len(res))\n")), "2: 8 10");
  const std::string if_any =
      "    if torch.gt(torch.len(res), 0):\n      y = torch.stack(res)\n"
      "    else:\n      y = torch.zeros([0, 2])\n    return y\n";
  EXPECT_EQ(OutputOf(FillList(append, if_any)), "2x2: 2 4 6 8");
}

TEST(TorchBodies, OtherListsOfALoopAreRefused) {
  const std::string append = "      _0 = torch.append(res, row)\n", end = "    return torch.stack(res)\n";
  EXPECT_THAT(OutputOf(FillList(append + append, end)), HasSubstr("several elements in an iteration"));
  EXPECT_THAT(OutputOf(FillList("      if bool(torch.gt(torch.sum(row), 9)):\n  " + append, end)),
              HasSubstr("a list is changed in a branch or loop"));
  EXPECT_THAT(OutputOf(FillList("      _1 = torch.len(res)\n" + append, end)),
              HasSubstr("'len' of a list that grows"));
  EXPECT_THAT(OutputOf(FillList(append, "    return torch.sum(res)\n")), HasSubstr("of a list that grows"));
  EXPECT_THAT(OutputOf(FillList("      _0 = torch.append(res, i)\n", end)), HasSubstr("gets an integer"));
}

// The values of a branch are fewer than those around it.
TEST(TorchBodies, ABranchHandsOnATensorFromAroundIt) {
  EXPECT_EQ(OutputOf("    y = torch.neg(torch.neg(torch.neg(torch.neg(torch.add(x, 1)))))\n"
                     "    if bool(torch.gt(torch.sum(x), 0)):\n"
                     "      y = torch.slice(y, 1, 0, 9223372036854775807)\n"
                     "    return torch.add(y, x)\n"),
            "2x2: 3 5 7 9");
}

// As decoders of boxes have it: rows that data choose get a dimension more, where there are any.
TEST(TorchBodies, ABranchForNoElementsGivesWayToThatForSome) {
  const auto rows = [](int above) {
    return "    rows = torch.index(x, [torch.gt(torch.select(x, 1, 0), " + std::to_string(above) +
           ")])\n    count = (torch.size(rows))[0]\n";
  };
  const std::string of_some = "      rows = torch.reshape(rows, [count, 1, 2])\n";
  const std::string nothing = "      rows = torch.mul(rows, 1)\n";
  const std::string end = "    return torch.mul(torch.reshape(rows, [-1, 2]), 2)\n";
  EXPECT_EQ(OutputOf(rows(2) + "    if torch.gt(count, 0):\n" + of_some + end), "1x2: 6 8");
  EXPECT_EQ(OutputOf(rows(2) + "    if torch.eq(count, 0):\n" + nothing + "    else:\n" + of_some + end),
            "1x2: 6 8");
  EXPECT_EQ(OutputOf(rows(9) + "    if torch.gt(count, 0):\n" + of_some + end), "0x2:");
  EXPECT_THAT(OutputOf(rows(2) + "    if bool(torch.gt(torch.sum(x), 0)):\n" + of_some + end),
              HasSubstr("two branches give different types or ranks"));
}

TEST(TorchBodies, ATensorThatIsSaidToBeANumberIsOne) {
  EXPECT_EQ(OutputOf("    n = annotate(int, torch.select(torch.select(x, 0, 0), 0, 1))\n"
                     "    return torch.slice(torch.mul(x, 3), 1, 0, ops.prim.min(n, 1))\n"),
            "2x1: 3 9");
}

// A file may hold two of a name, of which a model changes the first.
TEST(TorchBodies, TwoAttributesOfANameAreOneState) {
  frontend::ImportOptions options;
  options.input_shapes = {{"x", {1, 2}}};
  const std::string forward =
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    return torch.add_(self.w, x)\n";
  ImportedTorch imported = ImportTorch(
      TorchArchive(forward).Tensor("w", {1, 2}, {1, 2}).Attribute("w", PickledInt(1)).Bytes(), options);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  EXPECT_EQ(imported.module.entry().inputs.size(), 2u);
}

}  // namespace
}  // namespace micrort::testing::torch_bodies
