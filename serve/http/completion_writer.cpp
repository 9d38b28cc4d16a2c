#include "serve/http/completion_writer.h"

#include <chrono>
#include <thread>
#include <utility>

#include "serve/http/browser_guard.h"
#include "serve/http/replies.h"

namespace micrort::serve {
namespace {

// What the client of a stream has not taken yet, and how often it is looked whether it has.
constexpr size_t kMostUnsent = 64 * 1024;
constexpr auto kLook = std::chrono::milliseconds(5);
// A text as JSON, escapes included, and again as the body that is sent; counted in steps.
constexpr size_t kBytesOfCharacter = 14, kStepBytes = 4096;

}  // namespace

void CompletionWriter::Begin() {
  if (std::exchange(has_begun_, true)) return;
  HttpResponse response;
  response.content_type = "text/event-stream";
  response.filler = ":\n\n";
  response.headers = {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}};
  AddOrigin(*service_, *exchange_, &response);
  exchange_->BeginStream(std::move(response));
  exchange_->Push(FirstEvent(head_));
}

void CompletionWriter::Keep(size_t index, const std::string& piece) {
  if (!error_.ok()) return;
  text_bytes_ += piece.size();
  const size_t bytes = text_bytes_ * kBytesOfCharacter;
  if (bytes > share_.bytes()) error_ = service_->budget->Take(bytes - share_.bytes() + kStepBytes, &share_);
  if (error_.ok()) choices_[index].text += piece;
}

void CompletionWriter::Add(const TextJob& job, size_t index, const std::string& piece) {
  if (!is_streamed_) return Keep(index, piece);
  Begin();
  while (exchange_->unsent() > kMostUnsent && !job.is_cancelled && Clock::now() < job.deadline)
    std::this_thread::sleep_for(kLook);
  exchange_->Push(TextEvent(head_, index, piece));
}

void CompletionWriter::End(size_t index, FinishReason reason) {
  choices_[index].reason = reason;
  if (!is_streamed_) return;
  Begin();
  exchange_->Push(EndEvent(head_, index, reason));
}

void CompletionWriter::Finish(const Error& error, const CompletionCounts& counts) {
  const Error& why = error.ok() ? error_ : error;
  if (is_streamed_ && (has_begun_ || why.ok())) {
    Begin();
    exchange_->Push(why.ok() ? LastEvents(head_, counts) : ErrorEvents(why));
    return exchange_->EndStream();
  }
  HttpResponse response = why.ok() ? JsonResponse(CompletionJson(head_, choices_, counts))
                                   : ErrorResponse(why, CompletionErrorJson);
  if (why.ok()) response.share = std::move(share_);
  AddOrigin(*service_, *exchange_, &response);
  exchange_->Reply(std::move(response));
}

}  // namespace micrort::serve
