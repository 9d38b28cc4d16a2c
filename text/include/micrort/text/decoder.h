#pragma once
// A model that tells the next token, with what it keeps of the tokens so far as inputs and outputs or in the
// interpreter.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "micrort/micrort.h"

namespace micrort::text {

// An input that does not change, such as what an encoder made. Its elements are copied.
struct FixedInput {
  std::string name;
  Shape shape;
  std::vector<uint8_t> bytes;
};

class DecoderImpl;

// Used by one thread at a time.
class Decoder {
 public:
  // `model` outlives the decoder. Inputs are told by their names:
  // - input_ids or decoder_input_ids, [1, tokens] of int32 or int64; a size of 1 in the file: one token a run
  // - attention_mask, [1, tokens so far], all ones; position_ids, whose last dimension is tokens
  // - caches: past_key_values.N.key and the output present.N.key, past_0 and present_0, and so on. Of their
  // open dimensions the last one
  //   counts tokens so far, and the others, and one that is the first dimension, are 1
  // - all others are in `fixed`.
  // The logits are the output "logits", or the only one that belongs to no cache; float32 or float16, [...,
  // tokens, vocabulary]. kUnsupported names an input that is none of these. Of the options, input_shapes and
  // input_values are not looked at.
  static Result<Decoder> Create(const Model& model, const InterpreterOptions& options = {},
                                const std::vector<FixedInput>& fixed = {});
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;
  ~Decoder();

  // Forgets all tokens.
  void Reset();
  // Reads tokens after those before, at least one. `logits` are those for the next token, until the next
  // call. After an error the decoder needs Reset().
  Status Read(Span<const int32_t> tokens, Span<float>* logits);
  size_t tokens() const;  // read so far

 private:
  explicit Decoder(std::unique_ptr<DecoderImpl> impl);
  std::unique_ptr<DecoderImpl> impl_;
};

}  // namespace micrort::text
