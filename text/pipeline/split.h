#pragma once
// Cuts pieces of text where something matches.

#include <functional>
#include <string_view>

#include "text/pipeline/stages.h"
#include "text/regex/regex.h"

namespace micrort::text {

// The ways to treat the matches.
enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };

// Matches of a text from left to right, not empty, without overlap.
using FindMatches = std::function<Status(std::string_view text, std::vector<TextRange>* matches)>;

// `inverts`: what lies between the matches are the matches.
PreTokenizer SplitBy(FindMatches find, SplitBehavior behavior, bool inverts);

// Matches of single characters.
FindMatches CharactersThat(bool (*holds)(char32_t));
FindMatches MatchesOf(Regex regex);
FindMatches OccurrencesOf(std::string word);

// Puts `content` in place of each match.
Status ReplaceMatches(const FindMatches& find, const std::string& content, std::string* text, size_t limit);

}  // namespace micrort::text
