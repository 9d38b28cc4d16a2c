#include <algorithm>
#include <utility>

#include "text/hugging_face/base64.h"
#include "text/hugging_face/components.h"
#include "text/pipeline/byte_level.h"
#include "text/pipeline/char_map.h"
#include "text/unicode/classes.h"
#include "text/unicode/normalize.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

Result<Normalizer> ReadNormalizerAt(const Json& spec, int depth);

// One that cannot fail.
template <typename Change>
Normalizer Always(Change change) {
  return [change](std::string* text, size_t limit) {
    *text = change(*text);
    return CheckGrowth(text->size(), limit);
  };
}

Normalizer ToForm(NormalizationForm form) {
  return Always([form](const std::string& text) { return Normalize(text, form); });
}

std::string Stripped(const std::string& text, bool left, bool right) {
  size_t end = 0, first_kept = text.size();
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    if (!IsWhiteSpace(c.value)) {
      first_kept = std::min(first_kept, at);
      end = at + c.length;
    }
    at += c.length;
  }
  const size_t begin = left ? first_kept : 0;
  if (!right) end = text.size();
  return begin < end ? text.substr(begin, end - begin) : "";
}

// BERT's: controls go, white space becomes spaces.
std::string Cleaned(const std::string& text) {
  std::string cleaned;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    if (c.value == '\t' || c.value == '\n' || c.value == '\r' || IsWhiteSpace(c.value)) {
      cleaned.push_back(' ');
    } else if (c.value != 0 && c.value != kReplacement && !IsControl(c.value)) {
      cleaned.append(text, at, c.length);
    }
    at += c.length;
  }
  return cleaned;
}

std::string WithSpacesAroundIdeographs(const std::string& text) {
  std::string spaced;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    const bool is_ideograph = IsCjkIdeograph(c.value);
    if (is_ideograph) spaced.push_back(' ');
    spaced.append(text, at, c.length);
    if (is_ideograph) spaced.push_back(' ');
    at += c.length;
  }
  return spaced;
}

Result<Normalizer> BertNormalizerOf(Fields* fields) {
  const bool cleans = fields->Bool("clean_text", true), spaces = fields->Bool("handle_chinese_chars", true);
  const bool lowers = fields->Bool("lowercase", true), strips = fields->Bool("strip_accents", lowers);
  MICRORT_RETURN_IF_ERROR(fields->status());
  return Always([=](std::string text) {
    if (cleans) text = Cleaned(text);
    if (spaces) text = WithSpacesAroundIdeographs(text);
    if (strips) text = WithoutMarks(Normalize(text, NormalizationForm::kNfd), true);
    return lowers ? Lowercase(text) : text;
  });
}

Result<Normalizer> ReplaceOf(const Json& spec, Fields* fields) {
  const std::string content = fields->String("content");
  MICRORT_RETURN_IF_ERROR(fields->status());
  FindMatches find;
  MICRORT_RETURN_IF_ERROR(ReadPattern(spec.value("pattern", Json()), fields->where(), &find));
  return Normalizer([find, content](std::string* text, size_t limit) {
    return ReplaceMatches(find, content, text, limit);
  });
}

Result<Normalizer> PrecompiledOf(Fields* fields) {
  std::string table;
  const std::string encoded = fields->String("precompiled_charsmap");
  MICRORT_RETURN_IF_ERROR(fields->status());
  MICRORT_RETURN_IF_ERROR(DecodeBase64(encoded, &table));
  MICRORT_ASSIGN_OR_RETURN(CharMap map, CharMap::Parse(table));
  const auto shared = std::make_shared<const CharMap>(std::move(map));
  return Normalizer(
      [shared](std::string* text, size_t limit) { return ReplaceClusters(*shared, text, limit); });
}

Result<Normalizer> SequenceOf(Fields* fields, int depth) {
  const Json& parts = fields->Array("normalizers");
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (parts.size() > kMaxSequence)
    return MICRORT_ERROR(kUnsupported, "%zu normalizers in a row", parts.size());
  std::vector<Normalizer> steps;
  for (const Json& part : parts) {
    MICRORT_ASSIGN_OR_RETURN(Normalizer step, ReadNormalizerAt(part, depth + 1));
    steps.push_back(std::move(step));
  }
  return Normalizer([steps](std::string* text, size_t limit) {
    for (const Normalizer& step : steps) MICRORT_RETURN_IF_ERROR(step(text, limit));
    return Status();
  });
}

Result<Normalizer> ReadNormalizerAt(const Json& spec, int depth) {
  if (depth > kMaxNesting) return MICRORT_ERROR(kUnsupported, "normalizers so deep inside each other");
  std::string type;
  MICRORT_RETURN_IF_ERROR(TypeOf(spec, "normalizer", &type));
  Fields fields(spec, "normalizer '" + type + "'");
  if (type == "NFC") return ToForm(NormalizationForm::kNfc);
  if (type == "NFD") return ToForm(NormalizationForm::kNfd);
  if (type == "NFKC") return ToForm(NormalizationForm::kNfkc);
  if (type == "NFKD") return ToForm(NormalizationForm::kNfkd);
  if (type == "Lowercase") return Always([](const std::string& text) { return Lowercase(text); });
  if (type == "StripAccents")
    return Always([](const std::string& text) { return WithoutMarks(text, false); });
  if (type == "ByteLevel") return Always([](const std::string& text) { return ToByteLevel(text); });
  if (type == "BertNormalizer") return BertNormalizerOf(&fields);
  if (type == "Replace") return ReplaceOf(spec, &fields);
  if (type == "Precompiled") return PrecompiledOf(&fields);
  if (type == "Sequence") return SequenceOf(&fields, depth);
  if (type == "Prepend") {
    const std::string prefix = fields.String("prepend");
    MICRORT_RETURN_IF_ERROR(fields.status());
    return Always([prefix](const std::string& text) { return text.empty() ? text : prefix + text; });
  }
  if (type == "Strip") {
    const bool left = fields.Bool("strip_left", true), right = fields.Bool("strip_right", true);
    MICRORT_RETURN_IF_ERROR(fields.status());
    return Always([left, right](const std::string& text) { return Stripped(text, left, right); });
  }
  return UnknownComponent("normalizer", type);
}

}  // namespace

Result<Normalizer> ReadNormalizer(const Json& spec) {
  if (spec.is_null()) return Normalizer([](std::string*, size_t) { return Status(); });
  return ReadNormalizerAt(spec, 0);
}

}  // namespace micrort::text
