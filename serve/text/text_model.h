#pragma once
// Makes text with a version of a model: its tokenizer, and so many sequences at once, each with an
// interpreter and caches of its own.

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "micrort/micrort.h"
#include "serve/metrics/model_stats.h"
#include "serve/protocol/completion_json.h"
#include "serve/scheduler/compute_gate.h"
#include "serve/scheduler/job.h"

namespace micrort::serve {

// One request on its way.
struct TextJob {
  CompletionRequest request;
  // By the thread of the sequence, of one answer after the other: a piece of it, in whole characters, and
  // that it has ended; then once how all ended.
  std::function<void(size_t index, const std::string& piece)> on_text;
  std::function<void(size_t index, FinishReason reason)> on_end;
  std::function<void(const Error& error, const CompletionCounts& counts)> done;
  Clock::time_point deadline = Clock::time_point::max();
  std::atomic<bool> is_cancelled{false};
};

using TextJobPtr = std::shared_ptr<TextJob>;

struct TextOptions {
  std::string tokenizer;          // path
  std::string chat;               // family of conversations; "": the tokenizer tells
  int sequences = 1;              // at once
  bool shares_beginnings = true;  // a prompt that begins as the last text of its sequence goes on from there
  InterpreterOptions interpreter;
  ComputeGate* gate = nullptr;
  ModelStats* stats = nullptr;
};

// Thread-safe.
class TextModel {
 public:
  // Model, gate and stats outlive it. Messages start with the path of what is wrong, if it is the tokenizer.
  static Error Load(const Model& model, const TextOptions& options, std::unique_ptr<TextModel>* out);
  virtual ~TextModel() = default;

  virtual int64_t created() const = 0;  // seconds since 1970
  // `done` is called if and only if this succeeds. kUnavailable: all sequences are taken, or it is closed.
  virtual Error Submit(const TextJobPtr& job) = 0;
  // The client went away: the job ends as soon as it can.
  virtual void Cancel(const TextJobPtr& job) = 0;
  // Takes nothing more; Abort() ends what runs, without results.
  virtual void Close() = 0;
  virtual void Abort() = 0;
  virtual bool has_ended() const = 0;  // after Close()
  virtual bool is_closed() const = 0;
  virtual uint64_t memory_bytes() const = 0;  // arenas and caches
};

}  // namespace micrort::serve
