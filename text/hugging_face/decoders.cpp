#include <utility>

#include "text/hugging_face/components.h"
#include "text/hugging_face/metaspace.h"
#include "text/pipeline/byte_level.h"
#include "text/unicode/utf8.h"
#include "text/vocabulary/vocabulary.h"

namespace micrort::text {
namespace {

Result<TokenDecoder> ReadDecoderAt(const Json& spec, int depth);

// change(token, index)
template <typename Change>
TokenDecoder EachToken(Change change) {
  return [change](std::vector<std::string>* tokens, size_t limit) {
    size_t bytes = 0;
    for (size_t i = 0; i < tokens->size(); ++i) {
      (*tokens)[i] = change((*tokens)[i], i);
      bytes += (*tokens)[i].size();
      MICRORT_RETURN_IF_ERROR(CheckGrowth(bytes, limit));
    }
    return Status();
  };
}

std::string Joined(const std::vector<std::string>& tokens) {
  std::string joined;
  for (const std::string& token : tokens) joined += token;
  return joined;
}

Status DecodeByteLevel(std::vector<std::string>* tokens, size_t) {
  std::string bytes;
  for (const std::string& token : *tokens) bytes += FromByteLevel(token);
  tokens->assign(1, ValidUtf8(bytes));
  return Status();
}

// Bytes in a row that are no text become a replacement character each.
void FlushBytes(std::string* bytes, std::vector<std::string>* out) {
  if (bytes->empty()) return;
  if (IsValidUtf8(*bytes)) {
    out->push_back(*bytes);
  } else {
    for (size_t i = 0; i < bytes->size(); ++i) out->emplace_back(kReplacementUtf8);
  }
  bytes->clear();
}

Status DecodeByteFallback(std::vector<std::string>* tokens, size_t) {
  std::vector<std::string> decoded;
  std::string bytes;
  for (const std::string& token : *tokens) {
    const int byte = ByteOfToken(token);
    if (byte >= 0) {
      bytes.push_back(static_cast<char>(byte));
      continue;
    }
    FlushBytes(&bytes, &decoded);
    decoded.push_back(token);
  }
  FlushBytes(&bytes, &decoded);
  tokens->swap(decoded);
  return Status();
}

std::string ReplacedAll(const std::string& text, const std::string& from, const std::string& to) {
  std::string replaced;
  size_t at = 0;
  for (size_t next = text.find(from); next != std::string::npos; next = text.find(from, at)) {
    replaced.append(text, at, next - at);
    replaced += to;
    at = next + from.size();
  }
  return replaced.append(text, at, std::string::npos);
}

// Undoes the spaces that English tokenization adds.
std::string CleanedUp(std::string text) {
  constexpr const char* kRules[][2] = {{" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
                                       {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
                                       {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& rule : kRules) text = ReplacedAll(text, rule[0], rule[1]);
  return text;
}

Result<TokenDecoder> WordPieceDecoder(Fields* fields) {
  const std::string prefix = fields->String("prefix", "##");
  const bool cleans = fields->Bool("cleanup", true);
  MICRORT_RETURN_IF_ERROR(fields->status());
  return EachToken([prefix, cleans](const std::string& token, size_t index) {
    std::string text = token;
    if (index > 0) {
      const bool continues = token.compare(0, prefix.size(), prefix) == 0;
      text = continues ? token.substr(prefix.size()) : " " + token;
    }
    return cleans ? CleanedUp(text) : text;
  });
}

Result<TokenDecoder> MetaspaceDecoder(Fields* fields) {
  Metaspace metaspace;
  MICRORT_RETURN_IF_ERROR(ReadMetaspace(fields, &metaspace));
  return EachToken([metaspace](const std::string& token, size_t index) {
    const bool is_added = index == 0 && metaspace.scheme != PrependScheme::kNever;
    return ReplacedAll(token, metaspace.mark, is_added ? "" : " ");
  });
}

std::string StrippedOf(const std::string& token, const std::string& content, int64_t start, int64_t stop) {
  size_t begin = 0, end = token.size();
  for (int64_t i = 0; i < start && token.compare(begin, content.size(), content) == 0; ++i)
    begin += content.size();
  for (int64_t i = 0; i < stop && end >= begin + content.size() &&
                      token.compare(end - content.size(), content.size(), content) == 0;
       ++i)
    end -= content.size();
  return token.substr(begin, end - begin);
}

Result<TokenDecoder> StripDecoder(Fields* fields) {
  const std::string content = fields->String("content");
  const int64_t start = fields->Integer("start", 0), stop = fields->Integer("stop", 0);
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (content.empty())
    return MICRORT_ERROR(kInvalidModel, "decoder 'Strip': expected a character as 'content'");
  return EachToken([=](const std::string& token, size_t) { return StrippedOf(token, content, start, stop); });
}

Result<TokenDecoder> ReplaceDecoder(const Json& spec, Fields* fields) {
  const std::string content = fields->String("content");
  MICRORT_RETURN_IF_ERROR(fields->status());
  FindMatches find;
  MICRORT_RETURN_IF_ERROR(ReadPattern(spec.value("pattern", Json()), fields->where(), &find));
  return TokenDecoder([find, content](std::vector<std::string>* tokens, size_t limit) {
    size_t bytes = 0;
    for (std::string& token : *tokens) {
      MICRORT_RETURN_IF_ERROR(ReplaceMatches(find, content, &token, limit));
      bytes += token.size();
      MICRORT_RETURN_IF_ERROR(CheckGrowth(bytes, limit));
    }
    return Status();
  });
}

Result<TokenDecoder> BpeDecoder(Fields* fields) {
  const std::string suffix = fields->String("suffix", "</w>");
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (suffix.empty()) return MICRORT_ERROR(kInvalidModel, "decoder 'BPEDecoder': an empty suffix");
  return TokenDecoder([suffix](std::vector<std::string>* tokens, size_t limit) {
    for (size_t i = 0; i < tokens->size(); ++i)
      (*tokens)[i] = ReplacedAll((*tokens)[i], suffix, i + 1 == tokens->size() ? "" : " ");
    return CheckGrowth(Joined(*tokens).size(), limit);
  });
}

Result<TokenDecoder> DecoderSequence(Fields* fields, int depth) {
  const Json& parts = fields->Array("decoders");
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (parts.size() > kMaxSequence) return MICRORT_ERROR(kUnsupported, "%zu decoders in a row", parts.size());
  std::vector<TokenDecoder> steps;
  for (const Json& part : parts) {
    MICRORT_ASSIGN_OR_RETURN(TokenDecoder step, ReadDecoderAt(part, depth + 1));
    steps.push_back(std::move(step));
  }
  return TokenDecoder([steps](std::vector<std::string>* tokens, size_t limit) {
    for (const TokenDecoder& step : steps) MICRORT_RETURN_IF_ERROR(step(tokens, limit));
    return Status();
  });
}

Status FuseTokens(std::vector<std::string>* tokens, size_t) {
  tokens->assign(1, Joined(*tokens));
  return Status();
}

// Without a decoder, tokens are words.
Status SpaceTokens(std::vector<std::string>* tokens, size_t) {
  for (size_t i = 1; i < tokens->size(); ++i) (*tokens)[i].insert(0, 1, ' ');
  return Status();
}

Result<TokenDecoder> ReadDecoderAt(const Json& spec, int depth) {
  if (depth > kMaxNesting) return MICRORT_ERROR(kUnsupported, "decoders so deep inside each other");
  std::string type;
  MICRORT_RETURN_IF_ERROR(TypeOf(spec, "decoder", &type));
  Fields fields(spec, "decoder '" + type + "'");
  if (type == "ByteLevel") return TokenDecoder(DecodeByteLevel);
  if (type == "ByteFallback") return TokenDecoder(DecodeByteFallback);
  if (type == "Fuse") return TokenDecoder(FuseTokens);
  if (type == "Strip") return StripDecoder(&fields);
  if (type == "Replace") return ReplaceDecoder(spec, &fields);
  if (type == "Metaspace") return MetaspaceDecoder(&fields);
  if (type == "WordPiece") return WordPieceDecoder(&fields);
  if (type == "BPEDecoder") return BpeDecoder(&fields);
  if (type == "Sequence") return DecoderSequence(&fields, depth);
  return UnknownComponent("decoder", type);
}

}  // namespace

Result<TokenDecoder> ReadDecoder(const Json& spec) {
  if (spec.is_null()) return TokenDecoder(SpaceTokens);
  return ReadDecoderAt(spec, 0);
}

}  // namespace micrort::text
