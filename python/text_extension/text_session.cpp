#include "python/text_extension/text_session.h"

#include "python/extension/status_error.h"

namespace micrort::python {

namespace py = pybind11;

namespace {

text::ChatMessage::Role RoleOf(const std::string& name) {
  using Role = text::ChatMessage::Role;
  if (name == "system") return Role::kSystem;
  if (name == "user") return Role::kUser;
  if (name != "assistant") {
    ThrowIfError(MICRORT_ERROR(kInvalidArgument, "role: expected system, user or assistant, found '%.40s'",
                               name.c_str()));
  }
  return Role::kAssistant;
}

}  // namespace

std::shared_ptr<TextSession> TextSession::Create(const Source& model, const Source& tokenizer, int threads,
                                                 const std::optional<std::string>& isa) {
  InterpreterOptions options;
  options.threads = threads;
  if (isa && !ParseIsa(isa->c_str(), &options.features)) {
    ThrowIfError(
        MICRORT_ERROR(kInvalidArgument, "isa: expected one of %s, found '%.40s'", IsaNames(), isa->c_str()));
  }
  auto loaded = model.first ? LoadedModel::FromFile(*model.first) : LoadedModel::FromBytes(*model.second);
  auto read = tokenizer.first ? text::Tokenizer::FromFile(tokenizer.first->c_str())
                              : text::Tokenizer::FromBytes(std::string_view(*tokenizer.second));
  std::shared_ptr<TextSession> session(new TextSession(std::move(loaded), ValueOrThrow(std::move(read))));
  const py::gil_scoped_release unlocked;
  session->decoder_.emplace(ValueOrThrow(text::Decoder::Create(session->model_->model(), options)));
  return session;
}

std::vector<int32_t> TextSession::Encode(const std::string& prompt, bool add_special) const {
  text::EncodeOptions options;
  options.add_special = add_special;
  std::vector<int32_t> ids;
  ThrowIfError(tokenizer_.Encode(prompt, &ids, options));
  return ids;
}

std::vector<int32_t> TextSession::EncodeChat(
    const std::string& family, const std::vector<std::pair<std::string, std::string>>& messages) const {
  std::vector<text::ChatMessage> turns;
  for (const auto& [role, content] : messages) turns.push_back({RoleOf(role), content});
  std::vector<text::TextPart> parts;
  ThrowIfError(text::RenderChat(ValueOrThrow(text::ChatFamilyOf(family)), turns, &parts));
  text::EncodeOptions options;
  options.add_special = false;
  std::vector<int32_t> ids;
  ThrowIfError(tokenizer_.Encode(parts, &ids, options));
  return ids;
}

std::shared_ptr<TextAnswer> TextSession::Begin(std::vector<int32_t> prompt, text::GenerateOptions options,
                                               bool ignores_end) {
  if (!ignores_end) options.end_tokens = tokenizer_.EndTokens();
  auto answer = std::make_shared<TextAnswer>(
      shared_from_this(),
      ValueOrThrow(text::Generation::Begin(&*decoder_, &tokenizer_, std::move(prompt), options)));
  const py::gil_scoped_release unlocked;
  const std::lock_guard<std::mutex> lock(run_);
  current_ = answer.get();
  return answer;
}

void TextSession::Reset() {
  const py::gil_scoped_release unlocked;
  const std::lock_guard<std::mutex> lock(run_);
  current_ = nullptr;
  decoder_->Reset();
}

void TextSession::Truncate(size_t length) {
  Status status;
  {
    const py::gil_scoped_release unlocked;
    const std::lock_guard<std::mutex> lock(run_);
    current_ = nullptr;
    status = decoder_->Truncate(length);
  }
  ThrowIfError(status);
}

std::string TextAnswer::Step() {
  std::string piece;
  Status status;
  {
    const py::gil_scoped_release unlocked;
    const std::lock_guard<std::mutex> lock(session_->run_);
    status = session_->current_ == this
                 ? generation_.Step(&piece)
                 : MICRORT_ERROR(kInvalidArgument, "the generator has gone on without this answer");
  }
  ThrowIfError(status);
  return piece;
}

}  // namespace micrort::python
