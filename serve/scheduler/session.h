#pragma once
// Interpreters of one instance of a model: one for each combination of input shapes in use.

#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "micrort/micrort.h"
#include "serve/metrics/model_stats.h"
#include "serve/scheduler/job.h"
#include "serve/scheduler/sequence_store.h"

namespace micrort::serve {

struct SessionOptions {
  InterpreterOptions interpreter;
  bool has_batches = false;     // the first dimension of every input and output counts requests
  size_t max_sequences = 1024;  // whose state is kept, of models that have one
  size_t max_sequence_bytes = SIZE_MAX;
  uint64_t max_sequence_idle_us = 60'000'000;
  size_t max_interpreters = 8;
  size_t max_kept_arena_bytes = size_t{256} << 20;  // of interpreters that are not the last used one
  ByteBudget* budget = nullptr;                     // of outputs; null: unlimited
};

// Used by one thread at a time, but for Abort() and CancelAbandoned().
class Session {
 public:
  Session(const Model& model, const SessionOptions& options)
      : model_(model),
        options_(options),
        sequences_(options.max_sequences, options.max_sequence_bytes, options.max_sequence_idle_us) {}

  // An interpreter for shapes whose open dimensions are 1.
  Status Prepare();
  // Runs jobs of one batch key together; one response each. kDeadline if that takes longer than `until`, or
  // than all of the jobs have time.
  Error Run(const std::vector<JobPtr>& jobs, Clock::time_point until, std::vector<InferResponse>* responses,
            StageTimes* times);
  // By any thread: ends the run in progress if all of it was given up.
  void CancelAbandoned();
  // By any thread: ends the run in progress and every later one with kCancelled.
  void Abort();
  uint64_t arena_bytes() const { return arena_bytes_; }

 private:
  struct Entry {
    std::string key;
    bool has_values;  // its sizes follow from values of inputs, and may be any
    Interpreter interpreter;
  };
  using JobList = const std::vector<JobPtr>&;

  Status Create(const std::vector<Shape>& shapes, const std::vector<const void*>& values, Interpreter** out);
  // Lets go of what a request made large, and the next one need not be.
  void DropLarge();
  Error RunKept(JobList jobs, Clock::time_point until, std::vector<InferResponse>* responses,
                StageTimes* times);
  Error InterpreterFor(JobList jobs, int64_t rows, Interpreter** out);
  void FillInputs(JobList jobs, Interpreter* interpreter) const;
  Error RestoreSequence(const Job& job, Interpreter* interpreter);
  Error SaveSequence(const Job& job, const Interpreter& interpreter);
  Status RunOnce(JobList jobs, Clock::time_point until, Interpreter* interpreter);
  Error TakeOutputs(JobList jobs, int64_t rows, const Interpreter& interpreter,
                    std::vector<InferResponse>* responses) const;
  Error CountOutputs(const Job& job, int64_t rows, const Interpreter& interpreter,
                     InferResponse* response) const;

  const Model& model_;
  const SessionOptions options_;
  std::list<Entry> interpreters_;  // the last used first
  std::atomic<uint64_t> arena_bytes_{0};
  SequenceStore sequences_;

  std::mutex running_mutex_;
  const std::vector<JobPtr>* running_ = nullptr;
  Interpreter* running_on_ = nullptr;
  bool was_cancelled_ = false, is_aborted_ = false;
};

}  // namespace micrort::serve
