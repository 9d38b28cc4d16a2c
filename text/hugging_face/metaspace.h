#pragma once
// Metaspace: a mark for spaces, as SentencePiece has it; the same fields in pre-tokenizer and decoder.

#include <string>

#include "text/hugging_face/fields.h"

namespace micrort::text {

enum class PrependScheme { kAlways, kFirst, kNever };

struct Metaspace {
  std::string mark;
  PrependScheme scheme = PrependScheme::kAlways;
  bool splits = true;
};

Status ReadMetaspace(Fields* fields, Metaspace* out);

}  // namespace micrort::text
