#pragma once
// Writes an answer of text: as one JSON, or as events while it is made.

#include <string>
#include <vector>

#include "serve/http/http_request.h"
#include "serve/service/service.h"
#include "serve/text/text_model.h"

namespace micrort::serve {

// Used by the sequence's thread.
class CompletionWriter {
 public:
  // `is_streamed`: as events.
  CompletionWriter(Service* service, Exchange exchange, CompletionHead head, size_t answers, bool is_streamed)
      : service_(service),
        exchange_(std::move(exchange)),
        head_(std::move(head)),
        is_streamed_(is_streamed),
        choices_(answers) {}

  // A piece of answer `index`. Waits while the client reads more slowly than the text is made, for as long as
  // the job may take.
  void Add(const TextJob& job, size_t index, const std::string& piece);
  // That answer has ended.
  void End(size_t index, FinishReason reason);
  void Finish(const Error& error, const CompletionCounts& counts);

 private:
  void Begin();
  void Keep(size_t index, const std::string& piece);

  Service* const service_;
  const Exchange exchange_;
  const CompletionHead head_;
  const bool is_streamed_;
  bool has_begun_ = false;
  std::vector<CompletionChoice> choices_;  // of answers in one
  size_t text_bytes_ = 0;                  // of all of them
  ByteBudget::Share share_;                // of these
  Error error_;                            // there is no room for it
};

}  // namespace micrort::serve
