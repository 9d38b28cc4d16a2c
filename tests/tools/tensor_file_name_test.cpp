#include "tools/io/tensor_file_name.h"

#include <gmock/gmock.h>

namespace micrort::io {
namespace {

using ::testing::ElementsAre;

TEST(FileSafeNames, ReplacesWhatIsNotSafe) {
  EXPECT_THAT(FileSafeNames({"a/b:0", "Conv_1.w-x", "ä b", ""}),
              ElementsAre("a_b_0", "Conv_1.w-x", "___b", "_"));
}

TEST(FileSafeNames, CutsAfter100Characters) {
  const std::string longer(150, 'x');
  EXPECT_THAT(FileSafeNames({longer, std::string(100, 'x')}),
              ElementsAre(std::string(100, 'x'), std::string(100, 'x') + "_2"));
}

TEST(FileSafeNames, NumbersCollisions) {
  EXPECT_THAT(FileSafeNames({"a/b", "a:b", "a_b", "a_b_2", "a b"}),
              ElementsAre("a_b", "a_b_2", "a_b_3", "a_b_2_2", "a_b_4"));
}

// Quadratic, this would take minutes.
TEST(FileSafeNames, TakesNoLongerForManyNamesThanForFew) {
  const std::vector<std::string> safe = FileSafeNames(std::vector<std::string>(200000, "a"));
  EXPECT_EQ(safe.front(), "a");
  EXPECT_EQ(safe.back(), "a_200000");
}

TEST(FindTensor, PrefersTheExactName) {
  const std::vector<std::string> names = {"x/1", "x_1", "#0"};
  EXPECT_EQ(FindTensor(names, "x/1"), 0);
  EXPECT_EQ(FindTensor(names, "x_1"), 1);
  EXPECT_EQ(FindTensor(names, "x_1_2"), 1);
  EXPECT_EQ(FindTensor(names, "#0"), 2);
  EXPECT_EQ(FindTensor(names, "#1"), 1);
}

TEST(FindTensor, GivesMinusOneForAnythingElse) {
  const std::vector<std::string> names = {"x", "y"};
  for (const char* text : {"", "z", "#", "#2", "#-1", "#1x", "#99999999999999999999"}) {
    EXPECT_EQ(FindTensor(names, text), -1) << text;
  }
}

}  // namespace
}  // namespace micrort::io
