// Attributes of TorchScript models that a run sets and the next one reads.

#include "tests/converter/torch_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::testing::torch_states {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string FloatBytes(const Floats& elements) {
  return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float)};
}

// As silero_vad has it: the state is made when the batch or the rate is another one than the last.
TorchArchive Detector() {
  return TorchArchive(
             "  def reset_states(self: __torch__.Net, batch: int) -> NoneType:\n"
             "    self.h = torch.zeros([batch, 2])\n"
             "    self.last_rate = 0\n"
             "    self.last_batch = 0\n"
             "    return None\n"
             "  def forward(self: __torch__.Net, x: Tensor, rate: int) -> Tensor:\n"
             "    if torch.eq(rate, 16000):\n"
             "      factor = 1.\n"
             "    else:\n"
             "      if torch.eq(rate, 8000):\n"
             "        factor = 2.\n"
             "      else:\n"
             "        ops.prim.RaiseException(\"rates are 8000 and 16000\")\n"
             "        factor = 0.\n"
             "    batch = torch.size(x, 0)\n"
             "    last_batch = self.last_batch\n"
             "    if torch.__not__(bool(last_batch)):\n"
             "      _0 = (self).reset_states(batch, )\n"
             "    else:\n"
             "      pass\n"
             "    last_rate = self.last_rate\n"
             "    if bool(last_rate):\n"
             "      _1 = torch.ne(last_rate, rate)\n"
             "    else:\n"
             "      _1 = False\n"
             "    if _1:\n"
             "      _2 = (self).reset_states(batch, )\n"
             "    else:\n"
             "      pass\n"
             "    h = torch.add(torch.mul(self.h, 0.5), torch.mul(x, factor))\n"
             "    self.h = h\n"
             "    self.last_rate = rate\n"
             "    self.last_batch = batch\n"
             "    return h\n")
      .Tensor("h", {1, 2}, {7, 7})
      .Attribute("last_rate", PickledInt(0))
      .Attribute("last_batch", PickledInt(0));
}

TEST(TorchAttributes, AStateThatTheFirstRunMakesIsKept) {
  ConvertOptions options = ForInputX();
  options.input_values = {{"rate", "16000"}};
  Converted model("model.pt", Detector().Bytes(), options);
  EXPECT_EQ(model.Run({Array<float>({1, 2}, {2, 4})}), "1x2: 2 4");
  EXPECT_EQ(model.Run({Array<float>({1, 2}, {0, 0})}), "1x2: 1 2");
  EXPECT_EQ(model.Run({Array<float>({1, 2}, {1, 1})}), "1x2: 1.5 2");
  EXPECT_EQ(StatesOf(model), 1u);
}

TEST(TorchAttributes, ARateThatARunDecidesResetsTheState) {
  Converted model("model.pt", Detector().Bytes(), ForInputX());
  const auto run = [&](int64_t rate) {
    return model.Run({Array<float>({1, 2}, {2, 4}), Array<int64_t>({}, {rate})});
  };
  EXPECT_EQ(run(16000), "1x2: 2 4");
  EXPECT_EQ(run(16000), "1x2: 3 6");
  EXPECT_EQ(run(8000), "1x2: 4 8");
  EXPECT_EQ(run(8000), "1x2: 6 12");
  EXPECT_EQ(run(16000), "1x2: 2 4");
}

// As silero_vad keeps the end of the last window.
TEST(TorchAttributes, StatesThatAreEmptyAtFirst) {
  const std::string body =
      "    if torch.eq(torch.len(self.past), 0):\n"
      "      self.past = torch.zeros([1, 1])\n"
      "    else:\n"
      "      pass\n"
      "    y = torch.cat([self.past, x], 1)\n"
      "    self.past = torch.slice(y, 1, -1)\n"
      "    return y\n";
  ExpectRuns(StatefulNet(body).Tensor("past", {0}, {}), {"1x3: 0 1 2", "1x3: 2 1 2"});
}

TEST(TorchAttributes, AStateThatIsNoneUntilItIsZero) {
  const std::string body =
      "    h = self.h\n"
      "    if torch.__is__(h, None):\n"
      "      h0 = torch.zeros([1, 2])\n"
      "    else:\n"
      "      h0 = unchecked_cast(Tensor, h)\n"
      "    h1 = torch.add(h0, x)\n"
      "    self.h = h1\n"
      "    return h1\n";
  ExpectRuns(StatefulNet(body).Attribute("h", kPickledNone), {"1x2: 1 2", "1x2: 2 4"});
}

TEST(TorchAttributes, NumbersThatEachRunChangesAreStates) {
  const std::string body =
      "    n = self.n\n"
      "    self.n = torch.add(n, 1)\n"
      "    return torch.mul(x, n)\n";
  ExpectRuns(StatefulNet(body).Attribute("n", PickledInt(3)), {"1x2: 3 6", "1x2: 4 8"}, 1u);
}

TEST(TorchAttributes, FlagsThatEachRunTurnsDecideBranches) {
  const std::string body =
      "    if self.is_odd:\n"
      "      y = torch.neg(x)\n"
      "    else:\n"
      "      y = torch.add(x, 1)\n"
      "    self.is_odd = torch.__not__(self.is_odd)\n"
      "    return y\n";
  ExpectRuns(StatefulNet(body).Attribute("is_odd", "\x89"), {"1x2: 2 3", "1x2: -1 -2", "1x2: 2 3"});
}

TEST(TorchAttributes, CountersThatDecideNothingAreNoStates) {
  const std::string body =
      "    self.n = torch.add(self.n, 1)\n"
      "    self.h = torch.add(self.h, x)\n"
      "    return self.h\n";
  ExpectRuns(StatefulNet(body).Attribute("n", PickledInt(3)).Tensor("h", {1, 2}, {1, 1}),
             {"1x2: 2 3", "1x2: 3 5"}, 1u);
}

// Tables of positions, which models keep once they have made them.
TEST(TorchAttributes, ConstantsThatTheFirstRunMakesStayConstants) {
  const std::string body =
      "    if torch.lt(torch.size(self.table, 1), torch.size(x, 1)):\n"
      "      self.table = torch.unsqueeze(torch.arange(torch.size(x, 1)), 0)\n"
      "    else:\n"
      "      pass\n"
      "    return torch.add(x, torch.slice(self.table, 1, 0, torch.size(x, 1)))\n";
  ExpectRuns(StatefulNet(body).Tensor("table", {1, 0}, {}), {"1x2: 1 3", "1x2: 1 3"}, 0u);
}

TEST(TorchAttributes, ElementsOfListsAreStates) {
  const std::string body =
      "    past = self.past\n"
      "    y = torch.add(past[0], past[1])\n"
      "    past[1] = past[0]\n"
      "    past[0] = x\n"
      "    return y\n";
  const auto zeros = [](const char* key) { return PickledTensor(key, {1, 2}, {2, 1}, 0, 2); };
  ExpectRuns(StatefulNet(body)
                 .Attribute("past", "](" + zeros("p") + zeros("q") + "e")
                 .Entry("data/p", std::string(8, '\0'))
                 .Entry("data/q", std::string(8, '\0')),
             {"1x2: 0 0", "1x2: 1 2", "1x2: 2 4"});
}

// Containers that each run makes anew, or changes, begin with what the file has in their places, whatever
// constants the first run puts there.
TEST(TorchAttributes, ContainersBeginWithWhatTheFileHas) {
  struct Case {
    const char *body, *begin, *end;
    std::vector<const char*> outputs;
  };
  const Case cases[] = {
      {"    past = self.past\n"
       "    y = torch.add(past[0], past[1])\n"
       "    self.past = [x, past[0]]\n"
       "    return y\n",
       "](",
       "e",
       {"1x2: 31 42", "1x2: 2 4", "1x2: 2 4"}},
      {"    past = self.past\n"
       "    _0 = torch.append(past, x)\n"
       "    _1 = torch.pop(past, 0)\n"
       "    return torch.add(past[0], past[1])\n",
       "](",
       "e",
       {"1x2: 31 42", "1x2: 2 4", "1x2: 2 4"}},
      {"    a, b, = self.past\n"
       "    self.past = (b, torch.mul(a, 2))\n"
       "    return torch.add(x, a)\n",
       "(",
       "t",
       {"1x2: 2 4", "1x2: 31 42", "1x2: 3 6", "1x2: 61 82"}},
  };
  for (const Case& c : cases) {
    Converted model("model.pt",
                    StatefulNet(c.body)
                        .Attribute("past", c.begin + PickledTensor("p", {1, 2}, {2, 1}, 0, 2) +
                                               PickledTensor("q", {1, 2}, {2, 1}, 0, 2) + c.end)
                        .Entry("data/p", FloatBytes({1, 2}))
                        .Entry("data/q", FloatBytes({30, 40}))
                        .Bytes(),
                    ForInputX());
    for (const char* expected : c.outputs) EXPECT_EQ(model.Run({Counting({1, 2})}), expected) << c.body;
  }
}

TEST(TorchAttributes, EntriesOfDictionariesBeginWithWhatTheFileHas) {
  const std::string body =
      "    scales = self.scales\n"
      "    n = torch.mul(scales[\"a\"], 0.5)\n"
      "    torch._set_item(scales, \"a\", n)\n"
      "    return torch.mul(x, n)\n";
  ExpectRuns(
      StatefulNet(body)
          .Attribute("scales", "}(" + PickledText("a") + PickledTensor("p", {1, 2}, {2, 1}, 0, 2) + "u")
          .Entry("data/p", FloatBytes({8, 4})),
      {"1x2: 4 4", "1x2: 2 2"});
}

// Nothing sees what the run before has left.
TEST(TorchAttributes, WhatIsSetBeforeItIsReadIsNoState) {
  const std::string body =
      "    self.n = torch.size(x, 1)\n"
      "    self.all = [x, x]\n"
      "    return torch.mul(x, self.n)\n";
  ExpectRuns(StatefulNet(body).Attribute("n", PickledInt(0)).Attribute("all", "]"), {"1x2: 2 4"}, 0u);
}

TEST(TorchAttributes, AFirstRunThatComputesOtherwiseIsABranch) {
  const std::string body =
      "    if torch.eq(self.n, 0):\n"
      "      y = torch.neg(x)\n"
      "    else:\n"
      "      y = torch.add(x, 1)\n"
      "    self.n = 1\n"
      "    return y\n";
  ExpectRuns(StatefulNet(body).Attribute("n", PickledInt(0)), {"1x2: -1 -2", "1x2: 2 3"}, 1u);
}

// The first run may begin with what the code itself says.
TEST(TorchAttributes, StatesThatAreNoneUntilTheyAreAConstant) {
  const std::string body =
      "    h = self.h\n"
      "    if torch.__is__(h, None):\n"
      "      h0 = torch.full([1, 2], 10.)\n"
      "    else:\n"
      "      h0 = unchecked_cast(Tensor, h)\n"
      "    h1 = torch.add(h0, x)\n"
      "    self.h = h1\n"
      "    return h1\n";
  ExpectRuns(StatefulNet(body).Attribute("h", kPickledNone), {"1x2: 11 12", "1x2: 12 14"});
}

// As streaming convolutions have it.
TEST(TorchAttributes, AFirstRunThatPadsBeginsWithZeros) {
  const std::string body =
      "    past = self.past\n"
      "    if torch.__is__(past, None):\n"
      "      y = torch.pad(x, [1, 0])\n"
      "    else:\n"
      "      y = torch.cat([unchecked_cast(Tensor, past), x], 1)\n"
      "    self.past = torch.slice(y, 1, -1)\n"
      "    return y\n";
  Converted model("model.pt", StatefulNet(body).Attribute("past", kPickledNone).Bytes(), ForInputX());
  EXPECT_EQ(model.Run({Counting({1, 2})}), "1x3: 0 1 2");
  EXPECT_EQ(model.Run({Counting({1, 2})}), "1x3: 2 1 2");
  // Ones are no zeros, and zeros at the end are none at the beginning.
  for (const char* pad : {"[1, 0], \"constant\", 1.", "[0, 1]"}) {
    std::string other = body;
    other.replace(other.find("[1, 0]"), 6, pad);
    const Converted refused("model.pt", StatefulNet(other).Attribute("past", kPickledNone).Bytes(),
                            ForInputX());
    EXPECT_EQ(refused.status().code(), StatusCode::kUnsupported) << pad;
  }
}

TEST(TorchAttributes, AFirstRunThatNoStateStandsForIsRefused) {
  const std::string body =
      "    h = self.h\n"
      "    if torch.__is__(h, None):\n"
      "      h1 = x\n"
      "    else:\n"
      "      h1 = torch.add(torch.mul(unchecked_cast(Tensor, h), 0.5), x)\n"
      "    self.h = h1\n"
      "    return h1\n";
  const Converted model("model.pt", StatefulNet(body).Attribute("h", kPickledNone).Bytes(), ForInputX());
  EXPECT_EQ(model.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(model.status().message(),
              AllOf(HasSubstr("attribute 'h' is kept from run to run, but the first run computes otherwise"),
                    HasSubstr("--state")));
}

// What the first run sets before it reads it, and later ones do not set.
TEST(TorchAttributes, AllThatTheFirstRunPreparesIsKnownLater) {
  const std::string body =
      "    if torch.eq(self.batch, 0):\n"
      "      self.h = torch.zeros([1, 2])\n"
      "      self.c = torch.ones([1, 2])\n"
      "      self.batch = 1\n"
      "    else:\n"
      "      pass\n"
      "    if torch.ne(torch.len(self.h), 0):\n"
      "      if torch.ne(torch.dim(self.c), 2):\n"
      "        ops.prim.RaiseException(\"c should be a matrix\")\n"
      "      else:\n"
      "        pass\n"
      "      y = torch.add(torch.mul(self.h, self.c), x)\n"
      "    else:\n"
      "      y = x\n"
      "    self.h = y\n"
      "    return y\n";
  ExpectRuns(StatefulNet(body).Tensor("h", {0}, {}).Tensor("c", {0}, {}).Attribute("batch", PickledInt(0)),
             {"1x2: 1 2", "1x2: 2 4"});
}

// Their parts are not followed.
TEST(TorchAttributes, ObjectsThatEachRunReplacesAreRefused) {
  const std::string body =
      "    last = self.state\n"
      "    self.state = __torch__.Pair(x, x)\n"
      "    return torch.add(last.a, x)\n";
  const std::string pair =
      "class Pair(NamedTuple):\n  a : Tensor\n  b : Tensor\n"
      "class Net(Module):\n  __parameters__ = []\n  training : bool\n"
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" +
      body;
  const std::string zeros = PickledTensor("p", {1, 2}, {2, 1}, 0, 2);
  const std::string state = PickledGlobal("__torch__", "Pair") + ")\x81}(" + PickledText("a") + zeros + "ub";
  const Converted model("model.pt",
                        StatefulNet("")
                            .Entry("code/__torch__.py", pair)
                            .Attribute("state", state)
                            .Entry("data/p", std::string(8, '\0'))
                            .Bytes(),
                        ForInputX());
  EXPECT_THAT(model.status().message(), HasSubstr("attribute 'state' is kept from run to run"));
}

TEST(TorchAttributes, WhatGrowsWithEachRunIsRefused) {
  const std::string body =
      "    self.all = torch.cat([self.all, x])\n"
      "    return torch.sum(self.all)\n";
  const Converted model("model.pt", StatefulNet(body).Tensor("all", {0, 2}, {}).Bytes(), ForInputX());
  EXPECT_EQ(model.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(model.status().message(),
              HasSubstr("attribute 'all' is kept from run to run, but a run changes"));
}

}  // namespace
}  // namespace micrort::testing::torch_states
