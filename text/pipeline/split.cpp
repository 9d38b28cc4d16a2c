#include "text/pipeline/split.h"

#include <algorithm>
#include <utility>

#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

struct Section {
  TextRange range;
  bool is_match = false;
};

// The text from begin to end, in matches and what lies between.
std::vector<Section> SectionsOf(size_t size, const std::vector<TextRange>& matches, bool inverts) {
  std::vector<Section> sections;
  size_t at = 0;
  for (const TextRange& match : matches) {
    if (match.begin > at) sections.push_back({{at, match.begin}, inverts});
    sections.push_back({match, !inverts});
    at = match.end;
  }
  if (at < size) sections.push_back({{at, size}, inverts});
  return sections;
}

// Sections that join the one before; `joins(section, previous section)`.
template <typename Joins>
std::vector<Section> Joined(const std::vector<Section>& sections, const Joins& joins) {
  std::vector<Section> joined;
  for (size_t i = 0; i < sections.size(); ++i) {
    if (i > 0 && joins(sections[i], sections[i - 1])) {
      joined.back().range.end = sections[i].range.end;
    } else {
      joined.push_back(sections[i]);
    }
  }
  return joined;
}

std::vector<Section> Behave(const std::vector<Section>& sections, SplitBehavior behavior) {
  switch (behavior) {
    case SplitBehavior::kIsolated:
      return sections;
    case SplitBehavior::kRemoved: {
      std::vector<Section> kept;
      std::copy_if(sections.begin(), sections.end(), std::back_inserter(kept),
                   [](const Section& section) { return !section.is_match; });
      return kept;
    }
    case SplitBehavior::kContiguous:
      return Joined(sections,
                    [](const Section& a, const Section& before) { return a.is_match == before.is_match; });
    case SplitBehavior::kMergedWithPrevious:
      return Joined(sections,
                    [](const Section& a, const Section& before) { return a.is_match && !before.is_match; });
    case SplitBehavior::kMergedWithNext:
      return Joined(sections,
                    [](const Section& a, const Section& before) { return before.is_match && !a.is_match; });
  }
  return sections;
}

}  // namespace

PreTokenizer SplitBy(FindMatches find, SplitBehavior behavior, bool inverts) {
  return [find = std::move(find), behavior, inverts](std::vector<TextPiece>* pieces, size_t) {
    std::vector<TextPiece> parts;
    for (const TextPiece& piece : *pieces) {
      std::vector<TextRange> matches;
      MICRORT_RETURN_IF_ERROR(find(piece.text, &matches));
      for (const Section& section : Behave(SectionsOf(piece.text.size(), matches, inverts), behavior)) {
        const bool is_first = piece.is_first && section.range.begin == 0;
        parts.push_back(
            {piece.text.substr(section.range.begin, section.range.end - section.range.begin), is_first});
      }
    }
    pieces->swap(parts);
    return Status();
  };
}

FindMatches CharactersThat(bool (*holds)(char32_t)) {
  return [holds](std::string_view text, std::vector<TextRange>* matches) {
    for (size_t at = 0; at < text.size();) {
      const CodePoint c = DecodeUtf8(text, at);
      if (holds(c.value)) matches->push_back({at, at + c.length});
      at += c.length;
    }
    return Status();
  };
}

FindMatches MatchesOf(Regex regex) {
  return [regex = std::move(regex)](std::string_view text, std::vector<TextRange>* matches) {
    return regex.FindAll(text, matches);
  };
}

FindMatches OccurrencesOf(std::string word) {
  return [word = std::move(word)](std::string_view text, std::vector<TextRange>* matches) {
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size()))
      matches->push_back({at, at + word.size()});
    return Status();
  };
}

Status ReplaceMatches(const FindMatches& find, const std::string& content, std::string* text, size_t limit) {
  std::vector<TextRange> matches;
  MICRORT_RETURN_IF_ERROR(find(*text, &matches));
  if (matches.empty()) return Status();
  std::string replaced;
  size_t at = 0;
  for (const TextRange& match : matches) {
    replaced.append(*text, at, match.begin - at);
    replaced += content;
    at = match.end;
    MICRORT_RETURN_IF_ERROR(CheckGrowth(replaced.size(), limit));
  }
  replaced.append(*text, at, std::string::npos);
  text->swap(replaced);
  return CheckGrowth(text->size(), limit);
}

}  // namespace micrort::text
