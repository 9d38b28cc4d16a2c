#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <random>
#include <utility>

#include "serve/http/browser_guard.h"
#include "serve/http/completion_writer.h"
#include "serve/http/handlers.h"
#include "serve/http/replies.h"
#include "serve/protocol/json_size.h"

namespace micrort::serve {
namespace {

using Path = std::vector<std::string>;

// The memory of a prompt: its text, tokens, and what is between them.
constexpr size_t kBytesOfTextByte = 16;

void ReplyError(const Service& service, const Exchange& exchange, const Error& error) {
  HttpResponse response = ErrorResponse(error, CompletionErrorJson);
  AddOrigin(service, *exchange, &response);
  exchange->Reply(std::move(response));
}

std::string NewId(bool is_chat) {
  std::random_device device;
  char text[40];
  std::snprintf(text, sizeof text, "%s-%08x%08x%08x", is_chat ? "chatcmpl" : "cmpl", device(), device(),
                device());
  return text;
}

int64_t Now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

// The newest version of each model that makes text.
std::vector<Repository::VersionPtr> TextModels(const Service& service) {
  std::vector<Repository::VersionPtr> models;
  for (Repository::VersionPtr& version : service.repository->Versions("")) {
    if (version->text() == nullptr) continue;
    if (!models.empty() && models.back()->name() == version->name()) models.pop_back();
    models.push_back(std::move(version));
  }
  return models;
}

Error FindTextModel(const Service& service, const std::string& name, Repository::VersionPtr* model) {
  if (!name.empty()) {
    MICRORT_SERVE_RETURN_IF_ERROR(service.repository->Find(name, "", false, model));
    if ((*model)->text() != nullptr) return {};
    return Invalid("model '" + name + "' makes no text: it has no tokenizer beside it, or is no decoder");
  }
  std::vector<Repository::VersionPtr> models = TextModels(service);
  if (models.size() != 1)
    return Invalid("expected 'model': the server has " + std::to_string(models.size()) + " that make text");
  *model = std::move(models[0]);
  return {};
}

// Also while the model is replaced by a newer version.
Error Submit(const Service& service, const TextJobPtr& job, Repository::VersionPtr* model) {
  for (;;) {
    const Repository::VersionPtr tried = *model;
    const Error error = tried->text()->Submit(job);
    if (error.ok() || !tried->text()->is_closed()) return error;
    if (!FindTextModel(service, tried->name(), model).ok() || *model == tried) return error;
  }
}

CompletionHead HeadOf(const CompletionRequest& request, const ModelVersion& model) {
  CompletionHead head;
  head.id = NewId(request.is_chat);
  head.model = model.name();
  head.created = Now();
  head.is_chat = request.is_chat;
  head.tells_usage = request.tells_usage;
  return head;
}

Error Parse(Service* service, const Exchange& exchange, bool is_chat, CompletionRequest* request,
            ByteBudget::Share* share) {
  MICRORT_SERVE_RETURN_IF_ERROR(CheckEncoding(*exchange));
  const Span<const uint8_t> body = exchange->body();
  ByteBudget::Share document;
  const size_t bytes = JsonDocumentBytes(reinterpret_cast<const char*>(body.data()), body.size());
  MICRORT_SERVE_RETURN_IF_ERROR(service->budget->Take(bytes, &document));
  MICRORT_SERVE_RETURN_IF_ERROR(ParseCompletionRequest(body, is_chat, service->max_text_tokens, request));
  return service->budget->Take(request->text_bytes() * kBytesOfTextByte, share);
}

void Complete(Service* service, const Exchange& exchange, bool is_chat) {
  const auto job = std::make_shared<TextJob>();
  const auto share = std::make_shared<ByteBudget::Share>();
  Repository::VersionPtr model;
  Error error = Parse(service, exchange, is_chat, &job->request, share.get());
  if (error.ok()) error = FindTextModel(*service, job->request.model, &model);
  if (!error.ok()) return ReplyError(*service, exchange, error);
  exchange->ForgetBody();
  const auto writer = std::make_shared<CompletionWriter>(service, exchange, HeadOf(job->request, *model),
                                                         job->request.answers(), job->request.is_streamed);
  job->deadline = Clock::now() + std::chrono::seconds(service->text_seconds);
  job->on_text = [writer, job = job.get()](size_t index, const std::string& piece) {
    writer->Add(*job, index, piece);
  };
  job->on_end = [writer](size_t index, FinishReason reason) { writer->End(index, reason); };
  job->done = [writer, share](const Error& failure, const CompletionCounts& counts) {
    share->Release();
    writer->Finish(failure, counts);
  };
  error = Submit(*service, job, &model);
  if (!error.ok()) return ReplyError(*service, exchange, error);
  exchange->WhenClosed([model, job] { model->text()->Cancel(job); });
}

void TellModels(const Service& service, const Exchange& exchange, const std::string& name) {
  std::vector<TextModelEntry> entries;
  for (const Repository::VersionPtr& model : TextModels(service)) {
    if (name.empty() || model->name() == name) entries.push_back({model->name(), model->text()->created()});
  }
  if (!name.empty() && entries.empty())
    return ReplyError(service, exchange, {ErrorKind::kNotFound, "no model '" + name + "' makes text here"});
  HttpResponse response = JsonResponse(name.empty() ? TextModelsJson(entries) : TextModelJson(entries[0]));
  AddOrigin(service, *exchange, &response);
  exchange->Reply(std::move(response));
}

}  // namespace

void AnswerCompletions(Service* service, const Exchange& exchange) {
  const Path& path = exchange->path();
  const bool is_chat = path == Path{"v1", "chat", "completions"};
  if (is_chat || path == Path{"v1", "completions"}) {
    if (!IsAllowed(*service, exchange, HttpMethod::kPost, CompletionErrorJson)) return;
    return RunBeside(service, exchange, exchange->body().size(),
                     [service, exchange, is_chat] { Complete(service, exchange, is_chat); });
  }
  if (path.size() > 3 || path.size() < 2 || path[1] != "models") {
    return ReplyError(*service, exchange,
                      {ErrorKind::kNotFound, "there is nothing at '" + exchange->raw_path() + "'"});
  }
  if (!IsAllowed(*service, exchange, HttpMethod::kGet, CompletionErrorJson)) return;
  TellModels(*service, exchange, path.size() == 3 ? path[2] : "");
}

}  // namespace micrort::serve
