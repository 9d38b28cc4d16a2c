// Parts of tensors in TorchScript: what is written to one is written to the whole, and to no copy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/torch_states.h"

namespace micrort::testing::torch_views {
namespace {

using ::testing::HasSubstr;

// The rest of y, of 1 2 3 and 4 5 6, where a part of it becomes 0.
std::string Without(const std::string& part, const std::string& result = "y") {
  const std::string body =
      "    y = torch.clone(x)\n"
      "    part = " +
      part +
      "\n"
      "    _0 = torch.zero_(part)\n"
      "    return torch.add(" +
      result + ", 0)\n";
  Converted model("model.pt", StatefulNet(body).Bytes(), ForInputX({2, 3}));
  return model.Run({Counting({2, 3})});
}

TEST(TorchViews, WhatIsWrittenToAPartIsWrittenToTheWhole) {
  const char kAll[] = "2x3: 0 0 0 0 0 0";
  const struct {
    const char *part, *rest;
  } cases[] = {
      {"torch.diagonal(y)", "2x3: 0 2 3 4 0 6"},
      {"torch.diagonal(y, 1)", "2x3: 1 0 3 4 5 0"},
      {"torch.diagonal(torch.t(y), -1)", "2x3: 1 0 3 4 5 0"},
      {"torch.as_strided(y, [2], [4], 1)", "2x3: 1 0 3 4 5 0"},
      {"torch.requires_grad_(torch.select(y, 1, 2), False)", "2x3: 1 2 0 4 5 0"},
      {"torch.unfold(y, 1, 1, 2)", "2x3: 0 2 0 0 5 0"},
      {"torch.unfold(torch.select(y, 0, 1), 0, 2, 1)", "2x3: 1 2 3 0 0 0"},
      {"torch.select(torch.unfold(y, 1, 2, 1), 1, 1)", "2x3: 1 0 0 4 0 0"},
      {"torch.contiguous(y)", kAll},
      {"torch.contiguous(torch.select(y, 0, 1))", "2x3: 1 2 3 0 0 0"},
      {"torch.contiguous(torch.unsqueeze(y, 1))", kAll},
      {"torch.expand_as(y, x)", kAll},
      {"torch.broadcast_tensors([y, torch.select(x, 0, 0)])[0]", kAll},
      {"torch.reshape(y, [6])", kAll},
      {"torch.reshape(torch.slice(y, 0, 1), [3])", "2x3: 1 2 3 0 0 0"},
      {"torch.view(torch.slice(y, 1, 1), [2, 2, 1])", "2x3: 1 0 0 4 0 0"},
      {"torch.slice(y, 1, 0, 3, 2)", "2x3: 0 2 0 0 5 0"},
      {"torch.narrow(y, 1, int(torch.argmax(torch.select(y, 0, 0))), 1)", "2x3: 1 2 0 4 5 0"},
  };
  for (const auto& c : cases) EXPECT_EQ(Without(c.part), c.rest) << c.part;
}

TEST(TorchViews, PartsOfOpenDimensionsAreWrittenToTheWhole) {
  const struct {
    const char *part, *rest;
  } cases[] = {
      {"torch.narrow(y, 1, 1, 1)", "2x5: 1 0 3 4 5 6 0 8 9 10"},
      {"torch.narrow(y, 1, -2, 2)", "2x5: 1 2 3 0 0 6 7 8 0 0"},
      {"torch.slice(y, 1, 0, 9223372036854775807, 2)", "2x5: 0 2 0 4 0 0 7 0 9 0"},
      {"torch.slice(y, 1, 1, -1, 2)", "2x5: 1 0 3 0 5 6 0 8 0 10"},
      {"torch.slice(y, 1, -3, torch.size(x, 1), 3)", "2x5: 1 2 0 4 5 6 7 0 9 10"},
      {"torch.select(y, 1, int(torch.argmax(torch.select(x, 0, 0))))", "2x5: 1 2 3 4 0 6 7 8 9 0"},
      {"torch.select(y, 0, torch.neg(int(torch.argmin(torch.select(x, 0, 0))) + 1))",
       "2x5: 1 2 3 4 5 0 0 0 0 0"},
      {"torch.slice(y, 1, 4, 2, 2)", "2x5: 1 2 3 4 5 6 7 8 9 10"},
      {"torch.slice(y, 1, 1, int(torch.argmax(torch.select(x, 0, 0))))", "2x5: 1 0 0 0 5 6 0 0 0 10"},
  };
  for (const auto& c : cases) {
    const std::string body = std::string("    y = torch.clone(x)\n    _0 = torch.zero_(") + c.part +
                             ")\n    return torch.add(y, 0)\n";
    Converted model("model.pt", StatefulNet(body).Bytes(), ForInputX({ir::kDynamic, ir::kDynamic}));
    EXPECT_EQ(model.Run({Counting({2, 5})}), c.rest) << c.part;
  }
}

TEST(TorchViews, WhatDoesNotLieInOrderIsCopied) {
  const char kWhole[] = "2x3: 1 2 3 4 5 6";
  for (const char* part :
       {"torch.contiguous(torch.t(y))", "torch.contiguous(torch.slice(y, 1, 1))", "torch.clone(y)",
        "torch.contiguous(torch.diagonal(y))", "torch.contiguous(torch.slice(y, 1, 0, 3, 2))"}) {
    EXPECT_EQ(Without(part), kWhole) << part;
  }
}

// Its strides decide whether it is a copy, and they are not known.
TEST(TorchViews, WhatMayBeACopyIsNotRelied) {
  EXPECT_THAT(Without("torch.reshape(torch.t(y), [6])"), HasSubstr("of which a part was changed in place"));
  EXPECT_THAT(Without("torch.flatten(torch.slice(y, 1, 1))"),
              HasSubstr("of which a part was changed in place"));
  EXPECT_EQ(Without("torch.reshape(torch.t(y), [6])", "part"), "6: 0 0 0 0 0 0");
}

// What is computed from a transposed tensor lies in memory as that one does.
TEST(TorchViews, WhatIsComputedFromAnotherOrderMayLieInThatOrder) {
  for (const char* computed :
       {"torch.mul(torch.t(x), 1.)", "torch.clone(torch.t(x))", "torch.relu(torch.t(x))",
        "torch.add(torch.relu(torch.t(x)), torch.t(x))", "torch.zeros_like(torch.t(x))",
        "torch.to(torch.mul(torch.permute(x, [1, 0]), 2.), 4)",
        "torch.select(torch.stack([torch.t(x), torch.t(x)]), 0, 1)"}) {
    for (const char* part :
         {"torch.reshape(z, [6])", "torch.flatten(z)", "torch.contiguous(z)", "torch.ravel(z)"}) {
      const std::string body = "    z = " + std::string(computed) + "\n    part = " + part +
                               "\n    _0 = torch.zero_(part)\n    return torch.add(";
      const auto run = [&](const std::string& result) {
        Converted model("model.pt", StatefulNet(body + result + ", 0)\n").Bytes(), ForInputX({2, 3}));
        return model.Run({Counting({2, 3})});
      };
      EXPECT_THAT(run("z"), HasSubstr("of which a part was changed in place")) << computed << part;
      EXPECT_THAT(run("part"), HasSubstr(": 0 0 0 0 0 0")) << computed << part;
    }
  }
  // In order again, whatever it was before.
  EXPECT_EQ(Without("torch.reshape(torch.contiguous(torch.t(y)), [6])"), "2x3: 1 2 3 4 5 6");
}

// They were whole lists, without a word.
TEST(TorchViews, PartsOfListsWhereARunDecidesAreRefused) {
  for (const char* part : {"torch.slice(all, n)", "torch.slice(all, 0, n)", "torch.slice(all, 0, 2, n)"}) {
    const std::string body = std::string(
                                 "    n = int(torch.argmax(torch.select(x, 0, 0)))\n"
                                 "    all = [x, torch.neg(x), x]\n"
                                 "    return torch.stack(") +
                             part + ")\n";
    const Converted model("model.pt", StatefulNet(body).Bytes(), ForInputX());
    EXPECT_EQ(model.status().code(), StatusCode::kUnsupported) << part;
    EXPECT_THAT(model.status().message(),
                HasSubstr("a part of a list from or to a position that a run decides"));
  }
}

TEST(TorchViews, GridsArePartsOfTheirAxes) {
  const std::string grid = "torch.meshgrid([torch.select(y, 0, 0), torch.select(x, 0, 1)], \"ij\")[0]";
  EXPECT_THAT(Without(grid), HasSubstr("of which a part was changed in place"));
  EXPECT_EQ(Without(grid, "part"), "3x3: 0 0 0 0 0 0 0 0 0");
}

TEST(TorchViews, PartsUpToWhereARunDecidesFollowTheWhole) {
  const std::string body =
      "    y = torch.clone(x)\n"
      "    part = torch.slice(y, 1, 0, int(torch.argmax(torch.select(x, 0, 0))))\n"
      "    _0 = torch.zero_(torch.select(y, 0, 1))\n"
      "    return torch.add(part, 0)\n";
  Converted model("model.pt", StatefulNet(body).Bytes(), ForInputX({2, 3}));
  EXPECT_EQ(model.Run({Counting({2, 3})}), "2x2: 1 2 0 0");
}

TEST(TorchViews, ExpandedTensorsFollowTheWhole) {
  const std::string body =
      "    y = torch.clone(x)\n"
      "    wide = torch.expand(torch.slice(y, 1, 0, 1), [2, 2])\n"
      "    _0 = torch.zero_(torch.select(y, 0, 1))\n"
      "    return torch.add(wide, 0)\n";
  Converted model("model.pt", StatefulNet(body).Bytes(), ForInputX({2, 3}));
  EXPECT_EQ(model.Run({Counting({2, 3})}), "2x2: 1 1 0 0");
}

}  // namespace
}  // namespace micrort::testing::torch_views
