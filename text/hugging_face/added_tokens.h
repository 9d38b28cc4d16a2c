#pragma once
// Tokens that are found in text before anything else happens to it.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/hugging_face/fields.h"
#include "text/pipeline/stages.h"
#include "text/vocabulary/prefix_table.h"
#include "text/vocabulary/vocabulary.h"

namespace micrort::text {

struct AddedToken {
  std::string content;
  int32_t id = kNoToken;
  bool is_special = false;
  bool is_single_word = false, strips_left = false, strips_right = false;
  bool is_normalized = false;  // sought in normalized text
};

// Text, or a token in it.
struct TokenOrText {
  int32_t id = kNoToken;
  std::string text;
};

class AddedTokens {
 public:
  // `normalize` is applied to the contents of those that are sought in normalized text.
  Status Read(const Json& list, const Vocabulary& vocabulary, const Normalizer& normalize);

  // Cuts `text` where tokens are, that are or are not sought in normalized text. Without `special`, special
  // ones stay text.
  void Split(const std::string& text, bool normalized, bool special, std::vector<TokenOrText>* out) const;
  // As if the token `id` were between these texts: white space that it takes with it goes.
  void StripAround(int32_t id, std::string* before, std::string* after) const;

  int32_t Find(std::string_view content) const { return vocabulary_.Find(content); }
  std::string_view Content(int32_t id) const { return vocabulary_.Token(id); }
  bool IsSpecial(int32_t id) const;
  size_t size() const { return vocabulary_.size(); }  // the greatest number and 1

 private:
  const AddedToken* FindById(int32_t id) const;
  bool IsAllowedAt(const AddedToken& token, std::string_view text, size_t begin, size_t end) const;

  std::vector<AddedToken> tokens_;
  std::unordered_map<int32_t, size_t> index_of_;
  PrefixTable raw_, normalized_;
  Vocabulary vocabulary_;
};

}  // namespace micrort::text
