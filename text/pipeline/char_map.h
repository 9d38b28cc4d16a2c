#pragma once
// The table of replacements that SentencePiece compiles its normalization rules to: a double array (as
// darts-clone makes it) of what is replaced, and the replacements, each ended by a zero.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::text {

class CharMap {
 public:
  // kInvalidModel if it is cut off.
  static Result<CharMap> Parse(std::string_view bytes);

  struct Match {
    size_t length = 0;  // bytes of the text; 0: no rule
    std::string_view replacement;
  };
  // The rules for what the text begins with. Lives as long as the map.
  Match Longest(std::string_view text) const;
  Match Shortest(std::string_view text) const;

 private:
  Match Find(std::string_view text, bool longest) const;

  std::vector<uint32_t> units_;
  std::string replacements_;
};

// Such a table is applied as tokenizer.json's library does: the shortest rule that fits a whole cluster of at
// most five bytes, else each of its characters.
Status ReplaceClusters(const CharMap& map, std::string* text, size_t limit);

}  // namespace micrort::text
