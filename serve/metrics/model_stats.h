#pragma once
// Counts and times of the requests of one version of a model.

#include <cstdint>
#include <map>
#include <mutex>

#include "serve/metrics/histogram.h"
#include "serve/protocol/error.h"

namespace micrort::serve {

struct StageTimes {
  uint64_t input_ns = 0, infer_ns = 0, output_ns = 0;
};

struct BatchCounts {
  uint64_t count = 0;
  StageTimes times;
};

struct ModelCounts {
  uint64_t succeeded = 0, failed = 0, rejected = 0, cancelled = 0, timed_out = 0;
  uint64_t failed_ns = 0;
  uint64_t inferences = 0, executions = 0;  // rows of batches, those of the cache included; runs
  uint64_t cache_hits = 0, cache_misses = 0, cache_hit_ns = 0, cache_miss_ns = 0;  // and what looking took
  uint64_t input_bytes = 0, output_bytes = 0;
  uint64_t prompt_tokens = 0, text_tokens = 0;  // read and written, of texts
  uint64_t last_inference_ms = 0;               // since 1970; 0: never
  uint64_t pending = 0;                         // in the queue or running
  Histogram request, queue, compute;
  StageTimes times;                        // of successful requests, each with the whole of its batch
  std::map<int64_t, BatchCounts> batches;  // by rows
};

class ModelStats {
 public:
  void Accept();
  void Reject();  // what was accepted found no place in the queue
  void AddRun(int64_t rows, const StageTimes& times);
  void Finish(const Error& error, int64_t rows, uint64_t request_ns, uint64_t queue_ns,
              const StageTimes& times);
  // An answer that was computed before; it counts as a success.
  void AddCacheHit(int64_t rows, uint64_t ns);
  void AddCacheMiss(uint64_t ns);
  void AddBytes(uint64_t input, uint64_t output);
  void AddTokens(uint64_t prompt, uint64_t text);
  ModelCounts Read() const;

 private:
  mutable std::mutex mutex_;
  ModelCounts counts_;
};

}  // namespace micrort::serve
