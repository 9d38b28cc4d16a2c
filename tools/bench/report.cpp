#include "tools/bench/report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/bench/cores.h"
#include "tools/io/file.h"
#include "tools/io/printable.h"

namespace micrort {
namespace {

using Json = nlohmann::ordered_json;

std::string Text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void PrintOps(const BenchResult& result) {
  std::printf("\n%-16s %-40s %-18s %9s %7s %9s  %s\n", "operator", "algorithm", "output", "ms", "share",
              "GFLOP/s", "node");
  for (const OpRow& row : result.ops) {
    std::printf("%-16s %-40s %-18s %9.4f %6.1f%% %9.2f  %s\n", row.type.c_str(), row.algorithm.c_str(),
                row.output_shape.c_str(), row.ms, row.share * 100, row.gflops(),
                io::Printable(row.node).c_str());
  }
  std::printf("steps alone take %.4f ms, %+.1f%% off the latency; the rows share the time between them\n",
              result.steps_ms, result.profile_error() * 100);
}

// The layers for which there is a choice, each with its algorithms.
void PrintCandidates(const BenchResult& result) {
  std::printf("\n%-40s %-42s %9s %9s %8s\n", "layer", "algorithm", "ms", "over best", "estimate");
  double lost = 0;
  for (const OpRow& op : result.ops) {
    if (op.candidates.empty()) continue;
    const double best = op.best().ms;
    for (const CandidateRow& row : op.candidates) {
      const bool is_first = &row == &op.candidates[0], is_taken = row.algorithm == op.algorithm;
      if (is_taken) lost += row.ms - best;
      std::printf("%-40.40s %c %-40s %9.4f %8.1f%% %8.2f\n", is_first ? io::Printable(op.node).c_str() : "",
                  is_taken ? '*' : ' ', row.algorithm.c_str(), row.ms, (row.ms / best - 1) * 100, row.cost);
    }
  }
  std::printf("* taken; the fastest of each would save %.4f ms\n", lost);
}

void PrintCores() {
  for (const CoreType& type : CoreTypes()) {
    std::printf("cores        %d of %s, caches of %.0f KiB (data), %.0f KiB, %.0f KiB\n", type.count,
                io::Printable(type.name).c_str(), static_cast<double>(type.l1d_bytes) / 1024,
                static_cast<double>(type.l2_bytes) / 1024, static_cast<double>(type.l3_bytes) / 1024);
  }
}

Json CoresJson() {
  Json cores = Json::array();
  for (const CoreType& type : CoreTypes()) {
    cores.push_back({{"type", type.name},
                     {"count", type.count},
                     {"l1d_bytes", type.l1d_bytes},
                     {"l2_bytes", type.l2_bytes},
                     {"l3_bytes", type.l3_bytes}});
  }
  return cores;
}

// After the figures of this CPU.
void PrintBoard(const io::Board& board) {
  if (board.is_empty()) return;
  std::printf("board        %s: %s\n", board.target.c_str(), io::MemoryText(board).c_str());
  std::printf("cycles       %s\n", io::CyclesText(board).c_str());
}

Json CandidatesJson(const OpRow& op) {
  Json candidates = Json::array();
  for (const CandidateRow& row : op.candidates) {
    candidates.push_back({{"algorithm", row.algorithm},
                          {"ms", row.ms},
                          {"estimate", row.cost},
                          {"scratch_bytes", row.scratch_bytes},
                          {"packed_bytes", row.packed_bytes},
                          {"taken", row.algorithm == op.algorithm}});
  }
  return candidates;
}

}  // namespace

void PrintResult(const BenchResult& r, ProfileMode profile) {
  const Latency& l = r.latency;
  const double runs = l.mean > 0.0 ? 1e3 / l.mean : 0.0;
  std::printf("runs         %.*f a second\n", runs < 100.0 ? 2 : 0, runs);
  std::printf(
      "latency      median %.3f ms over %zu runs (min %.3f, mean %.3f, p90 %.3f, p99 %.3f, max %.3f, stddev "
      "%.3f)\n",
      l.median, r.runs, l.min, l.mean, l.p90, l.p99, l.max, l.stddev);
  std::printf("model        %s\n", r.model.c_str());
  std::printf("cpu          %s, %d thread%s\n", r.isa.c_str(), r.threads, r.threads == 1 ? "" : "s");
  PrintCores();
  std::printf("load         %.3f ms\n", r.load_ms);
  std::printf("first run    %.3f ms\n", r.first_run_ms);
  std::printf("cpu time     %.3f ms a run\n", r.cpu_ms);
  std::printf("throughput   %.2f GFLOP/s\n", r.gflops);
  std::printf("arena        %zu bytes (lower bound %zu)\n", r.arena_bytes, r.arena_lower_bound);
  std::printf("weights      %zu bytes in the file, %zu packed, %zu packed ones used in place\n",
              r.weight_bytes, r.packed_bytes, r.packed_in_place_bytes);
  std::printf("file         %zu bytes\n", r.file_bytes);
  std::printf("peak memory  %zu bytes resident\n", r.peak_rss_bytes);
  PrintBoard(r.board);
  if (profile != ProfileMode::kOff) PrintOps(r);
  if (profile == ProfileMode::kCandidates) PrintCandidates(r);
}

std::string ToJson(const BenchResult& r) {
  const Latency& l = r.latency;
  Json ops = Json::array();
  for (const OpRow& row : r.ops) {
    ops.push_back({{"type", row.type},
                   {"node", row.node},
                   {"algorithm", row.algorithm},
                   {"output_shape", row.output_shape},
                   {"ms", row.ms},
                   {"share", row.share},
                   {"multiply_adds", row.multiply_adds},
                   {"gflops", row.gflops()}});
    if (row.candidates.empty()) continue;
    ops.back()["candidates"] = CandidatesJson(row);
    ops.back()["over_best"] = row.over_best();
  }
  const Json latency = {{"min", l.min}, {"median", l.median}, {"mean", l.mean},    {"p90", l.p90},
                        {"p99", l.p99}, {"max", l.max},       {"stddev", l.stddev}};
  Json document = {{"model", r.model},
                   {"threads", r.threads},
                   {"runs", r.runs},
                   {"load_ms", r.load_ms},
                   {"first_run_ms", r.first_run_ms},
                   {"latency_ms", latency},
                   {"cpu_ms", r.cpu_ms},
                   {"gflops", r.gflops},
                   {"arena_bytes", r.arena_bytes},
                   {"arena_lower_bound", r.arena_lower_bound},
                   {"weight_bytes", r.weight_bytes},
                   {"packed_bytes", r.packed_bytes},
                   {"packed_in_place_bytes", r.packed_in_place_bytes},
                   {"file_bytes", r.file_bytes},
                   {"peak_rss_bytes", r.peak_rss_bytes},
                   {"isa", r.isa},
                   {"steps_ms", r.steps_ms},
                   {"profile_error", r.profile_error()},
                   {"ops", ops}};
  if (!r.board.is_empty()) document["board"] = io::BoardJson(r.board);
  if (Json cores = CoresJson(); !cores.empty()) document["cores"] = std::move(cores);
  return Text(document, 2);
}

void PrintResult(const io::SelfTestResult& result) {
  std::printf("self-test passed: %zu %s, ", result.runs, result.runs == 1 ? "run" : "runs");
  if (result.is_identical) {
    std::printf("all outputs are as recorded\n");
  } else {
    std::printf("outputs have an SNR of at least %.1f dB\n", result.worst_snr_db);
  }
}

std::string ToJson(const std::string& model, const io::SelfTestResult& result) {
  Json test = {{"runs", result.runs}, {"identical", result.is_identical}};
  if (!result.is_identical) test["worst_snr_db"] = result.worst_snr_db;
  return Json({{"model", model}, {"self_test", test}}).dump(2);
}

Status WriteJson(const BenchResult& result, const std::string& path) {
  return io::WriteFileAtomically(path, ToJson(result) + "\n");
}

Status WriteTrace(const BenchResult& result, const std::string& path) {
  Json events = Json::array();
  for (const OpRow& row : result.ops) {
    const std::string label = row.node.empty() ? row.type : row.node;
    events.push_back(
        {{"name", label},
         {"cat", row.type},
         {"ph", "X"},
         {"ts", row.start_ms * 1e3},
         {"dur", row.ms * 1e3},
         {"pid", 1},
         {"tid", 1},
         {"args", {{"algorithm", row.algorithm}, {"output", row.output_shape}, {"gflops", row.gflops()}}}});
  }
  const Json document = {{"displayTimeUnit", "ms"}, {"traceEvents", events}};
  return io::WriteFileAtomically(path, Text(document, 1) + "\n");
}

}  // namespace micrort
