// Model files, through all that micrort-bench does with them: measured, tuned, and measured as tuned.

#include "kernels/base/cpu_features.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/load_and_run.h"
#include "tests/fuzz/scratch.h"
#include "tools/bench/report.h"
#include "tools/bench/tune.h"

namespace micrort::fuzz {
namespace {

Status WriteAll(const BenchResult& result, ProfileMode profile, const MemoryFolder& folder) {
  PrintResult(result, profile);
  MICRORT_RETURN_IF_ERROR(WriteJson(result, folder / "result.json"));
  MICRORT_RETURN_IF_ERROR(WriteTrace(result, folder / "trace.json"));
  return WriteTuned(result, folder / "tuned");
}

Status Run(const std::string& bytes) {
  const MemoryFile file(bytes);
  const MemoryFolder folder;
  const Silence silence;
  BenchFlags flags;
  flags.model = file.path();
  flags.runs = 1;
  flags.warmup = 0;
  flags.profile = ProfileMode::kCandidates;
  flags.features = DetectCpuFeatures();
  flags.limits = TightLimits();

  // Most files carry none.
  io::SelfTestResult test;
  const Status self_test = CheckSelfTest(flags, &test);
  if (self_test.ok()) PrintResult(test);

  BenchResult result, as_tuned;
  MICRORT_RETURN_IF_ERROR(Measure(flags, &result));
  MICRORT_RETURN_IF_ERROR(WriteAll(result, flags.profile, folder));
  flags.tuned = folder / "tuned";
  flags.profile = ProfileMode::kOff;
  return Measure(flags, &as_tuned);
}

std::string Mutate(const std::string& bytes, Random& random) { return kModel.mutate(bytes, random); }

std::string Cross(const std::string& bytes, const std::string& other, Random& random) {
  return kModel.cross(bytes, other, random);
}

}  // namespace

const Harness kBench = {"bench", Run, Mutate, Cross};

}  // namespace micrort::fuzz
