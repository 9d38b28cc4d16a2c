// Tables of replacements as SentencePiece compiles them.

#include "text/pipeline/char_map.h"

#include <gtest/gtest.h>

namespace micrort::text {
namespace {

// A double array in which "a" and "ab" are words.
std::string Table(const std::string& replacements) {
  constexpr uint32_t kLeaf = 0x100;
  std::vector<uint32_t> units(0x400);
  const auto offset = [](uint32_t value) { return value << 10; };
  units[0] = offset(0x100);
  units[0x100 ^ 'a'] = offset(0x280) | kLeaf | 'a';
  const uint32_t after_a = (0x100 ^ 'a') ^ 0x280;
  units[after_a] = 0;  // "a" is replaced by what begins at 0
  units[after_a ^ 'b'] = offset(0x3) | kLeaf | 'b';
  units[(after_a ^ 'b') ^ 0x3] = 2;
  std::string bytes;
  const auto put = [&bytes](uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift));
  };
  put(static_cast<uint32_t>(units.size() * sizeof(uint32_t)));
  for (const uint32_t unit : units) put(unit);
  return bytes + replacements;
}

TEST(CharMap, FindsTheLongestAndTheShortestRule) {
  const auto map = CharMap::Parse(Table(std::string("x\0long", 6)));
  ASSERT_TRUE(map.ok()) << map.status().message();
  EXPECT_EQ(map.value().Longest("abc").length, 2u);
  EXPECT_EQ(map.value().Longest("abc").replacement, "long");
  EXPECT_EQ(map.value().Shortest("abc").replacement, "x");
  EXPECT_EQ(map.value().Longest("ba").length, 0u);
  EXPECT_EQ(map.value().Longest("").length, 0u);
}

TEST(CharMap, ReplacesClustersAsTheirLibraryDoes) {
  const auto map = CharMap::Parse(Table(std::string("x\0long", 6)));
  ASSERT_TRUE(map.ok());
  // A rule that fits the begin of a cluster replaces all of it.
  std::string text = "aba\xCC\x81q";
  ASSERT_TRUE(ReplaceClusters(map.value(), &text, 100).ok());
  EXPECT_EQ(text, "xbxq");
  EXPECT_FALSE(ReplaceClusters(map.value(), &text, 2).ok());
}

TEST(CharMap, RefusesWhatIsCutOff) {
  const std::string table = Table("x");
  EXPECT_FALSE(CharMap::Parse("").ok());
  EXPECT_FALSE(CharMap::Parse(table.substr(0, 100)).ok());
  EXPECT_FALSE(CharMap::Parse(Table("\xFF")).ok());
}

}  // namespace
}  // namespace micrort::text
