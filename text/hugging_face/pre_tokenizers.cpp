#include <utility>

#include "text/hugging_face/components.h"
#include "text/hugging_face/metaspace.h"
#include "text/pipeline/byte_level.h"
#include "text/pipeline/split.h"
#include "text/unicode/classes.h"

namespace micrort::text {
namespace {

constexpr char kGpt2Words[] = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// Unlike \w in a Split, that of this pre-tokenizer holds the two joiners.
constexpr char kWordsWithJoiners[] = R"([\w\x{200C}\x{200D}]+|[^\w\s\x{200C}\x{200D}]+)";

Result<PreTokenizer> ReadPreTokenizerAt(const Json& spec, int depth);

Result<PreTokenizer> WordsBy(const char* pattern, SplitBehavior behavior, bool inverts) {
  MICRORT_ASSIGN_OR_RETURN(Regex regex, Regex::Parse(pattern));
  return SplitBy(MatchesOf(std::move(regex)), behavior, inverts);
}

PreTokenizer InTurn(std::vector<PreTokenizer> steps) {
  return [steps = std::move(steps)](std::vector<TextPiece>* pieces, size_t limit) {
    for (const PreTokenizer& step : steps) {
      MICRORT_RETURN_IF_ERROR(step(pieces, limit));
      size_t bytes = 0;
      for (const TextPiece& piece : *pieces) bytes += piece.text.size();
      MICRORT_RETURN_IF_ERROR(CheckGrowth(bytes, limit));
    }
    return Status();
  };
}

PreTokenizer ForEachPiece(std::function<void(TextPiece*)> change) {
  return [change = std::move(change)](std::vector<TextPiece>* pieces, size_t) {
    for (TextPiece& piece : *pieces) change(&piece);
    return Status();
  };
}

Result<PreTokenizer> ByteLevelOf(Fields* fields) {
  const bool adds_space = fields->Bool("add_prefix_space", true), splits = fields->Bool("use_regex", true);
  MICRORT_RETURN_IF_ERROR(fields->status());
  std::vector<PreTokenizer> steps;
  if (adds_space) {
    steps.push_back(ForEachPiece([](TextPiece* piece) {
      if (!piece->text.empty() && piece->text[0] != ' ') piece->text.insert(0, 1, ' ');
    }));
  }
  if (splits) {
    MICRORT_ASSIGN_OR_RETURN(PreTokenizer words, WordsBy(kGpt2Words, SplitBehavior::kIsolated, false));
    steps.push_back(std::move(words));
  }
  steps.push_back(ForEachPiece([](TextPiece* piece) { piece->text = ToByteLevel(piece->text); }));
  return InTurn(std::move(steps));
}

void MarkSpaces(const Metaspace& metaspace, TextPiece* piece) {
  std::string marked;
  for (const char c : piece->text) {
    if (c == ' ') {
      marked += metaspace.mark;
    } else {
      marked.push_back(c);
    }
  }
  const bool prepends = metaspace.scheme == PrependScheme::kAlways ||
                        (metaspace.scheme == PrependScheme::kFirst && piece->is_first);
  const bool has_mark = marked.compare(0, metaspace.mark.size(), metaspace.mark) == 0;
  if (prepends && !has_mark && !marked.empty()) marked.insert(0, metaspace.mark);
  piece->text.swap(marked);
}

Result<PreTokenizer> MetaspaceOf(Fields* fields) {
  Metaspace metaspace;
  MICRORT_RETURN_IF_ERROR(ReadMetaspace(fields, &metaspace));
  std::vector<PreTokenizer> steps = {
      ForEachPiece([metaspace](TextPiece* piece) { MarkSpaces(metaspace, piece); })};
  if (metaspace.splits)
    steps.push_back(SplitBy(OccurrencesOf(metaspace.mark), SplitBehavior::kMergedWithNext, false));
  return InTurn(std::move(steps));
}

Status ReadBehavior(Fields* fields, const char* if_missing, SplitBehavior* out) {
  const struct {
    const char* name;
    SplitBehavior behavior;
  } kBehaviors[] = {{"Removed", SplitBehavior::kRemoved},
                    {"Isolated", SplitBehavior::kIsolated},
                    {"MergedWithPrevious", SplitBehavior::kMergedWithPrevious},
                    {"MergedWithNext", SplitBehavior::kMergedWithNext},
                    {"Contiguous", SplitBehavior::kContiguous}};
  const std::string name = fields->String("behavior", if_missing);
  MICRORT_RETURN_IF_ERROR(fields->status());
  for (const auto& row : kBehaviors) {
    if (name != row.name) continue;
    *out = row.behavior;
    return Status();
  }
  return MICRORT_ERROR(kUnsupported, "%.80s: the behavior '%.40s' is not supported", fields->where().c_str(),
                       name.c_str());
}

Result<PreTokenizer> SplitOf(const Json& spec, Fields* fields) {
  SplitBehavior behavior = SplitBehavior::kIsolated;
  MICRORT_RETURN_IF_ERROR(ReadBehavior(fields, "", &behavior));
  const bool inverts = fields->Bool("invert", false);
  MICRORT_RETURN_IF_ERROR(fields->status());
  FindMatches find;
  MICRORT_RETURN_IF_ERROR(ReadPattern(spec.value("pattern", Json()), fields->where(), &find));
  return SplitBy(std::move(find), behavior, inverts);
}

Result<PreTokenizer> SequenceOfPreTokenizers(Fields* fields, int depth) {
  const Json& parts = fields->Array("pretokenizers");
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (parts.size() > kMaxSequence)
    return MICRORT_ERROR(kUnsupported, "%zu pre-tokenizers in a row", parts.size());
  std::vector<PreTokenizer> steps;
  for (const Json& part : parts) {
    MICRORT_ASSIGN_OR_RETURN(PreTokenizer step, ReadPreTokenizerAt(part, depth + 1));
    steps.push_back(std::move(step));
  }
  return InTurn(std::move(steps));
}

PreTokenizer Bert() {
  return InTurn({SplitBy(CharactersThat(IsWhiteSpace), SplitBehavior::kRemoved, false),
                 SplitBy(CharactersThat(IsPunctuation), SplitBehavior::kIsolated, false)});
}

Result<PreTokenizer> ReadPreTokenizerAt(const Json& spec, int depth) {
  if (depth > kMaxNesting) return MICRORT_ERROR(kUnsupported, "pre-tokenizers so deep inside each other");
  std::string type;
  MICRORT_RETURN_IF_ERROR(TypeOf(spec, "pre-tokenizer", &type));
  Fields fields(spec, "pre-tokenizer '" + type + "'");
  if (type == "ByteLevel") return ByteLevelOf(&fields);
  if (type == "Metaspace") return MetaspaceOf(&fields);
  if (type == "Split") return SplitOf(spec, &fields);
  if (type == "Sequence") return SequenceOfPreTokenizers(&fields, depth);
  if (type == "BertPreTokenizer") return Bert();
  if (type == "Whitespace") return WordsBy(kWordsWithJoiners, SplitBehavior::kRemoved, true);
  if (type == "WhitespaceSplit") return SplitBy(CharactersThat(IsWhiteSpace), SplitBehavior::kRemoved, false);
  if (type == "Digits") {
    const bool each = fields.Bool("individual_digits", false);
    MICRORT_RETURN_IF_ERROR(fields.status());
    return SplitBy(CharactersThat(IsNumeric), each ? SplitBehavior::kIsolated : SplitBehavior::kContiguous,
                   false);
  }
  if (type == "Punctuation") {
    SplitBehavior behavior = SplitBehavior::kIsolated;
    MICRORT_RETURN_IF_ERROR(ReadBehavior(&fields, "Isolated", &behavior));
    return SplitBy(CharactersThat(IsPunctuation), behavior, false);
  }
  return UnknownComponent("pre-tokenizer", type);
}

}  // namespace

Result<PreTokenizer> ReadPreTokenizer(const Json& spec) {
  if (spec.is_null()) return PreTokenizer([](std::vector<TextPiece>*, size_t) { return Status(); });
  return ReadPreTokenizerAt(spec, 0);
}

}  // namespace micrort::text
