// micrort-bench: how long a model takes on this machine, and what it needs.

#include <cstdio>

#include "micrort/cpus.h"
#include "tools/bench/measure.h"
#include "tools/bench/report.h"
#include "tools/bench/tune.h"
#include "tools/io/cpu_list.h"
#include "tools/io/file.h"
#include "tools/io/program.h"
#include "tools/io/session.h"
#include "tools/io/standard_streams.h"

namespace micrort {
namespace {

constexpr char kExample[] = "micrort-bench mobilenet.fb --threads 2 --runs 50 --profile";

// Flags whose values need more than a conversion of their text.
struct RawFlags {
  std::string profile, cpus;
  bool no_spin = false;
};

void Declare(io::ArgumentParser& parser, BenchFlags* flags, RawFlags* raw) {
  parser.Add("model", &flags->model, "Model file (.fb)").Required().TypeName("OUT.fb");
  parser
      .Add("--input", &flags->inputs,
           "File for an input: .npy, .npz, .pb or a picture; it also gives the input its shape. Other inputs "
           "get seeded random values, which stay within tables that they index, and 1 for dynamic "
           "dimensions. Repeatable")
      .TypeName("NAME=FILE")
      .Repeatable();
  parser.Add("--threads", &flags->threads, "Threads, the calling one included (default 1)").InRange(1, 64);
  parser
      .Add("--cpus", &raw->cpus,
           "CPUs that all threads run on: 0-3,6, big or little (default: as the system decides)")
      .TypeName("LIST");
  parser.AddFlag("--no-spin", &raw->no_spin, "Waiting threads sleep at once: less CPU time, longer runs");
  parser.Add("--runs", &flags->runs, "Number of timed runs (default 20)").InRange(1, 1000000);
  parser
      .Add("--warmup", &flags->warmup,
           "Number of untimed runs between the first and the timed ones (default 3)")
      .InRange(0, 1000000);
  parser
      .Add("--min-time", &flags->min_seconds,
           "Continue until the timed runs have taken this long (default 0)")
      .InRange(0.0, 86400.0)
      .TypeName("SECONDS");
  parser
      .AddFlag("--profile{operators}", &raw->profile,
               "Print algorithm, time, share and GFLOP/s of each operator; with --profile=candidates also "
               "the time of every algorithm that could compute it")
      .OneOf({"operators", "candidates"});
  const io::Option tune =
      parser
          .Add("--tune", &flags->tune,
               "Measure all algorithms of every layer and write the fastest ones to a file")
          .TypeName("FILE");
  parser.Add("--tuned", &flags->tuned, "Use the algorithms that --tune found on this device")
      .TypeName("FILE")
      .Excludes(tune);
  io::DeclareCustomOps(parser, &flags->custom_ops);
  parser.AddFlag(
      "--self-test", &flags->self_test,
      "Measure nothing: check that the model computes the same here as where it was converted, with the "
      "inputs and outputs that mnnconvert --embed-test stored; exit code 3 if it does not");
  parser.Add("--trace", &flags->trace, "Write one run in the Chrome/Perfetto trace format").TypeName("FILE");
  parser.Add("--json", &flags->json, "Write the result as JSON; - prints only that on stdout")
      .TypeName("FILE");
}

// That none of the files to write is one that is read, and that flags for pictures meet pictures.
Status CheckFiles(const BenchFlags& flags) {
  std::vector<std::string> sources, outputs;
  for (const std::string& input : flags.inputs) {
    io::InputFile file;
    MICRORT_RETURN_IF_ERROR(io::ParseInputFile(input, &file));
    sources.push_back(file.path);
  }
  const std::string note = io::PreprocessNote(sources, flags.preprocess);
  if (!note.empty()) std::fprintf(stderr, "micrort-bench: %s\n", note.c_str());
  sources.insert(sources.end(), {flags.model, flags.tuned});
  sources.insert(sources.end(), flags.custom_ops.begin(), flags.custom_ops.end());
  for (const std::string* output : {&flags.trace, &flags.tune, &flags.json}) {
    if (!output->empty() && *output != "-") outputs.push_back(*output);
  }
  return io::CheckOutputFiles(outputs, sources);
}

Status ExecuteSelfTest(const BenchFlags& flags) {
  io::SelfTestResult result;
  MICRORT_RETURN_IF_ERROR(CheckSelfTest(flags, &result));
  if (flags.json == "-") {
    std::printf("%s\n", ToJson(flags.model, result).c_str());
    return Status();
  }
  PrintResult(result);
  return flags.json.empty() ? Status()
                            : io::WriteFileAtomically(flags.json, ToJson(flags.model, result) + "\n");
}

Status Execute(const BenchFlags& flags) {
  MICRORT_RETURN_IF_ERROR(CheckFiles(flags));
  if (flags.self_test) return ExecuteSelfTest(flags);
  BenchResult result;
  MICRORT_RETURN_IF_ERROR(Measure(flags, &result));
  if (!flags.trace.empty()) MICRORT_RETURN_IF_ERROR(WriteTrace(result, flags.trace));
  if (!flags.tune.empty()) MICRORT_RETURN_IF_ERROR(WriteTuned(result, flags.tune));
  if (flags.json == "-") {
    std::printf("%s\n", ToJson(result).c_str());
    return Status();
  }
  if (!result.board.is_empty())
    std::fprintf(stderr, "micrort-bench: %s\n", io::ElsewhereText(result.board, result.isa).c_str());
  PrintResult(result, flags.profile);
  return flags.json.empty() ? Status() : WriteJson(result, flags.json);
}

int Main(int argc, char** argv) {
  io::ArgumentParser parser("micrort-bench",
                            "Measures a MicroRT model: load time, first run, latency, throughput, memory.",
                            kExample);
  BenchFlags flags;
  RawFlags raw;
  Declare(parser, &flags, &raw);
  io::PreprocessFlags preprocess(parser);
  return io::RunLimited(
      "micrort-bench", parser, argc, argv, [&](const ModelLimits& limits, CpuFeatures features) {
        flags.spin = !raw.no_spin;
        flags.preprocess = preprocess.value();
        flags.has_preprocess = preprocess.is_given();
        flags.limits = limits;
        flags.features = features;
        if (!raw.profile.empty())
          flags.profile = raw.profile == "candidates" ? ProfileMode::kCandidates : ProfileMode::kOperators;
        MICRORT_RETURN_IF_ERROR(io::ParseCpuList(raw.cpus, &flags.cpus));
        if (flags.cpus != 0) MICRORT_RETURN_IF_ERROR(BindThread(flags.cpus));
        return Execute(flags);
      });
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) { return micrort::io::RunMain("micrort-bench", micrort::Main, argc, argv); }
