// tokenizer.json, in files made here.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "micrort/text/tokenizer.h"
#include "tests/text/corpus.h"
#include "tests/text/streamed.h"
#include "text/pipeline/byte_level.h"

namespace micrort::test {
namespace {

using nlohmann::json;
using text::Tokenizer;

Result<Tokenizer> Made(const json& file) { return Tokenizer::FromTokenizerJson(file.dump()); }

std::string TokensOf(const Tokenizer& tokenizer, const std::string& text,
                     const text::EncodeOptions& options = {}) {
  std::vector<int32_t> ids;
  const Status encoded = tokenizer.Encode(text, &ids, options);
  if (!encoded.ok()) return std::string("? ") + encoded.message();
  std::string tokens;
  for (const int32_t id : ids) tokens += (tokens.empty() ? "" : " ") + tokenizer.Token(id);
  return tokens;
}

std::string ThereAndBack(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int32_t> ids;
  std::string decoded;
  EXPECT_TRUE(tokenizer.Encode(text, &ids).ok());
  EXPECT_TRUE(tokenizer.Decode({ids.data(), ids.size()}, &decoded).ok());
  return decoded;
}

// All bytes, and what `merges` make.
json ByteLevelFile(const std::vector<std::string>& merges) {
  json vocabulary = json::object();
  for (int byte = 0; byte < 256; ++byte)
    vocabulary[text::ToByteLevel(std::string(1, static_cast<char>(byte)))] = byte;
  for (const std::string& merge : merges) {
    std::string joined = merge;
    joined.erase(joined.find(' '), 1);
    vocabulary[joined] = vocabulary.size();
  }
  return {{"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}},
          {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
          {"decoder", {{"type", "ByteLevel"}}},
          {"added_tokens",
           {{{"id", 1000}, {"content", "<|end|>"}, {"special", true}, {"lstrip", true}, {"rstrip", true}},
            {{"id", 1001}, {"content", "word"}, {"special", false}, {"single_word", true}}}}};
}

TEST(TokenizerJson, MergesBytesInTheOrderOfTheList) {
  auto tokenizer = Made(ByteLevelFile({"h e", "Ġ t", "Ġt he", "t h", "a a"}));
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  EXPECT_EQ(TokensOf(*tokenizer, "the thé aaa"), "t he Ġt h Ã © Ġ aa a");
  EXPECT_EQ(TokensOf(*tokenizer, " the"), "Ġthe");
  EXPECT_EQ(tokenizer->EndTokens(), std::vector<int32_t>{1000});
  for (const std::string& line : MixedLines(300, 5)) EXPECT_EQ(ThereAndBack(*tokenizer, line), line);
  EXPECT_EQ(ThereAndBack(*tokenizer, "a\xFF\xE4\xBD"), "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(TokenizerJson, FindsAddedTokensFirst) {
  auto tokenizer = Made(ByteLevelFile({"h e"}));
  ASSERT_TRUE(tokenizer.ok());
  EXPECT_EQ(TokensOf(*tokenizer, "he  <|end|> he"), "he <|end|> he");
  EXPECT_EQ(TokensOf(*tokenizer, "word words"), "word Ġ w o r d s");
  text::EncodeOptions as_text;
  as_text.parse_special = false;
  EXPECT_EQ(TokensOf(*tokenizer, "<|end|>", as_text), "< | e n d | >");
  std::vector<int32_t> ids;
  using Kind = text::TextPart::Kind;
  ASSERT_TRUE(tokenizer
                  ->Encode({{"a ", Kind::kText},
                            {"<|end|>", Kind::kToken},
                            {" <|end|>", Kind::kText},
                            {"x", Kind::kTokenOrText}},
                           &ids)
                  .ok());
  EXPECT_EQ(ids, (std::vector<int32_t>{'a', 1000, '<', '|', 'e', 'n', 'd', '|', '>', 'x'}));
  const Status missing = tokenizer->Encode({{"<|none|>", Kind::kToken}}, &ids);
  EXPECT_EQ(missing.code(), StatusCode::kInvalidArgument);
}

// Before each of them, only what no other token has taken is white space to strip.
TEST(TokenizerJson, FindsManyTokensOfWhiteSpaceInTimeThatGrowsWithTheirNumber) {
  json file = ByteLevelFile({});
  file["added_tokens"] = {{{"id", 1000}, {"content", " "}, {"special", true}, {"lstrip", true}}};
  auto tokenizer = Made(file);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  std::vector<int32_t> ids;
  ASSERT_TRUE(tokenizer->Encode(std::string(500000, ' '), &ids).ok());
  EXPECT_EQ(ids, std::vector<int32_t>(500000, 1000));
}

TEST(TokenizerJson, ReadsWordPiece) {
  const json file = {
      {"model",
       {{"type", "WordPiece"},
        {"unk_token", "[UNK]"},
        {"vocab",
         {{"[UNK]", 0},
          {"[CLS]", 1},
          {"[SEP]", 2},
          {"hel", 3},
          {"##lo", 4},
          {"world", 5},
          {",", 6},
          {"你", 7},
          {"he", 8}}}}},
      {"normalizer",
       {{"type", "BertNormalizer"},
        {"clean_text", true},
        {"handle_chinese_chars", true},
        {"strip_accents", nullptr},
        {"lowercase", true}}},
      {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
      {"post_processor",
       {{"type", "TemplateProcessing"},
        {"single",
         {{{"SpecialToken", {{"id", "[CLS]"}, {"type_id", 0}}}},
          {{"Sequence", {{"id", "A"}, {"type_id", 0}}}},
          {{"SpecialToken", {{"id", "[SEP]"}, {"type_id", 0}}}}}},
        {"special_tokens",
         {{"[CLS]", {{"id", "[CLS]"}, {"ids", {1}}}}, {"[SEP]", {{"id", "[SEP]"}, {"ids", {2}}}}}}}},
      {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
      {"added_tokens",
       {{{"id", 1}, {"content", "[CLS]"}, {"special", true}},
        {{"id", 2}, {"content", "[SEP]"}, {"special", true}}}}};
  auto tokenizer = Made(file);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  EXPECT_EQ(TokensOf(*tokenizer, "HÉLLO,\tWorld你x hex"), "[CLS] hel ##lo , world 你 [UNK] [UNK] [SEP]");
  EXPECT_EQ(ThereAndBack(*tokenizer, "Hello, world"), "hello, world");
}

// As that of Llama 2: one space before the text is not part of it.
json ByteFallbackFile() {
  json vocabulary = {{"<unk>", 0}, {"▁", 1}, {"h", 2}, {"i", 3}, {"▁h", 4}, {"▁hi", 5}};
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
    vocabulary[name] = 6 + byte;
  }
  return {{"model",
           {{"type", "BPE"},
            {"vocab", vocabulary},
            {"merges", json::array({json::array({"▁", "h"}), json::array({"▁h", "i"})})},
            {"unk_token", "<unk>"},
            {"fuse_unk", true},
            {"byte_fallback", true}}},
          {"normalizer",
           {{"type", "Sequence"},
            {"normalizers",
             {{{"type", "Prepend"}, {"prepend", "▁"}},
              {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}}}}},
          {"decoder",
           {{"type", "Sequence"},
            {"decoders",
             {{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
              {{"type", "ByteFallback"}},
              {{"type", "Fuse"}},
              {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}},
          {"added_tokens", {{{"id", 1000}, {"content", "<|end|>"}, {"special", true}}}}};
}

TEST(TokenizerJson, FallsBackToBytes) {
  auto tokenizer = Made(ByteFallbackFile());
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  EXPECT_EQ(TokensOf(*tokenizer, "hi é"), "▁hi ▁ <0xC3> <0xA9>");
  for (const std::string& line : MixedLines(100, 6)) EXPECT_EQ(ThereAndBack(*tokenizer, line), line);
}

TEST(TokenizerJson, ReadsUnigramWithMetaspace) {
  json pieces = json::array();
  const std::pair<const char*, double> kPieces[] = {{"<unk>", 0}, {"▁", -3},    {"▁a", -1},
                                                    {"b", -2},    {"ab", -2.5}, {"a", -4}};
  for (const auto& [piece, score] : kPieces) pieces.push_back(json::array({piece, score}));
  const json file = {
      {"model", {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", pieces}}},
      {"pre_tokenizer", {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "first"}}},
      {"decoder", {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "first"}}}};
  auto tokenizer = Made(file);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  EXPECT_EQ(TokensOf(*tokenizer, "ab xyzab"), "▁a b ▁ <unk> ab");
  EXPECT_EQ(ThereAndBack(*tokenizer, "ab ab"), "ab ab");
}

// The pieces that a pre-tokenizer makes of a text, told by a model that knows no merge.
std::string PiecesBy(const json& pre_tokenizer, const std::string& text) {
  json vocabulary = json::object();
  for (const char* c : {"a", "b", "c", " ", "1", "2", ".", "-", "\xE2\x80\x8D"}) {
    vocabulary[c] = vocabulary.size();
    vocabulary[std::string(c) + "|"] = vocabulary.size();
  }
  auto tokenizer = Made(
      {{"model",
        {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", json::array()}, {"end_of_word_suffix", "|"}}},
       {"pre_tokenizer", pre_tokenizer}});
  return tokenizer.ok() ? TokensOf(*tokenizer, text) : tokenizer.status().message();
}

TEST(TokenizerJson, SplitsAsEachBehaviorSays) {
  const auto by = [](const char* behavior, bool inverts) {
    return PiecesBy(
        {{"type", "Split"}, {"pattern", {{"String", "-"}}}, {"behavior", behavior}, {"invert", inverts}},
        "a--b-");
  };
  EXPECT_EQ(by("Removed", false), "a| b|");
  EXPECT_EQ(by("Removed", true), "-| -| -|");
  EXPECT_EQ(by("Isolated", false), "a| -| -| b| -|");
  EXPECT_EQ(by("MergedWithPrevious", false), "a -| -| b -|");
  EXPECT_EQ(by("MergedWithNext", false), "a| -| - b| -|");
  EXPECT_EQ(by("Contiguous", false), "a| - -| b| -|");
  EXPECT_EQ(PiecesBy({{"type", "Digits"}, {"individual_digits", true}}, "a12"), "a| 1| 2|");
  EXPECT_EQ(PiecesBy({{"type", "Digits"}, {"individual_digits", false}}, "a12"), "a| 1 2|");
  EXPECT_EQ(PiecesBy({{"type", "Punctuation"}}, "a.-b"), "a| .| -| b|");
  EXPECT_EQ(PiecesBy({{"type", "WhitespaceSplit"}}, "a b.c"), "a| b . c|");
  EXPECT_EQ(PiecesBy({{"type", "Whitespace"}}, "a b.-c"), "a| b| . -| c|");
  EXPECT_EQ(PiecesBy({{"type", "Whitespace"}}, "a\xE2\x80\x8D."), "a \xE2\x80\x8D| .|");
}

TEST(TokenizerJson, NamesComponentsThatItDoesNotKnow) {
  for (const char* part : {"normalizer", "pre_tokenizer", "post_processor", "decoder", "model"}) {
    json file = ByteLevelFile({});
    file[part] = {{"type", "Fancy"}};
    const auto tokenizer = Made(file);
    EXPECT_EQ(tokenizer.status().code(), StatusCode::kUnsupported) << part;
    EXPECT_NE(std::string(tokenizer.status().message()).find("'Fancy'"), std::string::npos)
        << tokenizer.status().message();
  }
}

TEST(TokenizerJson, BoundsWhatAFileAsksFor) {
  json far = ByteLevelFile({});
  far["model"]["vocab"]["far"] = 2000000000;
  EXPECT_EQ(Made(far).status().code(), StatusCode::kInvalidModel);
  json deep = ByteLevelFile({}), inner = {{"type", "NFC"}};
  for (int i = 0; i < 20; ++i) inner = {{"type", "Sequence"}, {"normalizers", {inner}}};
  deep["normalizer"] = inner;
  EXPECT_EQ(Made(deep).status().code(), StatusCode::kUnsupported);
  json growing = ByteLevelFile({}), steps = json::array();
  for (int i = 0; i < 40; ++i)
    steps.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aaaaaaaa"}});
  growing["normalizer"] = {{"type", "Sequence"}, {"normalizers", steps}};
  auto tokenizer = Made(growing);
  ASSERT_TRUE(tokenizer.ok());
  EXPECT_NE(TokensOf(*tokenizer, "a").find("grows beyond"), std::string::npos);
  EXPECT_EQ(
      Tokenizer::FromTokenizerJson("{\"model\": " + std::string(100000, '[') + std::string(100000, ']') + "}")
          .status()
          .code(),
      StatusCode::kUnsupported);
  EXPECT_FALSE(Tokenizer::FromTokenizerJson("{").ok());
  EXPECT_FALSE(Tokenizer::FromSentencePiece("\xFF\xFF").ok());
}

TEST(TextStream, GivesWholeCharactersAndLosesNothing) {
  for (const json& file : {ByteLevelFile({"h e"}), ByteFallbackFile()}) {
    auto tokenizer = Made(file);
    ASSERT_TRUE(tokenizer.ok());
    std::vector<std::string> lines = MixedLines(200, 7);
    lines.insert(lines.end(), {" hi", "  hi", "          h", " "});
    for (const std::string& line : lines) {
      std::vector<int32_t> ids;
      ASSERT_TRUE(tokenizer->Encode(line, &ids).ok());
      ASSERT_EQ(Streamed(*tokenizer, ids), line);
      for (size_t at = 0; at <= ids.size(); at += 13)
        ids.insert(ids.begin() + static_cast<std::ptrdiff_t>(at), 12, 1000);
      ASSERT_EQ(Streamed(*tokenizer, ids), line);
    }
  }
}

TEST(TextStream, EndsWithAReplacementIfItsLastCharacterIsCut) {
  auto tokenizer = Made(ByteLevelFile({}));
  ASSERT_TRUE(tokenizer.ok());
  text::TextStream cut(*tokenizer);
  std::string part;
  ASSERT_TRUE(cut.Add(0xE4, &part).ok());
  EXPECT_EQ(part, "");
  ASSERT_TRUE(cut.Finish(&part).ok());
  EXPECT_EQ(part, "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace micrort::test
