// Packed sequences in TorchScript: sizes, orders, and who may read them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/torch_states.h"

namespace micrort::testing::torch_packed {
namespace {

using ::testing::HasSubstr;

// y[t] = relu(x[t] + y[t - 1]), of sequences whose order and lengths are free.
TorchArchive SumsOf(const std::string& end) {
  const std::string body =
      "    sorted, order = torch.sort(lengths, -1, True)\n"
      "    data, sizes = torch._pack_padded_sequence(torch.index_select(x, 0, order), sorted, True)\n"
      "    back = torch.argsort(order)\n"
      "    h = torch.zeros([1, int(torch.select(sizes, 0, 0)), 1])\n";
  return TorchArchive("  def forward(self: __torch__.Net, x: Tensor, lengths: Tensor):\n" + body + end)
      .Tensor("w", {1, 1}, {1})
      .Tensor("r", {1, 1}, {1});
}

const char kLayer[] =
    "    y, last = torch.rnn_relu(data, sizes, h, [self.w, self.r], False, 1, 0., False, False)\n";

// Of two sequences of at most three steps: 1 2 3 and 4 5 6.
std::string ResultOf(const std::string& end, const std::vector<int64_t>& lengths) {
  ConvertOptions options;
  options.input_shapes = {{"x", {2, 3, 1}}, {"lengths", {2}}};
  options.input_types = {{"lengths", DType::kInt64}};
  Converted model("model.pt", SumsOf(end).Bytes(), options);
  return model.Run({Array<float>({2, 3, 1}, {1, 2, 3, 4, 5, 6}), Array<int64_t>({2}, lengths)});
}

TEST(TorchPacked, SequencesInAnyOrderComeBackInTheirs) {
  const std::string end =
      std::string(kLayer) +
      "    padded, n = torch._pad_packed_sequence(y, sizes, True, -1., torch.size(sizes, 0))\n"
      "    return torch.squeeze(torch.index_select(padded, 0, back), 2)\n";
  EXPECT_EQ(ResultOf(end, {1, 3}), "2x3: 1 -1 -1 4 9 15");
  EXPECT_EQ(ResultOf(end, {3, 1}), "2x3: 1 3 6 4 -1 -1");
  // As long as the longest.
  EXPECT_EQ(ResultOf(end, {1, 2}), "2x2: 1 -1 4 9");
  EXPECT_EQ(ResultOf(end, {1, 1}), "2x1: 1 4");
  EXPECT_EQ(
      ResultOf(std::string(kLayer) + "    return torch.index_select(torch.squeeze(last), 0, back)\n", {1, 2}),
      "2: 1 9");
}

TEST(TorchPacked, ASizeForEachStepOfTheLongest) {
  EXPECT_EQ(ResultOf("    return sizes\n", {3, 1}), "3: 2 1 1");
  EXPECT_EQ(ResultOf("    return sizes\n", {1, 2}), "2: 2 1");
  EXPECT_EQ(ResultOf("    return torch.add(torch.select(sizes, 0, 0), 1)\n", {1, 2}), "scalar: 3");
  EXPECT_EQ(ResultOf("    return torch.tensor([torch.size(data, 1), torch.dim(data)])\n", {1, 2}), "2: 1 2");
}

TEST(TorchPacked, RowsAreReadByRowAlone) {
  const std::string rows =
      "    data = torch.relu(torch.linear(data, self.w))\n" + std::string(kLayer) +
      "    twice, last2 = torch.rnn_relu(y, sizes, h, [self.w, self.r], False, 1, 0., False, False)\n"
      "    return torch.squeeze(last2)\n";
  EXPECT_EQ(ResultOf(rows, {1, 3}), "2: 28 1");
  // Padded steps are among what these would read.
  for (const char* end : {"    return torch.sum(data)\n", "    return torch.mean(torch.relu(data))\n",
                          "    return torch.tensor([torch.size(data, 0)])\n",
                          "    return torch.tensor([torch.numel(data)])\n"}) {
    EXPECT_THAT(ResultOf(end, {1, 3}), HasSubstr("call pad_packed_sequence before")) << end;
  }
}

}  // namespace
}  // namespace micrort::testing::torch_packed
