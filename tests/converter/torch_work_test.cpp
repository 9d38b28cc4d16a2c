// Work of TorchScript's code and pickles counts by the size of what they look at: small files end soon,
// whatever they ask for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "converter/ir/budget.h"
#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_work {
namespace {

using ::testing::HasSubstr;

constexpr char kTooMuch[] = "look at too many elements";

// s is a text of 2^20 letters.
constexpr char kLongText[] = "    s = \"a\"\n    for i in range(20):\n      s = torch.add(s, s)\n";

// s is a text of 2^16 letters, t one of half as many that ends differently.
constexpr char kTexts[] =
    "    s = \"a\"\n"
    "    for i in range(15):\n      s = torch.add(s, s)\n"
    "    t = torch.add(s, \"b\")\n"
    "    s = torch.add(s, s)\n";

// l and m are lists of 2^14 numbers, d a dictionary of 250 texts.
constexpr char kLists[] =
    "    l = torch.mul([0], 16384)\n"
    "    m = torch.mul([0], 16384)\n"
    "    d = annotate(Dict[str, int], {})\n"
    "    for i in range(250):\n      d[torch.add(\"key\", str(i))] = i\n";

// Takes 30/32 of all work that a file may take: searches for letters that are not there, which count as if
// they nearly were.
constexpr char kMostWork[] =
    "    u = \"u\"\n"
    "    for i in range(17):\n      u = torch.add(u, u)\n"
    "    v = \"v\"\n"
    "    for i in range(11):\n      v = torch.add(v, v)\n"
    "    for i in range(30):\n      n = torch.find(u, v)\n";

struct Repeated {
  const char* name;
  const char* before;
  const char* statement;
};

const Repeated kRepeated[] = {
    {"FindsText", kTexts, "n = torch.find(s, t)"},
    {"AsksForText", kTexts, "n = torch.__contains__(s, t)"},
    {"ComparesTexts", kTexts, "n = torch.eq(s, torch.add(t, \"\"))"},
    {"SplitsText", kTexts, "n = torch.split(s, \"a\")"},
    {"LowersText", kTexts, "n = torch.lower(s)"},
    {"FormatsText", kTexts, "n = torch.format(\"{}\", s)"},
    {"JoinsTexts", kTexts, "n = torch.join(t, [\"a\", \"b\"])"},
    {"PrintsText", kTexts, "n = str(s)"},
    {"SlicesList", kLists, "n = torch.slice(l, 0, 16384, 1)"},
    {"ComparesLists", kLists, "n = torch.eq(l, m)"},
    {"SearchesList", kLists, "n = torch.__contains__(l, 1)"},
    {"SortsList", kLists, "torch.sort(l)"},
    {"SumsList", kLists, "n = torch.sum(l)"},
    {"InsertsIntoList", kLists, "torch.insert(l, 0, 1)"},
    {"TakesFromList", kLists, "n = torch.pop(l, 0)"},
    {"CopiesList", kLists, "n = torch.list(l)"},
    {"RepeatsList", kLists, "n = torch.mul([1, 2], 5000)"},
    {"LoopsOverList", kLists, "n = 1\n      for k in torch.slice(l, 0, 2000, 1):\n        n = k"},
    {"LooksUpKey", kLists, "n = d[\"key249\"]"},
    {"AsksForKey", kLists, "n = torch.__contains__(d, \"none\")"},
    {"PutsListsIntoList", kLists, "n = [l, l, m]"},
    {"CopiesDictionary", kLists, "n = torch.copy(d)"},
};

class TorchWork : public ::testing::TestWithParam<Repeated> {};

TEST_P(TorchWork, OfLargeValuesCounts) {
  const Repeated& repeated = GetParam();
  const Status status =
      ImportCode(std::string(repeated.before) + kMostWork + "    for j in range(12500):\n      " +
                 repeated.statement + "\n    return x\n");
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr(kTooMuch));
}

INSTANTIATE_TEST_SUITE_P(Statements, TorchWork, ::testing::ValuesIn(kRepeated),
                         [](const auto& info) { return std::string(info.param.name); });

// Without the statements there is work left.
TEST(TorchWorkBefore, IsNotTooMuch) {
  for (const char* before : {kTexts, kLists}) {
    const Status status = ImportCode(std::string(before) + kMostWork +
                                     "    for j in range(12500):\n      n = 1\n    return x\n");
    EXPECT_TRUE(status.ok()) << status.message();
  }
}

// Half a million elements take fifty megabytes each time.
TEST(TorchWorkOfCopies, CountsWhatTheyTakeOfMemory) {
  for (const char* copy : {"torch.slice(l, 0, 500000, 1)", "torch.list(l)", "torch.mul(l, 1)"}) {
    const Status status =
        ImportCode("    l = torch.mul([0], 500000)\n    for i in range(6):\n      n = " + std::string(copy) +
                   "\n    return x\n");
    EXPECT_EQ(status.code(), StatusCode::kUnsupported) << copy;
    EXPECT_THAT(status.message(), HasSubstr(kTooMuch)) << copy;
  }
}

// A loop that is unrolled makes more nodes than a file may have.
TEST(TorchWorkOfLoops, EndsWithTheNodesOfAGraph) {
  ModelLimits limits;
  limits.max_operators = 8192;
  const ir::ConversionBudget budget(limits);
  const Status status = ImportCode("    for i in range(400000):\n      x = torch.relu(x)\n    return x\n");
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("at most 8192 operators"));
}

// Nor do those that follow from constants count less: each is inferred and computed.
TEST(TorchWorkOfLoops, EndsWithTheConstantsThatItComputes) {
  ModelLimits limits;
  limits.max_operators = 1000;
  const ir::ConversionBudget budget(limits);
  const Status status = ImportCode(
      "    for i in range(900):\n      x = torch.add(x, torch.select(torch.arange(100), 0, 3))\n    return "
      "x\n");
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("at most 1000 operators"));
}

TEST(TorchWorkOfLists, EndsWithTheInputsOfAnOperator) {
  const Status status = ImportCode("    return torch.cat(torch.mul([x], 100000), 0)\n");
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("expected at most 16384 inputs, found 100000"));
}

// What takes no longer for large values counts no more either.
TEST(TorchWorkOfSmallSteps, StaysSmall) {
  for (const char* statement :
       {"u = s", "torch.append(k, s)", "n = torch.len(s)", "n = k[0]", "k[0] = s",
        "n = torch.startswith(s, \"a\")", "torch.append(k, 1)\n      n = torch.pop(k)"}) {
    const Status status =
        ImportCode(std::string(kLongText) + "    k = [s]\n    for j in range(200):\n      " + statement +
                   "\n    return x\n");
    EXPECT_TRUE(status.ok()) << statement << ": " << status.message();
  }
}

Status ImportPickle(const std::string& operations) {
  const auto archive = ArchiveOf("    return x\n").Entry("data.pkl", "\x80\x02" + operations + ".");
  return ImportWithX(archive);
}

std::string Times(size_t count, const std::string& operations) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += operations;
  return all;
}

TEST(TorchWorkOfPickles, Counts) {
  const std::string zero(1, '\0');
  const std::string text = PickledText(std::string(1 << 20, 'a')) + "q" + zero;
  const std::string pickles[] = {
      text + Times(8 << 20, "0h" + zero),
      text + Times(4 << 20, "h" + zero),
      Times(8 << 20, "("),
      Times(8 << 20, "]"),
      "N" + Times(4 << 20, "\x94"),
  };
  for (const std::string& pickle : pickles) {
    const Status status = ImportPickle(pickle);
    EXPECT_EQ(status.code(), StatusCode::kUnsupported) << status.message();
  }
}

Status ImportAttributes(int count, const std::string& value) {
  std::string attributes;
  for (int i = 0; i < count; ++i) attributes += PickledText("a" + std::to_string(i)) + value;
  return ImportPickle(PickledGlobal("__torch__", "Net") + ")\x81}(" + attributes + "ub");
}

// Were it not, this would take minutes.
TEST(TorchWorkOfPickles, OfManyAttributesIsInProportion) {
  const Status status = ImportAttributes(100000, "N");
  EXPECT_TRUE(status.ok()) << status.message();
}

// Each takes microseconds, and half a kilobyte.
TEST(TorchWorkOfPickles, OfAttributesAndObjectsCountsForWhatTheyTake) {
  const std::string object = PickledGlobal("__torch__", "Net") + ")\x81}(" + PickledText("n") + "Nub";
  EXPECT_TRUE(ImportAttributes(20000, object).ok());
  for (const Status& status : {ImportAttributes(400000, "N"), ImportAttributes(150000, object)}) {
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_THAT(status.message(), HasSubstr(kTooMuch));
  }
}

// Paths of modules are as long as the names in them together, and each is kept.
TEST(TorchWorkOfPickles, OfLongPathsCounts) {
  const std::string net = PickledGlobal("__torch__", "Net") + ")\x81}(";
  const std::string child = net + "ub";
  const std::tuple<int, size_t, const char*> paths[] = {{1000, 200000, kTooMuch}, {1 << 20, 1000, "path"}};
  for (const auto& [length, children, why] : paths) {
    const Status status =
        ImportPickle(net + PickledText(std::string(length, 'L')) + "(" + Times(children, child) + "tub");
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_THAT(status.message(), HasSubstr(why));
  }
}

}  // namespace
}  // namespace micrort::testing::torch_work
