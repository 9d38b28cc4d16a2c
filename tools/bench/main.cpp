// micrort-bench: how long a model takes on this machine, and what it needs.

#include <cstdio>

#include "tools/bench/measure.h"
#include "tools/bench/report.h"
#include "tools/bench/tune.h"
#include "tools/io/program.h"

namespace micrort {
namespace {

constexpr char kExample[] = "micrort-bench mobilenet.fb --threads 2 --runs 50 --profile";

void Declare(CLI::App& app, BenchFlags* flags) {
  app.add_option("model", flags->model, "Model file (.fb)")->required()->type_name("OUT.fb");
  app.add_option("--input", flags->inputs,
                 "NAME=FILE, repeatable: .npy, .npz, .pb or a picture, which also gives the input its shape. "
                 "Inputs not named get seeded random values, and 1 for dynamic dimensions")
      ->type_name("NAME=FILE")
      ->expected(1)
      ->take_all();
  app.add_option("--threads", flags->threads, "Threads, the calling one included (default 1)")
      ->check(CLI::Range(1, 64));
  app.add_option("--runs", flags->runs, "Runs that are timed (default 20)")->check(CLI::Range(1, 1000000));
  app.add_option("--warmup", flags->warmup, "Runs before them, besides the first (default 3)")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--min-time", flags->min_seconds,
                 "Go on until the timed runs have taken this long (default 0)")
      ->check(CLI::Range(0.0, 86400.0))
      ->type_name("SECONDS");
  const auto set_profile = [flags](const std::string& value) {
    flags->profile = value == "candidates" ? ProfileMode::kCandidates : ProfileMode::kOperators;
  };
  app.add_flag("--profile{operators}",
               "Print a row an operator: algorithm, time, share, GFLOP/s; with "
               "--profile=candidates also the time of every algorithm that could compute it")
      ->check(CLI::IsMember({"operators", "candidates"}))
      ->each(set_profile);
  auto* tune = app.add_option("--tune", flags->tune,
                              "Measure all algorithms of every layer and write the fastest ones to a file")
                   ->type_name("FILE");
  app.add_option("--tuned", flags->tuned, "Take the algorithms that --tune found on this device")
      ->type_name("FILE")
      ->excludes(tune);
  app.add_option("--trace", flags->trace, "Write one run in the Chrome/Perfetto trace format")
      ->type_name("FILE");
  app.add_option("--json", flags->json, "Write the result as JSON; - prints only that on stdout")
      ->type_name("FILE");
}

Status Execute(const BenchFlags& flags) {
  BenchResult result;
  MICRORT_RETURN_IF_ERROR(Measure(flags, &result));
  if (!flags.trace.empty()) MICRORT_RETURN_IF_ERROR(WriteTrace(result, flags.trace));
  if (!flags.tune.empty()) MICRORT_RETURN_IF_ERROR(WriteTuned(result, flags.tune));
  if (flags.json == "-") {
    std::printf("%s\n", ToJson(result).c_str());
    return Status();
  }
  PrintResult(result, flags.profile);
  return flags.json.empty() ? Status() : WriteJson(result, flags.json);
}

int Main(int argc, char** argv) {
  CLI::App app("Measures a MicroRT model: load time, first run, latency, throughput, memory.",
               "micrort-bench");
  BenchFlags flags;
  Declare(app, &flags);
  io::PreprocessFlags preprocess(app);
  io::IsaFlag isa(app);
  int exit_code = 0;
  if (!io::ParseCommandLine(app, argc, argv, kExample, &exit_code)) return exit_code;
  flags.preprocess = preprocess.value();
  Status status = isa.Features(&flags.features);
  if (status.ok()) status = Execute(flags);
  return status.ok() ? 0 : io::Fail("micrort-bench", status);
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) { return micrort::Main(argc, argv); }
