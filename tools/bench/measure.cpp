#include "tools/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "micrort/micrort.h"
#include "tools/bench/begin_run.h"
#include "tools/bench/candidates.h"
#include "tools/bench/profiler.h"
#include "tools/custom_ops/custom_ops.h"
#include "tools/io/platform/process.h"
#include "tools/io/session.h"
#include "tools/io/stated_pictures.h"

namespace micrort {
namespace {

constexpr int kLeastProfiledRuns = 5;

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// They stay as long as options that name them.
Result<OpResolver> OpsOf(const BenchFlags& flags) {
  OpResolver resolver = AllOps();
  MICRORT_RETURN_IF_ERROR(io::AddCustomOps(flags.custom_ops, &resolver).WithPrefix("--custom-ops"));
  return resolver;
}

InterpreterOptions OptionsOf(const BenchFlags& flags, const OpResolver& resolver) {
  InterpreterOptions options;
  options.resolver = &resolver;
  options.threads = flags.threads;
  options.cpus = flags.cpus;
  options.spin = flags.spin;
  options.features = flags.features;
  options.limits = flags.limits;
  return options;
}

Status LoadInputs(const BenchFlags& flags, const Model& model, std::vector<io::NamedArray>* inputs) {
  std::vector<io::InputFile> files(flags.inputs.size());
  for (size_t i = 0; i < files.size(); ++i) {
    MICRORT_RETURN_IF_ERROR(io::ParseInputFile(flags.inputs[i], &files[i]));
  }
  io::Preprocess preprocess = flags.preprocess;
  if (!flags.has_preprocess) {
    std::vector<std::string> paths;
    for (const io::InputFile& file : files) paths.push_back(file.path);
    std::string note;
    MICRORT_RETURN_IF_ERROR(io::TakeStatedPreprocess(model, paths, &preprocess, &note));
    if (!note.empty()) std::fprintf(stderr, "micrort-bench: %s\n", note.c_str());
  }
  return io::LoadInputs(io::InputSpecs(model), files, preprocess, flags.limits, inputs);
}

struct TimedRun {
  double wall_ms = 0, cpu_ms = 0;
};

// The inputs are written anew before every run, outside the time: the arena reuses their memory.
Status RunOnce(const std::vector<io::NamedArray>& inputs, Interpreter* interpreter, TimedRun* out) {
  BeginBenchRun(inputs, interpreter);
  const double cpu = io::CpuMilliseconds();
  const Clock::time_point start = Clock::now();
  MICRORT_RETURN_IF_ERROR(interpreter->Run());
  *out = {MillisecondsSince(start), io::CpuMilliseconds() - cpu};
  return Status();
}

Status MeasureLatency(const BenchFlags& flags, const std::vector<io::NamedArray>& inputs,
                      Interpreter* interpreter, BenchResult* result) {
  TimedRun run;
  MICRORT_RETURN_IF_ERROR(RunOnce(inputs, interpreter, &run));
  result->first_run_ms = run.wall_ms;
  for (int i = 0; i < flags.warmup; ++i) MICRORT_RETURN_IF_ERROR(RunOnce(inputs, interpreter, &run));
  std::vector<double> times;
  double total_ms = 0, cpu_ms = 0;
  while (times.size() < static_cast<size_t>(flags.runs) || total_ms < flags.min_seconds * 1e3) {
    MICRORT_RETURN_IF_ERROR(RunOnce(inputs, interpreter, &run));
    times.push_back(run.wall_ms);
    total_ms += run.wall_ms;
    cpu_ms += run.cpu_ms;
  }
  result->runs = times.size();
  result->cpu_ms = cpu_ms / static_cast<double>(times.size());
  result->latency = Summarize(std::move(times));
  return Status();
}

Status ProfileOps(const BenchFlags& flags, const Model& model, InterpreterOptions options,
                  const std::vector<io::NamedArray>& inputs, BenchResult* result) {
  Profiler profiler;
  options.observer = &profiler;
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, io::CreateFor(model, inputs, options));
  // As often as the latency was measured, for a second at most, and as warm.
  const double most = 1e3 / std::max(1e-3, result->latency.median);
  const int runs =
      std::max(kLeastProfiledRuns, static_cast<int>(std::min(most, static_cast<double>(result->runs))));
  for (int i = -flags.warmup; i < runs; ++i) {
    BeginBenchRun(inputs, &interpreter);
    profiler.BeginRun();
    MICRORT_RETURN_IF_ERROR(interpreter.Run());
    if (i < 0) profiler.ForgetRun();
  }
  result->ops = profiler.Rows();
  result->steps_ms = SumOf(result->ops);
  AddTimeBetween(result->latency.median, &result->ops);
  int64_t multiply_adds = 0;
  for (const OpRow& row : result->ops) multiply_adds += row.multiply_adds;
  result->gflops = 2e-6 * static_cast<double>(multiply_adds) / result->latency.median;
  return Status();
}

}  // namespace

double BenchResult::profile_error() const { return latency.median > 0 ? steps_ms / latency.median - 1 : 0; }

const CandidateRow& OpRow::best() const {
  return *std::min_element(candidates.begin(), candidates.end(),
                           [](const CandidateRow& a, const CandidateRow& b) { return a.ms < b.ms; });
}

double OpRow::over_best() const {
  const auto taken = std::find_if(candidates.begin(), candidates.end(),
                                  [this](const CandidateRow& row) { return row.algorithm == algorithm; });
  return taken == candidates.end() || best().ms <= 0 ? 0 : taken->ms / best().ms - 1;
}

Status CheckSelfTest(const BenchFlags& flags, io::SelfTestResult* result) {
  MICRORT_ASSIGN_OR_RETURN(const Model model, io::OpenModel(flags.model));
  MICRORT_ASSIGN_OR_RETURN(const OpResolver resolver, OpsOf(flags));
  io::SelfTest test;
  Status status = io::LoadSelfTest(model, &test);
  if (status.ok()) status = io::RunSelfTest(model, test, OptionsOf(flags, resolver), result);
  return status.WithPrefix("%s", flags.model.c_str());
}

Status Measure(const BenchFlags& flags, BenchResult* result) {
  MICRORT_ASSIGN_OR_RETURN(const OpResolver resolver, OpsOf(flags));
  InterpreterOptions options = OptionsOf(flags, resolver);
  TunedChoices tuned;
  if (!flags.tuned.empty()) {
    MICRORT_ASSIGN_OR_RETURN(tuned, TunedChoices::FromFile(flags.tuned.c_str()));
    options.chooser = &tuned;
  }
  Clock::time_point start = Clock::now();
  MICRORT_ASSIGN_OR_RETURN(Model model, io::OpenModel(flags.model));
  result->load_ms = MillisecondsSince(start);
  std::vector<io::NamedArray> inputs;
  MICRORT_RETURN_IF_ERROR(LoadInputs(flags, model, &inputs));
  start = Clock::now();
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, io::CreateFor(model, inputs, options));
  result->load_ms += MillisecondsSince(start);
  MICRORT_RETURN_IF_ERROR(
      io::BlameRandomIntegers(inputs, MeasureLatency(flags, inputs, &interpreter, result)));
  // Before the profile, whose second interpreter would count.
  result->peak_rss_bytes = io::PeakRssBytes();
  // Candidates are those of single layers.
  options.whole_tensors = flags.measures_candidates();
  MICRORT_RETURN_IF_ERROR(ProfileOps(flags, model, options, inputs, result));
  const size_t packed_bytes = model.packed_bytes();
  if (flags.measures_candidates()) {
    MICRORT_RETURN_IF_ERROR(MeasureCandidates(model, options, inputs, &result->ops));
  }

  result->model = flags.model;
  result->isa = IsaName(interpreter.features());
  result->threads = flags.threads;
  result->arena_bytes = interpreter.arena_bytes();
  result->arena_lower_bound = interpreter.arena_lower_bound();
  result->weight_bytes = model.weight_bytes();
  result->packed_bytes = packed_bytes;
  result->packed_in_place_bytes = interpreter.packed_in_place_bytes();
  result->file_bytes = model.file_bytes();
  return io::DescribeBoard(model, flags.limits, &result->board);
}

}  // namespace micrort
