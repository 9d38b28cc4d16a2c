#pragma once
// Text to tokens and back, by tokenizer.json of Hugging Face or a model of SentencePiece. A library of its
// own, libmicrort_text.a, linked with libutf8proc; the runtime does not need it.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::text {

// A part of what a model reads: text, or the name of a token, such as "<|im_start|>". What looks like a token
// inside of text is text.
struct TextPart {
  enum class Kind {
    kText,
    kToken,        // an error if there is no such token
    kTokenOrText,  // text if there is no such token
  };
  std::string text;
  Kind kind = Kind::kText;
};

struct EncodeOptions {
  // Put what the tokenizer wants around a text: begin and end of sequence, [CLS] and [SEP]. Of SentencePiece,
  // whose files do not say so, the begin of the sequence, where there is one.
  bool add_special = true;
  // Added tokens of tokenizer.json that are written out in the text are tokens, as Hugging Face takes them.
  // Else special ones are text.
  bool parse_special = true;
};

class TokenizerImpl;

// Immutable once loaded: any number of threads may use one. Movable, not copyable. What files ask of memory
// and time is bounded by the size of file and text.
class Tokenizer {
 public:
  // The file's content says which kind it is. kIo, kInvalidModel (malformed), kUnsupported (with the name of
  // the component that is not known); messages begin with the path. Padding and truncation in tokenizer.json
  // are left to the caller.
  static Result<Tokenizer> FromFile(const char* path);
  static Result<Tokenizer> FromTokenizerJson(std::string_view json);
  static Result<Tokenizer> FromSentencePiece(std::string_view model);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Appends to `ids`. Bytes of `text` that are no UTF-8 count as U+FFFD.
  Status Encode(std::string_view text, std::vector<int32_t>* ids, const EncodeOptions& options = {}) const;
  // One text of several parts; of the options, parse_special is not looked at. kInvalidArgument names a token
  // that there is not.
  Status Encode(const std::vector<TextPart>& parts, std::vector<int32_t>* ids,
                const EncodeOptions& options = {}) const;
  // UTF-8 always. Numbers of no token are left out. `skip_special`: special tokens, too.
  Status Decode(Span<const int32_t> ids, std::string* text, bool skip_special = true) const;

  // -1 for what is no token.
  int32_t TokenId(std::string_view token) const;
  // "" for a number of no token.
  std::string Token(int32_t id) const;
  bool IsSpecial(int32_t id) const;
  size_t vocabulary_size() const;  // the greatest number and 1
  // Tokens that end a sequence or a turn: SentencePiece's own, and special ones of a name that models use for
  // it ("</s>",
  // "<|endoftext|>", "<|eot_id|>", "<|im_end|>" and so on).
  std::vector<int32_t> EndTokens() const;

 private:
  explicit Tokenizer(std::unique_ptr<TokenizerImpl> impl);
  std::unique_ptr<TokenizerImpl> impl_;
};

// Text of tokens that come one after the other. What is given out is whole characters, and together the text
// of all tokens.
class TextStream {
 public:
  explicit TextStream(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}  // must outlive it
  // Text that the token completes; "" while a character is not whole.
  Status Add(int32_t id, std::string* text);
  // The rest, where the last character stays in part.
  Status Finish(std::string* text);

 private:
  // Text of the tokens that are not given out, and whether it ends with a whole character.
  Status Pending(std::string* text, bool* is_whole) const;

  const Tokenizer& tokenizer_;
  std::vector<int32_t> ids_;  // given out up to `done_`, then pending
  size_t done_ = 0;
  std::string done_text_;  // of ids_ up to `done_`
};

}  // namespace micrort::text
