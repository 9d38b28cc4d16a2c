// Streams in TorchScript: rings with positions, counters and flags that branches set.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/torch_states.h"

namespace micrort::testing::torch_streams {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A counter that a branch sets back, and a flag that it raises.
TEST(TorchStreams, BranchesThatARunDecidesSetAttributes) {
  const std::string rings =
      "    _0 = torch.copy_(torch.select(self.buffer, 0, self.at), torch.select(x, 0, 0))\n"
      "    self.at = torch.add(self.at, 1)\n"
      "    if torch.ge(self.at, 2):\n"
      "      self.at = 0\n"
      "    else:\n"
      "      pass\n"
      "    return torch.add(self.buffer, 0)\n";
  Converted ring(
      "model.pt",
      StatefulNet(rings).Tensor("buffer", {2, 2}, {0, 0, 0, 0}).Attribute("at", PickledInt(0)).Bytes(),
      ForInputX());
  EXPECT_EQ(ring.Run({Array<float>({1, 2}, {1, 2})}), "2x2: 1 2 0 0");
  EXPECT_EQ(ring.Run({Array<float>({1, 2}, {3, 4})}), "2x2: 1 2 3 4");
  EXPECT_EQ(ring.Run({Array<float>({1, 2}, {5, 6})}), "2x2: 5 6 3 4");
  EXPECT_EQ(StatesOf(ring), 2u);

  const std::string begins =
      "    if torch.__not__(self.has_begun):\n"
      "      self.mean = x\n"
      "      self.has_begun = True\n"
      "    else:\n"
      "      self.mean = torch.mul(torch.add(self.mean, x), 0.5)\n"
      "    return self.mean\n";
  Converted mean("model.pt",
                 StatefulNet(begins).Tensor("mean", {1, 2}, {8, 8}).Attribute("has_begun", "\x89").Bytes(),
                 ForInputX());
  EXPECT_EQ(mean.Run({Array<float>({1, 2}, {1, 2})}), "1x2: 1 2");
  EXPECT_EQ(mean.Run({Array<float>({1, 2}, {3, 4})}), "1x2: 2 3");
}

TEST(TorchStreams, BranchesInsideBranchesSetAttributes) {
  const std::string body =
      "    if torch.gt(self.n, 0):\n"
      "      if torch.gt(self.n, 1):\n"
      "        self.n = 0\n"
      "        self.scale = 3.\n"
      "      else:\n"
      "        self.n = torch.add(self.n, 1)\n"
      "    else:\n"
      "      self.n = 1\n"
      "      self.scale = 5.\n"
      "    return torch.mul(x, self.scale)\n";
  const std::string one(1, '\x3f'), number = "G" + one + std::string("\xf0\0\0\0\0\0\0", 7);
  Converted model("model.pt",
                  StatefulNet(body).Attribute("n", PickledInt(0)).Attribute("scale", number).Bytes(),
                  ForInputX());
  for (const char* expected : {"1x2: 5 10", "1x2: 5 10", "1x2: 3 6", "1x2: 5 10"})
    EXPECT_EQ(model.Run({Counting({1, 2})}), expected);
}

TEST(TorchStreams, BranchesThatLeaveAttributesOfTwoTypesAreRefused) {
  const std::string body =
      "    if bool(torch.gt(torch.sum(x), 0)):\n"
      "      self.h = None\n"
      "    else:\n"
      "      self.h = x\n"
      "    return x\n";
  const Converted model("model.pt", StatefulNet(body).Attribute("h", kPickledNone).Bytes(), ForInputX());
  EXPECT_EQ(model.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(model.status().message(), HasSubstr("leave attribute 'h' of different types"));
}

// Loops that a run decides hand on names and tensors only.
TEST(TorchStreams, LoopsThatARunDecidesSetNone) {
  const std::string body =
      "    for i in range(int(torch.sum(x))):\n"
      "      if torch.gt(i, 1):\n"
      "        self.n = i\n"
      "      else:\n"
      "        pass\n"
      "    return torch.mul(x, self.n)\n";
  const Converted model("model.pt", StatefulNet(body).Attribute("n", PickledInt(3)).Bytes(), ForInputX());
  EXPECT_EQ(model.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(model.status().message(), HasSubstr("an object is changed in a branch or loop"));
}

// No caller gives a state, so that no flag can make it a constant.
TEST(TorchStreams, PositionsInListsThatAStateDecidesAreRefusedWithoutAFlagForIt) {
  const std::string body =
      "    rows = [x, torch.neg(x)]\n"
      "    y = rows[self.at]\n"
      "    self.at = torch.remainder(torch.add(self.at, 1), 2)\n"
      "    return y\n";
  const Converted model("model.pt", StatefulNet(body).Attribute("at", PickledInt(0)).Bytes(), ForInputX());
  EXPECT_EQ(model.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(model.status().message(),
              AllOf(HasSubstr("an element at a position that a run decides"), Not(HasSubstr("at=VALUE"))));
}

// Blocks of a ring, as a slice and as a part of so many elements.
TEST(TorchStreams, BlocksAreWrittenWhereARunDecides) {
  for (const char* part : {"torch.slice(self.buffer, 1, self.at, torch.add(self.at, 2))",
                           "torch.narrow(self.buffer, 1, self.at, 2)",
                           "torch.slice(self.buffer, 1, torch.sub(self.at, 4), torch.add(self.at, 2))"}) {
    const std::string body = std::string("    _0 = torch.copy_(") + part +
                             ", x)\n"
                             "    self.at = torch.remainder(torch.add(self.at, 2), 4)\n"
                             "    return torch.add(self.buffer, 0)\n";
    Converted model(
        "model.pt",
        StatefulNet(body).Tensor("buffer", {1, 4}, {9, 9, 9, 9}).Attribute("at", PickledInt(0)).Bytes(),
        ForInputX());
    EXPECT_EQ(model.Run({Array<float>({1, 2}, {1, 2})}), "1x4: 1 2 9 9") << part;
    EXPECT_EQ(model.Run({Array<float>({1, 2}, {3, 4})}), "1x4: 1 2 3 4") << part;
    EXPECT_EQ(model.Run({Array<float>({1, 2}, {5, 6})}), "1x4: 5 6 3 4") << part;
  }
}

}  // namespace
}  // namespace micrort::testing::torch_streams
