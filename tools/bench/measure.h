#pragma once
// Runs a model many times and takes its times.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"
#include "micrort/model_limits.h"
#include "tools/bench/latency.h"
#include "tools/io/board.h"
#include "tools/io/image.h"
#include "tools/io/self_test.h"

namespace micrort {

enum class ProfileMode { kOff, kOperators, kCandidates };

struct BenchFlags {
  std::string model, trace, json;
  std::string tune;                 // where to write the fastest algorithms; empty: nowhere
  std::string tuned;                // such a file to follow; empty: none
  std::vector<std::string> inputs;  // NAME=FILE; the others are random, dynamic dimensions 1
  std::vector<std::string> custom_ops;
  io::Preprocess preprocess;
  bool has_preprocess = false;  // otherwise as the model states
  int threads = 1;
  uint64_t cpus = 0;  // of all threads; 0: as the system decides
  bool spin = true;
  int runs = 20;
  int warmup = 3;
  double min_seconds = 0;
  ProfileMode profile = ProfileMode::kOff;
  bool self_test = false;  // check what the file carries, measure nothing
  CpuFeatures features = 0;
  ModelLimits limits;

  bool measures_candidates() const { return profile == ProfileMode::kCandidates || !tune.empty(); }
};

// One algorithm that can compute a layer.
struct CandidateRow {
  std::string algorithm;
  double ms = 0;    // median
  double cost = 0;  // as estimated, over that of the cheapest
  size_t scratch_bytes = 0, packed_bytes = 0;
};

// One operator; times are medians over the profiled runs.
struct OpRow {
  std::string type, node, algorithm, output_shape;
  uint64_t layer = 0;                    // see LayerAlgorithms::layer
  std::vector<CandidateRow> candidates;  // where they are measured and there are several
  double ms = 0, share = 0;
  double start_ms = 0;  // in the last profiled run, for the trace
  int64_t multiply_adds = 0;

  // For rows with candidates: the fastest one, and how much longer the chosen one needs, as a share of that.
  const CandidateRow& best() const;
  double over_best() const;
  double gflops() const { return ms > 0 ? 2e-6 * static_cast<double>(multiply_adds) / ms : 0; }
};

struct BenchResult {
  std::string model, isa;
  int threads = 1;
  size_t runs = 0;
  double load_ms = 0;  // file to ready interpreter: mapping, checking, planning, packing
  double first_run_ms = 0;
  Latency latency;
  double cpu_ms = 0;  // processor time of all threads, a run, mean
  double gflops = 0;  // two operations a multiply-add of the operators, over the median
  size_t arena_bytes = 0, arena_lower_bound = 0, weight_bytes = 0, packed_bytes = 0,
         packed_in_place_bytes = 0, file_bytes = 0, peak_rss_bytes = 0;
  io::Board board;         // empty unless the file is for a microcontroller
  std::vector<OpRow> ops;  // from separate runs, so that timing them does not disturb the latency
  double steps_ms = 0;     // of the rows as measured, without the time between steps that they share
  // How far the steps alone are from the latency; the rows, which share what is between, are not.
  double profile_error() const;
};

Status Measure(const BenchFlags& flags, BenchResult* result);

// As RunSelfTest, with these flags' threads and instruction sets. Messages start with the file.
Status CheckSelfTest(const BenchFlags& flags, io::SelfTestResult* result);

}  // namespace micrort
