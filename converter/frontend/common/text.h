#pragma once
// Names go into messages, files and JSON, so they must be text.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::frontend {

// Well-formed UTF-8 without control characters.
bool IsText(const std::string& s);

// Fails unless `s` is text, and says which of the two it is not; `what`: in words, as in "the graph's name".
Status CheckText(const std::string& s, const char* what);

// The same for each of a list.
template <typename List>
Status CheckTexts(const List& list, const char* what) {
  for (const std::string& s : list) MICRORT_RETURN_IF_ERROR(CheckText(s, what));
  return Status();
}

// Lists of names as texts: words, which spaces separate; the same without order; two words an entry, which
// commas separate.
std::vector<std::string> Words(const char* text);
std::set<std::string> SetOfWords(const char* text);
std::map<std::string, std::string> PairsOfWords(const char* text);

// The name as it goes into a message: cut to 100 bytes, "?" if it is not text.
std::string Shown(const std::string& name);

}  // namespace micrort::frontend
