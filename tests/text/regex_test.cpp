// Regular expressions of tokenizers.

#include "text/regex/regex.h"

#include <gtest/gtest.h>

#include "tests/text/corpus.h"

namespace micrort::text {
namespace {

// Matches with a bar between; "?" and why for an expression that is refused.
std::string MatchesIn(const std::string& pattern, const std::string& text) {
  const Result<Regex> regex = Regex::Parse(pattern);
  if (!regex.ok()) return std::string("? ") + regex.status().message();
  std::vector<TextRange> matches;
  const Status found = regex.value().FindAll(text, &matches);
  if (!found.ok()) return std::string("? ") + found.message();
  std::string joined;
  for (const TextRange& match : matches) {
    if (!joined.empty()) joined += '|';
    joined += text.substr(match.begin, match.end - match.begin);
  }
  return joined;
}

TEST(TextRegex, FindsWhatABacktrackingEngineFinds) {
  const struct {
    const char *pattern, *text, *matches;
  } kCases[] = {
      {"a|ab", "abab", "a|a"},
      {"ab|a", "abaab", "ab|a|ab"},
      {"a+?b?", "aab", "a|ab"},
      {"a{2,3}", "aaaaa", "aaa|aa"},
      {"\\p{N}{1,3}", "12345²", "123|45²"},
      {"(?i:'s|'LL)x", "'Sx 'llx 'ſx 'sX", "'Sx|'llx|'ſx"},
      {"[^\\r\\n\\p{L}\\p{N}]?\\p{L}+", "a b\nc-é", "a| b|c|-é"},
      {"\\s+(?!\\S)|\\s+", "a   b ", "  | | "},
      {"[\\p{Lu}\\p{Lt}]+[\\p{Ll}]*", "ABcdǅe", "ABcd|ǅe"},
      {"\\w+|[^\\w\\s]+", "a_b, Ⓐ!", "a_b|,|Ⓐ|!"},
      {"[A-Za-zÀ-Ö\\-]+", "a-B×Ä", "a-B|Ä"},
      {"\\s+$", "a \nb  ", " |  "},
      {"^a|b\\b", "ab a\na", "a|b|a"},
      {"(?<!a)b", "abbb", "b|b"},
      {"x.y", "x\ny x€y", "x€y"},
      {"[^a]", "\xE4\xBD\xA0", "\xE4\xBD\xA0"},
  };
  for (const auto& c : kCases) EXPECT_EQ(MatchesIn(c.pattern, c.text), c.matches) << c.pattern;
}

TEST(TextRegex, NamesWhatItDoesNotKnow) {
  const struct {
    const char *pattern, *message;
  } kCases[] = {{"(a)\\1", "letter or digit after '\\'"},
                {"a++", "quantifier of a quantifier"},
                {"(?>a)", "a group that begins so"},
                {"[a&&b]", "an intersection of classes"},
                {"\\p{Han}", "the property 'Han'"},
                {"(?=ab)c", "more than one character"},
                {"a*", "matches the empty text"},
                {"a{1,9999}", "so many repeats"},
                {"(a", "'(' without ')'"},
                {"a)", "')' without '('"},
                {"[a", "'[' without ']'"},
                {"+", "a quantifier of nothing"}};
  for (const auto& c : kCases)
    EXPECT_NE(MatchesIn(c.pattern, "a").find(c.message), std::string::npos)
        << c.pattern << ": " << MatchesIn(c.pattern, "a");
  EXPECT_NE(MatchesIn(std::string(40, '(') + "a" + std::string(40, ')'), "a").find("so deep"),
            std::string::npos);
  EXPECT_NE(MatchesIn("(((a{99}){99}){99})", "a").find("more than 4096 steps"), std::string::npos);
}

TEST(TextRegex, TakesLinearTime) {
  const std::string text(200000, 'a');
  EXPECT_EQ(MatchesIn("(?:a|aa)+b|c", text), "");
  EXPECT_EQ(MatchesIn("(?:(?:a*)*)*a", text), text);
  // The only kind that could take longer, as each search goes to the end, is given up.
  EXPECT_NE(MatchesIn("a[^y]*y|a", text).find("takes too long"), std::string::npos);
}

}  // namespace
}  // namespace micrort::text
