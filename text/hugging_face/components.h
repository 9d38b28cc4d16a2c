#pragma once
// The parts of tokenizer.json. Each function reads one: kUnsupported names a part that is not known,
// kInvalidModel what is missing in one.

#include <memory>

#include "text/hugging_face/fields.h"
#include "text/pipeline/stages.h"
#include "text/vocabulary/token_model.h"

namespace micrort::text {

// A part that is null does nothing.
Result<Normalizer> ReadNormalizer(const Json& spec);
Result<PreTokenizer> ReadPreTokenizer(const Json& spec);
Result<TokenDecoder> ReadDecoder(const Json& spec);
Result<std::unique_ptr<TokenModel>> ReadModel(const Json& spec);

// Special tokens before and after those of one text.
struct TokenFrame {
  std::vector<int32_t> before, after;
};
Result<TokenFrame> ReadPostProcessor(const Json& spec);

}  // namespace micrort::text
