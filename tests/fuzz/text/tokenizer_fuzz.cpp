// Files of tokenizers, tokenizer.json and models of SentencePiece, and a few texts through what is accepted.

#include <nlohmann/json.hpp>

#include "micrort/text/tokenizer.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/seeds.h"
#include "text/pipeline/byte_level.h"

namespace micrort::fuzz {
namespace {

using nlohmann::json;

constexpr const char* kTexts[] = {
    "Hello, world! it's 12345  \n<s>a</s> ab",
    "\xE4\xBD\xA0\xE5\xA5\xBD e\xCC\x81 \xEF\xAC\x81 \xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD \xC2\xBD\xFF",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

Status ThereAndBack(const text::Tokenizer& tokenizer, const std::string& text) {
  std::vector<int32_t> ids;
  MICRORT_RETURN_IF_ERROR(tokenizer.Encode(text, &ids));
  std::string decoded;
  MICRORT_RETURN_IF_ERROR(tokenizer.Decode({ids.data(), ids.size()}, &decoded, false));
  text::TextStream stream(tokenizer);
  for (const int32_t id : ids) MICRORT_RETURN_IF_ERROR(stream.Add(id, &decoded));
  return stream.Finish(&decoded);
}

Status RunTokenizer(const std::string& bytes) {
  auto tokenizer =
      bytes[0] == '{' ? text::Tokenizer::FromTokenizerJson(bytes) : text::Tokenizer::FromSentencePiece(bytes);
  if (!tokenizer.ok()) return tokenizer.status();
  for (const char* text : kTexts) MICRORT_RETURN_IF_ERROR(ThereAndBack(*tokenizer, text));
  static_cast<void>(tokenizer->EndTokens());
  return Status();
}

Status Run(const std::string& bytes) { return bytes.empty() ? Refused("empty") : RunTokenizer(bytes); }

void CollectNodes(json* root, std::vector<json*>* nodes) {
  nodes->push_back(root);
  for (size_t i = 0; i < nodes->size(); ++i)
    if ((*nodes)[i]->is_structured())
      for (json& child : *(*nodes)[i]) nodes->push_back(&child);
}

// Another value in one place: of another place, a number, a text, or nothing.
std::string MutateTokenizer(const std::string& bytes, Random& random) {
  json file = json::parse(bytes, nullptr, false);
  if (!file.is_object() || Below(4, random) == 0) return MutateBytes(bytes, random);
  std::vector<json*> nodes;
  CollectNodes(&file, &nodes);
  json* at = nodes[Below(nodes.size(), random)];
  const json other = *nodes[Below(nodes.size(), random)];
  const json kValues[] = {other, BoundaryInteger(random), "a*(b|[^c])+\\p{L}", "", nullptr, json::array(),
                          true};
  *at = kValues[Below(std::size(kValues), random)];
  constexpr size_t kMostBytes = 100000;
  const std::string changed = file.dump(-1, ' ', false, json::error_handler_t::replace);
  return changed.size() > kMostBytes ? bytes : changed;
}

void PutField(int number, const std::string& bytes, std::string* to) {
  to->push_back(static_cast<char>(number << 3 | 2));
  size_t size = bytes.size();
  for (; size >= 0x80; size >>= 7) to->push_back(static_cast<char>(size | 0x80));
  to->push_back(static_cast<char>(size));
  *to += bytes;
}

// A table of one rule: "a" becomes "lo".
std::string CharMapSeed() {
  constexpr size_t kUnits = 0x162;
  std::string units(kUnits * sizeof(uint32_t), '\0');
  const auto put = [&units](size_t unit, uint32_t value) {
    for (size_t i = 0; i < sizeof value; ++i)
      units[unit * sizeof value + i] = static_cast<char>(value >> (8 * i));
  };
  put(0, 0x100 << 10);
  put(0x100 ^ 'a', 1 << 10 | 0x100 | 'a');
  std::string table;
  for (size_t i = 0; i < sizeof(uint32_t); ++i) table.push_back(static_cast<char>(units.size() >> (8 * i)));
  return table + units + std::string("lo\0", 3);
}

// A model of SentencePiece of a few pieces; `kind`: 1 Unigram, 2 byte-pair encoding.
std::string SentencePieceSeed(char kind) {
  std::string file;
  const struct {
    const char* text;
    char type;
  } kPieces[] = {{"<unk>", 2}, {"<s>", 3}, {"</s>", 3}, {"\xE2\x96\x81", 1}, {"a", 1},
                 {"aa", 1},    {"l", 1},   {"o", 1},    {"lo", 1},           {"12", 4}};
  for (const auto& piece : kPieces) {
    std::string message;
    PutField(1, piece.text, &message);
    message += std::string("\x15\x00\x00\x80\xBF", 5);  // a score of -1
    message += {'\x18', piece.type};
    PutField(1, message, &file);
  }
  PutField(2, {'\x18', kind}, &file);
  std::string normalizer;
  PutField(2, CharMapSeed(), &normalizer);
  normalizer += {'\x18', 1};
  PutField(3, normalizer, &file);
  return file;
}

json ByteLevelSeed() {
  json vocabulary = json::object();
  for (int byte = 0; byte < 256; ++byte)
    vocabulary[text::ToByteLevel(std::string(1, static_cast<char>(byte)))] = byte;
  vocabulary["ll"] = 256;
  vocabulary["aa"] = 257;
  return {
      {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"l l", "a a"}}}},
      {"normalizer",
       {{"type", "Sequence"},
        {"normalizers",
         {{{"type", "NFKC"}}, {{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}}}}}},
      {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", true}}},
      {"decoder", {{"type", "ByteLevel"}}},
      {"added_tokens", {{{"id", 300}, {"content", "<s>"}, {"special", true}, {"rstrip", true}}}}};
}

json UnigramSeed() {
  json pieces = json::array();
  for (const char* piece : {"<unk>", "\xE2\x96\x81", "a", "aa", "l", "lo"})
    pieces.push_back(json::array({piece, -1.5}));
  return {{"model", {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", pieces}}},
          {"normalizer", {{"type", "BertNormalizer"}}},
          {"pre_tokenizer",
           {{"type", "Sequence"}, {"pretokenizers", {{{"type", "Digits"}}, {{"type", "Metaspace"}}}}}},
          {"decoder",
           {{"type", "Sequence"},
            {"decoders", {{{"type", "ByteFallback"}}, {{"type", "Metaspace"}}, {{"type", "Fuse"}}}}}}};
}

}  // namespace

std::vector<std::string> TokenizerSeeds() {
  return {ByteLevelSeed().dump(), UnigramSeed().dump(), SentencePieceSeed(1), SentencePieceSeed(2)};
}

const Harness kTokenizer = {"tokenizer", Run, MutateTokenizer};

}  // namespace micrort::fuzz
