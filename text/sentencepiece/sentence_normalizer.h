#pragma once
// How SentencePiece prepares a text: replacements, spaces, the mark for spaces.

#include <memory>
#include <string>
#include <string_view>

#include "text/pipeline/char_map.h"
#include "text/sentencepiece/model_file.h"
#include "text/vocabulary/prefix_table.h"

namespace micrort::text {

class SentenceNormalizer {
 public:
  Status Read(const SentencePieceFile& file);
  // kInvalidModel if the text grows beyond what real tables make of it.
  Status Normalize(std::string_view text, std::string* out) const;
  // Pieces that the user has defined, which nothing changes: the length of the longest that `text` begins
  // with, or 0.
  size_t UserDefined(std::string_view text, int32_t* id) const { return user_defined_.Longest(text, id); }

 private:
  struct Prefix {
    std::string_view text;
    size_t consumed = 0;
  };
  Prefix NormalizePrefix(std::string_view text) const;
  void Append(std::string_view prefix, std::string* out) const;

  PrefixTable user_defined_;
  std::unique_ptr<const CharMap> char_map_;
  std::string_view space_;
  bool adds_prefix_ = true, removes_spaces_ = true, has_space_at_end_ = false;
};

}  // namespace micrort::text
