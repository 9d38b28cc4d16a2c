#pragma once
// Text to tokens and back, with tokenizer.json of Hugging Face or a model of SentencePiece. This is a
// separate library, libmicrort_text.a, which needs libutf8proc; the runtime does not need it.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::text {

// A part of a model's input: text, or the name of a token, such as "<|im_start|>". Text that looks like a
// token stays text.
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
  // Add the tokens that the tokenizer puts around a text: start and end of sequence, [CLS] and [SEP]. Files
  // of SentencePiece do not define these; there, the start of sequence is added, if it exists.
  bool add_special = true;
  // Names of added tokens of tokenizer.json in the text become tokens, as in Hugging Face. If false, names of
  // special tokens stay text.
  bool parse_special = true;
};

class TokenizerImpl;

// Immutable after loading: any number of threads may use one. Movable, not copyable. The sizes of file and
// text bound memory and time.
class Tokenizer {
 public:
  // The content decides the kind of file. Errors: kIo, kInvalidModel (malformed), kUnsupported (with the name
  // of the unknown component); messages begin with the path. Padding and truncation in tokenizer.json are
  // ignored.
  static Result<Tokenizer> FromFile(const char* path);
  static Result<Tokenizer> FromBytes(std::string_view file);
  static Result<Tokenizer> FromTokenizerJson(std::string_view json);
  static Result<Tokenizer> FromSentencePiece(std::string_view model);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Appends to `ids`. Bytes of `text` that are not UTF-8 become U+FFFD.
  Status Encode(std::string_view text, std::vector<int32_t>* ids, const EncodeOptions& options = {}) const;
  // One text of several parts; parse_special is ignored. kInvalidArgument names a token that does not exist.
  Status Encode(const std::vector<TextPart>& parts, std::vector<int32_t>* ids,
                const EncodeOptions& options = {}) const;
  // The text is always UTF-8. Unknown numbers are left out, and with `skip_special` special tokens, too.
  Status Decode(Span<const int32_t> ids, std::string* text, bool skip_special = true) const;

  // -1 if there is no such token.
  int32_t TokenId(std::string_view token) const;
  // "" if there is no such number.
  std::string Token(int32_t id) const;
  bool IsSpecial(int32_t id) const;
  size_t vocabulary_size() const;  // the largest number plus 1
  // Tokens that end a sequence or a turn: that of SentencePiece, and special tokens with the usual names
  // ("</s>", "<|endoftext|>", "<|eot_id|>", "<|im_end|>" and so on).
  std::vector<int32_t> EndTokens() const;

 private:
  explicit Tokenizer(std::unique_ptr<TokenizerImpl> impl);
  std::unique_ptr<TokenizerImpl> impl_;
};

// The text of tokens that come one after the other. It returns whole characters only; all pieces together are
// the text of all tokens.
class TextStream {
 public:
  explicit TextStream(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}  // must outlive it
  // The text that the token completes; "" while a character is incomplete.
  Status Add(int32_t id, std::string* text);
  // The rest, if the last character is incomplete.
  Status Finish(std::string* text);

 private:
  // The text of pending tokens, and whether it ends with a whole character.
  Status Pending(std::string* text, bool* is_whole) const;
  Status IsLeftOut(int32_t id, bool* is_left_out) const;
  Status ForgetDone();

  const Tokenizer& tokenizer_;
  std::vector<int32_t> ids_;  // returned up to `done_`, then pending
  size_t done_ = 0;
  std::string done_text_;  // of ids_ up to `done_`
};

}  // namespace micrort::text
