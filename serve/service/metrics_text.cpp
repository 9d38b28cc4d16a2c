#include "serve/service/metrics_text.h"

#include <cinttypes>
#include <cstdio>

#include "serve/service/freed_memory.h"

namespace micrort::serve {
namespace {

struct Sample {
  std::string labels;
  ModelCounts counts;
  uint64_t memory_bytes, queued;
};

// Names of models have no character that a label would need escaped.
std::vector<Sample> Read(const Repository& repository) {
  std::vector<Sample> samples;
  for (const auto& version : repository.Versions("")) {
    samples.push_back({"model=\"" + version->name() + "\",version=\"" + version->version() + "\"",
                       version->stats().Read(), version->memory_bytes(), version->queued()});
  }
  return samples;
}

void Head(const char* name, const char* type, const char* help, std::string* text) {
  *text += "# HELP " + std::string(name) + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
}

// What each version of a model has one value of.
struct Figure {
  const char *name, *type, *help;
  uint64_t (*get)(const Sample&);
};

constexpr Figure kFigures[] = {
    {"micrort_requests_success_total", "counter", "Requests answered.",
     [](const Sample& s) { return s.counts.succeeded; }},
    {"micrort_requests_failure_total", "counter", "Requests that ended with an error.",
     [](const Sample& s) { return s.counts.failed; }},
    {"micrort_requests_rejected_total", "counter", "Requests that found the queue full.",
     [](const Sample& s) { return s.counts.rejected; }},
    {"micrort_requests_cancelled_total", "counter", "Requests whose client went away.",
     [](const Sample& s) { return s.counts.cancelled; }},
    {"micrort_requests_timed_out_total", "counter", "Requests whose time was over.",
     [](const Sample& s) { return s.counts.timed_out; }},
    {"micrort_inferences_total", "counter", "Rows of batches computed.",
     [](const Sample& s) { return s.counts.inferences; }},
    {"micrort_cache_hits_total", "counter", "Requests that were answered from the response cache.",
     [](const Sample& s) { return s.counts.cache_hits; }},
    {"micrort_executions_total", "counter", "Runs of models.",
     [](const Sample& s) { return s.counts.executions; }},
    {"micrort_input_bytes_total", "counter", "Bytes of input tensors.",
     [](const Sample& s) { return s.counts.input_bytes; }},
    {"micrort_output_bytes_total", "counter", "Bytes of output tensors.",
     [](const Sample& s) { return s.counts.output_bytes; }},
    {"micrort_prompt_tokens_total", "counter", "Tokens of prompts of texts.",
     [](const Sample& s) { return s.counts.prompt_tokens; }},
    {"micrort_text_tokens_total", "counter", "Tokens of texts written.",
     [](const Sample& s) { return s.counts.text_tokens; }},
    {"micrort_requests_pending", "gauge", "Requests that wait or run.",
     [](const Sample& s) { return s.counts.pending; }},
    {"micrort_queue_length", "gauge", "Requests that wait.", [](const Sample& s) { return s.queued; }},
    {"micrort_model_memory_bytes", "gauge", "Arenas, packed weights and file of a model.",
     [](const Sample& s) { return s.memory_bytes; }},
};

// The names that boards and alerts for Triton use; times are microseconds.
constexpr Figure kTritonFigures[] = {
    {"nv_inference_request_success", "counter", "Requests answered.",
     [](const Sample& s) { return s.counts.succeeded; }},
    {"nv_inference_count", "counter", "Rows of batches computed, those of the cache included.",
     [](const Sample& s) { return s.counts.inferences; }},
    {"nv_inference_exec_count", "counter", "Runs of models.",
     [](const Sample& s) { return s.counts.executions; }},
    {"nv_inference_pending_request_count", "gauge", "Requests that wait.",
     [](const Sample& s) { return s.queued; }},
    {"nv_inference_request_duration_us", "counter", "From arrival in the queue to the answer.",
     [](const Sample& s) { return s.counts.request.sum_ns() / 1000; }},
    {"nv_inference_queue_duration_us", "counter", "Time in the queue.",
     [](const Sample& s) { return s.counts.queue.sum_ns() / 1000; }},
    {"nv_inference_compute_input_duration_us", "counter", "Time that inputs took.",
     [](const Sample& s) { return s.counts.times.input_ns / 1000; }},
    {"nv_inference_compute_infer_duration_us", "counter", "Time that the model took.",
     [](const Sample& s) { return s.counts.times.infer_ns / 1000; }},
    {"nv_inference_compute_output_duration_us", "counter", "Time that outputs took.",
     [](const Sample& s) { return s.counts.times.output_ns / 1000; }},
    {"nv_cache_num_hits_per_model", "counter", "Requests that were answered from the response cache.",
     [](const Sample& s) { return s.counts.cache_hits; }},
    {"nv_cache_num_misses_per_model", "counter", "Requests that the response cache had no answer for.",
     [](const Sample& s) { return s.counts.cache_misses; }},
    {"nv_cache_hit_duration_per_model", "counter", "Time that the response cache took for its answers.",
     [](const Sample& s) { return s.counts.cache_hit_ns / 1000; }},
    {"nv_cache_miss_duration_per_model", "counter", "Time that the response cache took without an answer.",
     [](const Sample& s) { return s.counts.cache_miss_ns / 1000; }},
};

// Triton counts failures by their reason.
constexpr struct {
  const char* name;
  uint64_t (*get)(const Sample&);
} kTritonReasons[] = {
    {"REJECTED", [](const Sample& s) { return s.counts.rejected + s.counts.timed_out; }},
    {"CANCELED", [](const Sample& s) { return s.counts.cancelled; }},
    {"BACKEND", [](const Sample& s) { return s.counts.failed - s.counts.timed_out - s.counts.cancelled; }},
};

void AddFigure(const std::vector<Sample>& samples, const Figure& figure, std::string* text) {
  Head(figure.name, figure.type, figure.help, text);
  for (const Sample& sample : samples)
    *text +=
        std::string(figure.name) + '{' + sample.labels + "} " + std::to_string(figure.get(sample)) + '\n';
}

void AddTritonFailures(const std::vector<Sample>& samples, std::string* text) {
  const std::string name = "nv_inference_request_failure";
  Head(name.c_str(), "counter", "Requests that ended with an error, by its reason.", text);
  for (const Sample& sample : samples) {
    for (const auto& reason : kTritonReasons) {
      *text += name + '{' + sample.labels + ",reason=\"" + reason.name + "\"} " +
               std::to_string(reason.get(sample)) + '\n';
    }
  }
}

std::string Seconds(uint64_t ns) {
  char text[40];
  std::snprintf(text, sizeof text, "%" PRIu64 ".%09" PRIu64, ns / 1'000'000'000, ns % 1'000'000'000);
  return text;
}

void AddHistogram(const std::vector<Sample>& samples, const char* name, const char* help,
                  Histogram ModelCounts::*member, std::string* text) {
  Head(name, "histogram", help, text);
  for (const Sample& sample : samples) {
    const Histogram& histogram = sample.counts.*member;
    uint64_t below = 0;
    for (size_t i = 0; i < Histogram::kBounds.size(); ++i) {
      below += histogram.in_bucket(i);
      *text += std::string(name) + "_bucket{" + sample.labels + ",le=\"" +
               Seconds(Histogram::kBounds[i] * 1000) + "\"} " + std::to_string(below) + '\n';
    }
    const std::string count = std::to_string(histogram.count()) + '\n';
    *text += std::string(name) + "_bucket{" + sample.labels + ",le=\"+Inf\"} " + count;
    *text += std::string(name) + "_sum{" + sample.labels + "} " + Seconds(histogram.sum_ns()) + '\n';
    *text += std::string(name) + "_count{" + sample.labels + "} " + count;
  }
}

void AddBatches(const std::vector<Sample>& samples, std::string* text) {
  Head("micrort_batches_total", "counter", "Runs by the rows of their batch.", text);
  for (const Sample& sample : samples) {
    for (const auto& [rows, batch] : sample.counts.batches) {
      *text += "micrort_batches_total{" + sample.labels + ",rows=\"" + std::to_string(rows) + "\"} " +
               std::to_string(batch.count) + '\n';
    }
  }
}

void AddResidentMemory(std::string* text) {
  const uint64_t resident = ResidentBytes();
  if (resident == 0) return;
  Head("process_resident_memory_bytes", "gauge", "Memory of the process in RAM.", text);
  *text += "process_resident_memory_bytes " + std::to_string(resident) + '\n';
}

}  // namespace

std::string MetricsText(const Repository& repository) {
  const std::vector<Sample> all = Read(repository);
  std::string text;
  for (const Figure& figure : kFigures) AddFigure(all, figure, &text);
  AddHistogram(all, "micrort_request_duration_seconds", "From arrival in the queue to the answer.",
               &ModelCounts::request, &text);
  AddHistogram(all, "micrort_queue_duration_seconds", "Time in the queue.", &ModelCounts::queue, &text);
  AddHistogram(all, "micrort_compute_duration_seconds",
               "Time of a request's batch, inputs and outputs included.", &ModelCounts::compute, &text);
  AddBatches(all, &text);
  for (const Figure& figure : kTritonFigures) AddFigure(all, figure, &text);
  AddTritonFailures(all, &text);
  AddResidentMemory(&text);
  return text;
}

}  // namespace micrort::serve
