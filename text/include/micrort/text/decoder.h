#pragma once
// A model that predicts the next token. Its caches are inputs and outputs, or states of the interpreter.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "micrort/micrort.h"

namespace micrort::text {

// An input that does not change, such as the output of an encoder. Its elements are copied.
struct FixedInput {
  std::string name;
  Shape shape;
  std::vector<uint8_t> bytes;
};

class DecoderImpl;

// Used by one thread at a time, but for Cancel().
class Decoder {
 public:
  // `model` must outlive the decoder. The names of inputs decide their values:
  // - input_ids or decoder_input_ids: [1, tokens] of int32 or int64. A size of 1 in the file: one token per
  // run.
  // - attention_mask: [1, tokens so far], all ones. position_ids, cache_position: the last dimension is
  // tokens.
  // - caches: past_key_values.N.key and the output present.N.key, past_0 and present_0, and so on. The last
  // of
  //   their open dimensions counts tokens so far; other open dimensions, and the first dimension, are 1.
  // - all others must be in `fixed`.
  // Without caches, neither inputs nor states, each run reads all tokens again.
  // The logits are the output "logits", or the only output that belongs to no cache: float32 or float16,
  // [..., tokens, vocabulary]. kUnsupported names an input that is none of these. input_shapes and
  // input_values of the options are ignored.
  static Result<Decoder> Create(const Model& model, const InterpreterOptions& options = {},
                                const std::vector<FixedInput>& fixed = {});
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;
  ~Decoder();

  // Forgets all tokens.
  void Reset();
  // Reads one or more tokens after those read before, in runs of at most 128 if the model keeps its caches.
  // `logits` are the scores of the next token, valid until the next call. After an error the decoder needs
  // Reset().
  Status Read(Span<const int32_t> tokens, Span<float>* logits);
  size_t tokens() const;  // read so far
  // Another value of an input of `fixed`, in as many bytes; they are copied. Forgets all tokens.
  // kInvalidArgument if there is no such input, or if it has another size.
  Status SetFixed(const std::string& name, Span<const uint8_t> bytes);
  size_t vocabulary_size() const;  // the number of logits; 0 if the model decides it as it runs
  // Goes back to the first `count` tokens. Where caches are inputs, to 0 only. kInvalidArgument as
  // Interpreter::TruncateState() says; then nothing changes.
  Status Truncate(size_t count);
  // As Reset(), but keeps the longest common beginning of the tokens read and `tokens`, without the last one
  // of these, if the model's caches can go back to it. Returns how many tokens that are. Their caches may
  // have been made by other numbers of tokens a run, which round otherwise.
  size_t Restart(Span<const int32_t> tokens);
  // By any thread: Read() in progress ends with kCancelled as soon as it can, and so does each later one
  // until Reset(). The decoder must not be moved or destroyed meanwhile.
  void Cancel();
  // Reads that take longer than until then end with kDeadlineExceeded; until Reset().
  void SetDeadline(std::chrono::steady_clock::time_point deadline);
  size_t memory_bytes() const;  // arena and caches

 private:
  explicit Decoder(std::unique_ptr<DecoderImpl> impl);
  std::unique_ptr<DecoderImpl> impl_;
};

}  // namespace micrort::text
