#include "serve/metrics/model_stats.h"

#include <chrono>

namespace micrort::serve {
namespace {

void Add(const StageTimes& times, StageTimes* to) {
  to->input_ns += times.input_ns;
  to->infer_ns += times.infer_ns;
  to->output_ns += times.output_ns;
}

uint64_t NowMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace

void ModelStats::Accept() {
  const std::lock_guard lock(mutex_);
  ++counts_.pending;
}

void ModelStats::AddRun(int64_t rows, const StageTimes& times) {
  const std::lock_guard lock(mutex_);
  ++counts_.executions;
  BatchCounts& batch = counts_.batches[rows];
  ++batch.count;
  Add(times, &batch.times);
}

void ModelStats::Finish(const Error& error, int64_t rows, uint64_t request_ns, uint64_t queue_ns,
                        const StageTimes& times) {
  const std::lock_guard lock(mutex_);
  --counts_.pending;
  counts_.last_inference_ms = NowMs();
  if (!error.ok()) {
    ++counts_.failed;
    counts_.failed_ns += request_ns;
    if (error.kind() == ErrorKind::kCancelled) ++counts_.cancelled;
    if (error.kind() == ErrorKind::kDeadline) ++counts_.timed_out;
    return;
  }
  ++counts_.succeeded;
  counts_.inferences += static_cast<uint64_t>(rows);
  counts_.request.Add(request_ns);
  counts_.queue.Add(queue_ns);
  counts_.compute.Add(times.input_ns + times.infer_ns + times.output_ns);
  Add(times, &counts_.times);
}

void ModelStats::AddCacheHit(int64_t rows, uint64_t ns) {
  const std::lock_guard lock(mutex_);
  ++counts_.cache_hits;
  counts_.cache_hit_ns += ns;
  ++counts_.succeeded;
  counts_.inferences += static_cast<uint64_t>(rows);
  counts_.last_inference_ms = NowMs();
  counts_.request.Add(ns);
}

void ModelStats::AddCacheMiss(uint64_t ns) {
  const std::lock_guard lock(mutex_);
  ++counts_.cache_misses;
  counts_.cache_miss_ns += ns;
}

void ModelStats::AddBytes(uint64_t input, uint64_t output) {
  const std::lock_guard lock(mutex_);
  counts_.input_bytes += input;
  counts_.output_bytes += output;
}

void ModelStats::AddTokens(uint64_t prompt, uint64_t text) {
  const std::lock_guard lock(mutex_);
  counts_.prompt_tokens += prompt;
  counts_.text_tokens += text;
}

void ModelStats::Reject() {
  const std::lock_guard lock(mutex_);
  --counts_.pending;
  ++counts_.rejected;
}

ModelCounts ModelStats::Read() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace micrort::serve
