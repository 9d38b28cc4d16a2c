#pragma once
// Sequences of text of one model: a bounded number, each with a thread, an interpreter and caches, made when
// it is first needed and kept for the next request.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "micrort/text/chat.h"
#include "micrort/text/generate.h"
#include "serve/service/worker_pool.h"
#include "serve/text/text_model.h"

namespace micrort::serve {

// Thread-safe.
class SequencePool {
 public:
  // Model and tokenizer outlive it.
  SequencePool(const Model& model, const TextOptions& options, const text::Tokenizer& tokenizer,
               std::optional<text::ChatFamily> family);

  // Makes the first sequence, so that a model that predicts no token is found at once.
  Error Prepare();
  // As of TextModel.
  Error Submit(const TextJobPtr& job);
  void Cancel(const TextJobPtr& job);
  void Close();
  void Abort();
  bool has_ended() const { return running_ == 0; }
  bool is_closed() const { return is_closed_; }
  uint64_t memory_bytes() const { return memory_bytes_; }

 private:
  struct Sequence {
    std::optional<text::Decoder> decoder;  // of the thread that runs it
    size_t bytes = 0;                      // of the decoder
    TextJobPtr job;                        // null: it is free; by mutex_, as is the next one
    bool may_be_cancelled = false;         // a decoder is running
  };

  struct Prompt {
    std::vector<int32_t> tokens;
    size_t begun;  // of these, the decoder has read as many
  };

  void Work(Sequence* sequence);
  Error Run(Sequence* sequence, CompletionCounts* counts);
  Error Make(Sequence* sequence);
  Error Encode(const CompletionRequest& request, size_t index, std::vector<int32_t>* tokens) const;
  text::GenerateOptions OptionsOf(const CompletionRequest& request) const;
  Error Generate(text::Decoder* decoder, const TextJob& job, size_t index, Prompt prompt,
                 CompletionCounts* counts);
  // Until the answer has ended.
  Error Write(const TextJob& job, size_t index, text::Generation* generation);
  Error StepGated(text::Generation* generation, std::string* piece);
  Error WhyItEnds(const TextJob& job) const;
  void SetCancellable(Sequence* sequence, bool may_be_cancelled);

  const Model& model_;
  const TextOptions options_;
  const text::Tokenizer& tokenizer_;
  const std::optional<text::ChatFamily> family_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Sequence>> sequences_;
  std::atomic<bool> is_closed_{false}, is_aborted_{false};
  std::atomic<int> running_{0};
  std::atomic<uint64_t> memory_bytes_{0};
  WorkerPool workers_;  // last: its threads use what is above
};

}  // namespace micrort::serve
