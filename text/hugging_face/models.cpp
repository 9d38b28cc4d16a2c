#include <utility>

#include "text/hugging_face/components.h"
#include "text/vocabulary/bpe.h"
#include "text/vocabulary/unigram.h"
#include "text/vocabulary/word_piece.h"

namespace micrort::text {
namespace {

Status ReadVocabulary(Fields* fields, Vocabulary* out) {
  const Json& tokens = fields->Object("vocab");
  MICRORT_RETURN_IF_ERROR(fields->status());
  for (const auto& [token, id] : tokens.items()) {
    if (!id.is_number_integer())
      return MICRORT_ERROR(kInvalidModel, "token '%.60s': expected its number, found %s", token.c_str(),
                           id.type_name());
    MICRORT_RETURN_IF_ERROR(out->Add(token, id.get<int64_t>(), tokens.size()));
  }
  return Status();
}

// "a b", or since 2024 ["a", "b"].
Status ReadMerge(const Json& merge, std::pair<std::string, std::string>* out) {
  if (merge.is_string()) {
    const auto& text = *merge.get_ptr<const std::string*>();
    const size_t space = text.find(' ');
    if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
      return MICRORT_ERROR(kInvalidModel, "merge '%.60s': expected two tokens and a space between",
                           text.c_str());
    *out = {text.substr(0, space), text.substr(space + 1)};
    return Status();
  }
  if (!merge.is_array() || merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string())
    return MICRORT_ERROR(kInvalidModel, "expected merges of two tokens each");
  *out = {*merge[0].get_ptr<const std::string*>(), *merge[1].get_ptr<const std::string*>()};
  return Status();
}

Result<std::unique_ptr<TokenModel>> ReadBpe(Fields* fields) {
  Vocabulary vocabulary;
  MICRORT_RETURN_IF_ERROR(ReadVocabulary(fields, &vocabulary));
  BpeOptions options;
  options.unknown = fields->String("unk_token", "");
  options.continuing_prefix = fields->String("continuing_subword_prefix", "");
  options.word_suffix = fields->String("end_of_word_suffix", "");
  options.fuses_unknown = fields->Bool("fuse_unk", false);
  options.falls_back_to_bytes = fields->Bool("byte_fallback", false);
  options.ignores_merges = fields->Bool("ignore_merges", false);
  const double dropout = fields->Real("dropout", 0);
  const Json& merges = fields->Array("merges");
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (dropout != 0) return MICRORT_ERROR(kUnsupported, "the model 'BPE' with dropout is not supported");
  std::vector<std::pair<std::string, std::string>> pairs(merges.size());
  for (size_t i = 0; i < merges.size(); ++i) MICRORT_RETURN_IF_ERROR(ReadMerge(merges[i], &pairs[i]));
  return MakeBpe(std::move(vocabulary), pairs, options);
}

Result<std::unique_ptr<TokenModel>> ReadUnigram(Fields* fields) {
  const Json& pieces = fields->Array("vocab");
  const int64_t unknown = fields->Integer("unk_id", kNoToken);
  const bool falls_back = fields->Bool("byte_fallback", false);
  MICRORT_RETURN_IF_ERROR(fields->status());
  std::vector<UnigramEntry> entries;
  for (const Json& piece : pieces) {
    if (!piece.is_array() || piece.size() != 2 || !piece[0].is_string() || !piece[1].is_number())
      return MICRORT_ERROR(kInvalidModel, "model 'Unigram': expected pieces with their scores");
    entries.push_back({*piece[0].get_ptr<const std::string*>(), piece[1].get<double>()});
  }
  return MakeUnigram(entries, unknown, falls_back);
}

Result<std::unique_ptr<TokenModel>> ReadWordPiece(Fields* fields) {
  Vocabulary vocabulary;
  MICRORT_RETURN_IF_ERROR(ReadVocabulary(fields, &vocabulary));
  WordPieceOptions options;
  options.unknown = fields->String("unk_token", "[UNK]");
  options.continuing_prefix = fields->String("continuing_subword_prefix", "##");
  const int64_t most = fields->Integer("max_input_chars_per_word", 100);
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (most < 0) return MICRORT_ERROR(kInvalidModel, "max_input_chars_per_word is negative");
  options.most_characters = static_cast<size_t>(most);
  return MakeWordPiece(std::move(vocabulary), options);
}

// Older files leave the type out.
std::string GuessedModelType(const Json& spec) {
  if (!spec.is_object()) return "";
  if (spec.contains("type")) return spec["type"].is_string() ? spec["type"].get<std::string>() : "";
  if (spec.contains("merges")) return "BPE";
  if (spec.contains("unk_id")) return "Unigram";
  return spec.contains("max_input_chars_per_word") ? "WordPiece" : "";
}

}  // namespace

Result<std::unique_ptr<TokenModel>> ReadModel(const Json& spec) {
  const std::string type = GuessedModelType(spec);
  Fields fields(spec, "model '" + type + "'");
  if (type == "BPE") return ReadBpe(&fields);
  if (type == "Unigram") return ReadUnigram(&fields);
  if (type == "WordPiece") return ReadWordPiece(&fields);
  return UnknownComponent("model", type);
}

}  // namespace micrort::text
