#pragma once
// A decoder and its tokenizer, for Python: any number of threads may use them, one after the other.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "micrort/text/chat.h"
#include "micrort/text/generate.h"
#include "python/extension/loaded_model.h"

namespace micrort::python {

class TextSession;

// One answer in the making.
class TextAnswer {
 public:
  TextAnswer(std::shared_ptr<TextSession> session, text::Generation generation)
      : session_(std::move(session)), generation_(std::move(generation)) {}

  // The next piece of text, "" if it is not certain yet. kInvalidArgument once another answer has begun.
  std::string Step();
  void Stop() { generation_.Stop(); }
  bool has_ended() const { return generation_.has_ended(); }
  const text::GenerateResult& result() const { return generation_.result(); }

 private:
  const std::shared_ptr<TextSession> session_;
  text::Generation generation_;
};

class TextSession : public std::enable_shared_from_this<TextSession> {
 public:
  // A path or bytes, of each.
  using Source = std::pair<std::optional<std::string>, std::optional<pybind11::bytes>>;
  static std::shared_ptr<TextSession> Create(const Source& model, const Source& tokenizer, int threads,
                                             const std::optional<std::string>& isa);

  std::vector<int32_t> Encode(const std::string& prompt, bool add_special) const;
  // Roles and texts, in the format of a family.
  std::vector<int32_t> EncodeChat(const std::string& family,
                                  const std::vector<std::pair<std::string, std::string>>& messages) const;
  std::shared_ptr<TextAnswer> Begin(std::vector<int32_t> prompt, text::GenerateOptions options,
                                    bool ignores_end);

  void Cancel() { decoder_->Cancel(); }
  void Reset();
  void Truncate(size_t length);
  size_t length() const { return decoder_->tokens(); }

 private:
  friend class TextAnswer;
  TextSession(std::shared_ptr<LoadedModel> model, text::Tokenizer tokenizer)
      : model_(std::move(model)), tokenizer_(std::move(tokenizer)) {}

  const std::shared_ptr<LoadedModel> model_;
  const text::Tokenizer tokenizer_;
  std::optional<text::Decoder> decoder_;
  std::mutex run_;                       // one run at a time
  const TextAnswer* current_ = nullptr;  // the answer that goes on
};

}  // namespace micrort::python
