#include "serve/text/text_model.h"

#include <ctime>
#include <optional>
#include <utility>

#include "micrort/text/chat.h"
#include "serve/repository/regular_file.h"
#include "serve/text/sequence_pool.h"

namespace micrort::serve {
namespace {

constexpr size_t kMaxTokenizerBytes = size_t{256} << 20;

Error ReadTokenizer(const std::string& path, std::optional<text::Tokenizer>* tokenizer) {
  std::string bytes;
  MICRORT_SERVE_RETURN_IF_ERROR(ReadRegularFile(path, kMaxTokenizerBytes, &bytes));
  Result<text::Tokenizer> read = text::Tokenizer::FromBytes(bytes);
  if (!read.ok()) return Error::From(read.status()).WithPrefix(path);
  tokenizer->emplace(std::move(*read));
  return {};
}

// None where nothing tells: then conversations are refused.
Error FindFamily(const std::string& name, const text::Tokenizer& tokenizer,
                 std::optional<text::ChatFamily>* family) {
  Result<text::ChatFamily> found = name.empty() ? text::ChatFamilyOf(tokenizer) : text::ChatFamilyOf(name);
  if (found.ok()) *family = *found;
  return name.empty() ? Error() : Error::From(found.status());
}

class LoadedTextModel final : public TextModel {
 public:
  LoadedTextModel(const Model& model, const TextOptions& options, text::Tokenizer tokenizer,
                  std::optional<text::ChatFamily> family)
      : tokenizer_(std::move(tokenizer)), pool_(model, options, tokenizer_, family) {}

  Error Prepare() { return pool_.Prepare(); }

  int64_t created() const override { return created_; }
  Error Submit(const TextJobPtr& job) override { return pool_.Submit(job); }
  void Cancel(const TextJobPtr& job) override { pool_.Cancel(job); }
  void Close() override { pool_.Close(); }
  void Abort() override { pool_.Abort(); }
  bool has_ended() const override { return pool_.has_ended(); }
  bool is_closed() const override { return pool_.is_closed(); }
  uint64_t memory_bytes() const override { return pool_.memory_bytes(); }

 private:
  const int64_t created_ = std::time(nullptr);
  const text::Tokenizer tokenizer_;
  SequencePool pool_;
};

}  // namespace

Error TextModel::Load(const Model& model, const TextOptions& options, std::unique_ptr<TextModel>* out) {
  std::optional<text::Tokenizer> tokenizer;
  std::optional<text::ChatFamily> family;
  MICRORT_SERVE_RETURN_IF_ERROR(ReadTokenizer(options.tokenizer, &tokenizer));
  MICRORT_SERVE_RETURN_IF_ERROR(FindFamily(options.chat, *tokenizer, &family));
  auto loaded = std::make_unique<LoadedTextModel>(model, options, std::move(*tokenizer), family);
  MICRORT_SERVE_RETURN_IF_ERROR(loaded->Prepare());
  *out = std::move(loaded);
  return {};
}

}  // namespace micrort::serve
