#include "serve/service/metrics_text.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <functional>

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

using Getter = std::function<uint64_t(const Sample&)>;

void AddValues(const std::vector<Sample>& samples, const char* name, const char* type, const char* help,
               const Getter& get, std::string* text) {
  Head(name, type, help, text);
  for (const Sample& sample : samples)
    *text += std::string(name) + '{' + sample.labels + "} " + std::to_string(get(sample)) + '\n';
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
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  if (!(file >> all >> resident)) return;
  Head("process_resident_memory_bytes", "gauge", "Memory of the process in RAM.", text);
  *text += "process_resident_memory_bytes " +
           std::to_string(resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE))) + '\n';
}

}  // namespace

std::string MetricsText(const Repository& repository) {
  const std::vector<Sample> all = Read(repository);
  std::string text;
  const auto counter = [&](const char* name, const char* help, const Getter& get) {
    AddValues(all, name, "counter", help, get, &text);
  };
  counter("micrort_requests_success_total", "Requests answered.",
          [](const Sample& s) { return s.counts.succeeded; });
  counter("micrort_requests_failure_total", "Requests that ended with an error.",
          [](const Sample& s) { return s.counts.failed; });
  counter("micrort_requests_rejected_total", "Requests that found the queue full.",
          [](const Sample& s) { return s.counts.rejected; });
  counter("micrort_requests_cancelled_total", "Requests whose client went away.",
          [](const Sample& s) { return s.counts.cancelled; });
  counter("micrort_requests_timed_out_total", "Requests whose time was over.",
          [](const Sample& s) { return s.counts.timed_out; });
  counter("micrort_inferences_total", "Rows of batches computed.",
          [](const Sample& s) { return s.counts.inferences; });
  counter("micrort_cache_hits_total", "Requests that were answered from the response cache.",
          [](const Sample& s) { return s.counts.cache_hits; });
  counter("micrort_executions_total", "Runs of models.", [](const Sample& s) { return s.counts.executions; });
  counter("micrort_input_bytes_total", "Bytes of input tensors.",
          [](const Sample& s) { return s.counts.input_bytes; });
  counter("micrort_output_bytes_total", "Bytes of output tensors.",
          [](const Sample& s) { return s.counts.output_bytes; });
  AddValues(
      all, "micrort_requests_pending", "gauge", "Requests that wait or run.",
      [](const Sample& s) { return s.counts.pending; }, &text);
  AddValues(
      all, "micrort_queue_length", "gauge", "Requests that wait.", [](const Sample& s) { return s.queued; },
      &text);
  AddValues(
      all, "micrort_model_memory_bytes", "gauge", "Arenas, packed weights and file of a model.",
      [](const Sample& s) { return s.memory_bytes; }, &text);
  AddHistogram(all, "micrort_request_duration_seconds", "From arrival in the queue to the answer.",
               &ModelCounts::request, &text);
  AddHistogram(all, "micrort_queue_duration_seconds", "Time in the queue.", &ModelCounts::queue, &text);
  AddHistogram(all, "micrort_compute_duration_seconds",
               "Time of a request's batch, inputs and outputs included.", &ModelCounts::compute, &text);
  AddBatches(all, &text);
  AddResidentMemory(&text);
  return text;
}

}  // namespace micrort::serve
