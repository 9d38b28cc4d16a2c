#include "text/speech/speech_tokens.h"

#include <algorithm>
#include <cmath>

#include "text/hugging_face/fields.h"

namespace micrort::text {
namespace {

constexpr size_t kEnglishVocabulary = 51864;  // of Whisper's models of English alone; all others have more

// "en" of "<|en|>", and "" of anything else.
std::string CodeOf(const std::string& token) {
  constexpr size_t kMarks = 2;
  if (token.size() < 2 * kMarks + 2 || token.size() > 2 * kMarks + 3) return "";
  if (token.compare(0, kMarks, "<|") != 0 || token.compare(token.size() - kMarks, kMarks, "|>") != 0)
    return "";
  const std::string code = token.substr(kMarks, token.size() - 2 * kMarks);
  const bool is_code = std::all_of(code.begin(), code.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return is_code ? code : "";
}

// Languages follow the start token.
void FindLanguages(const Tokenizer& tokenizer, SpeechTokens* tokens) {
  const auto count = static_cast<int32_t>(tokenizer.vocabulary_size());
  for (int32_t id = tokens->start + 1; id < count; ++id) {
    const std::string code = CodeOf(tokenizer.Token(id));
    if (code.empty()) return;
    tokens->languages.push_back({code, id});
  }
}

int32_t FirstTimestamp(const Tokenizer& tokenizer, const SpeechTokens& tokens, size_t vocabulary,
                       size_t count) {
  const int32_t named = tokenizer.TokenId("<|0.00|>");
  if (named >= 0) return named;
  // Older tokenizers do not name them. They follow the last special token.
  const auto first = static_cast<size_t>(tokens.no_timestamps) + 1;
  return tokens.no_timestamps >= 0 && first + count <= vocabulary ? static_cast<int32_t>(first) : -1;
}

Status ReadTokens(const Json& list, size_t vocabulary, std::vector<int32_t>* to) {
  for (const Json& token : list) {
    if (!token.is_number_integer())
      return MICRORT_ERROR(kInvalidModel, "generation_config.json: expected tokens, found %s",
                           token.type_name());
    const auto id = token.get<int64_t>();
    if (id >= 0 && static_cast<uint64_t>(id) < vocabulary) to->push_back(static_cast<int32_t>(id));
  }
  // Each is looked at with every token that is chosen.
  std::sort(to->begin(), to->end());
  to->erase(std::unique(to->begin(), to->end()), to->end());
  return Status();
}

// Names that are no text, and numbers without a name; of times, those after the window.
void SuppressSpecialTokens(const Tokenizer& tokenizer, size_t vocabulary, size_t times,
                           SpeechTokens* tokens) {
  for (int32_t id = 0; static_cast<size_t>(id) < vocabulary; ++id) {
    const bool is_time =
        tokens->is_timestamp(id) && static_cast<size_t>(id - tokens->first_timestamp) < times;
    if (id == tokens->end || is_time) continue;
    if (tokens->is_timestamp(id) || tokenizer.IsSpecial(id) || tokenizer.Token(id).empty())
      tokens->suppressed.push_back(id);
  }
}

Status SuppressBlank(const Tokenizer& tokenizer, SpeechTokens* tokens) {
  tokens->suppressed_first = {tokens->end};
  std::vector<int32_t> blank;
  EncodeOptions options;
  options.add_special = false;
  MICRORT_RETURN_IF_ERROR(tokenizer.Encode(" ", &blank, options));
  if (blank.size() == 1) tokens->suppressed_first.push_back(blank[0]);
  return Status();
}

Status ReadConfig(std::string_view config, size_t vocabulary, SpeechTokens* tokens) {
  const Json file = Json::parse(config.begin(), config.end(), nullptr, false);
  if (!file.is_object())
    return MICRORT_ERROR(kInvalidModel, "generation_config.json: expected a JSON object");
  Fields fields(file, "generation_config.json");
  if (fields.Has("suppress_tokens"))
    MICRORT_RETURN_IF_ERROR(ReadTokens(fields.Array("suppress_tokens"), vocabulary, &tokens->suppressed));
  if (fields.Has("begin_suppress_tokens")) {
    tokens->suppressed_first.clear();
    MICRORT_RETURN_IF_ERROR(
        ReadTokens(fields.Array("begin_suppress_tokens"), vocabulary, &tokens->suppressed_first));
  }
  if (!fields.Bool("is_multilingual", true)) tokens->languages.clear();
  return fields.status();
}

}  // namespace

Result<SpeechTokens> FindSpeechTokens(const Tokenizer& tokenizer, std::string_view config, size_t vocabulary,
                                      double window) {
  SpeechTokens tokens;
  tokens.start = tokenizer.TokenId("<|startoftranscript|>");
  tokens.end = tokenizer.TokenId("<|endoftext|>");
  if (tokens.start < 0 || tokens.end < 0)
    return MICRORT_ERROR(kUnsupported,
                         "expected the tokenizer of a Whisper-like recognizer: it has no token '%s'",
                         tokens.start < 0 ? "<|startoftranscript|>" : "<|endoftext|>");
  if (tokenizer.vocabulary_size() > vocabulary)
    return MICRORT_ERROR(kInvalidModel, "the tokenizer has %zu tokens, the decoder %zu logits",
                         tokenizer.vocabulary_size(), vocabulary);
  tokens.transcribe = tokenizer.TokenId("<|transcribe|>");
  tokens.translate = tokenizer.TokenId("<|translate|>");
  tokens.no_timestamps = tokenizer.TokenId("<|notimestamps|>");
  tokens.previous = tokenizer.TokenId("<|startofprev|>");
  tokens.no_speech = tokenizer.TokenId("<|nospeech|>");
  if (tokens.no_speech < 0) tokens.no_speech = tokenizer.TokenId("<|nocaptions|>");
  if (vocabulary != kEnglishVocabulary) FindLanguages(tokenizer, &tokens);
  const auto times = static_cast<size_t>(std::lround(window / SpeechTokens::kTimestampStep)) + 1;
  tokens.first_timestamp = FirstTimestamp(tokenizer, tokens, vocabulary, times);
  MICRORT_RETURN_IF_ERROR(SuppressBlank(tokenizer, &tokens));
  SuppressSpecialTokens(tokenizer, vocabulary, times, &tokens);
  if (!config.empty()) MICRORT_RETURN_IF_ERROR(ReadConfig(config, vocabulary, &tokens));
  return tokens;
}

Result<int32_t> LanguageToken(const SpeechTokens& tokens, const std::string& code) {
  std::string known;
  for (const SpeechLanguage& language : tokens.languages) {
    if (language.code == code) return language.token;
    known += known.empty() ? language.code : ", " + language.code;
  }
  if (known.empty())
    return MICRORT_ERROR(kInvalidArgument, "language '%.20s': the model has no tokens of languages",
                         code.c_str());
  return MICRORT_ERROR(kInvalidArgument, "language '%.20s': expected auto or one of %s", code.c_str(),
                       known.c_str());
}

}  // namespace micrort::text
