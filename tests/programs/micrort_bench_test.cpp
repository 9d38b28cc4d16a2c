#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using nlohmann::json;

class MicrortBench : public testing::Test {
 protected:
  void SetUp() override {
    const std::string source = SourceFile("examples/meter_reader/meter_digits.onnx");
    const ProcessResult r = RunProgram("mnnconvert", {source, "-o", model_, "--quiet"});
    ASSERT_EQ(r.exit_code, 0) << r.err;
  }
  ProcessResult Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {model_, "--runs", "3", "--warmup", "1"});
    return RunProgram("micrort-bench", arguments);
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_ / "digits.fb";
};

TEST_F(MicrortBench, PrintsOneJsonObjectWithEveryField) {
  const ProcessResult r = Run({"--json", "-", "--threads", "2"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const json result = json::parse(r.out);
  for (const char* key : {"model", "threads", "runs", "load_ms", "first_run_ms", "latency_ms", "cpu_ms",
                          "gflops", "arena_bytes", "arena_lower_bound", "weight_bytes", "packed_bytes",
                          "file_bytes", "peak_rss_bytes", "isa", "ops"}) {
    EXPECT_TRUE(result.contains(key)) << key;
  }
  for (const char* key : {"min", "median", "mean", "p90", "p99", "max", "stddev"}) {
    EXPECT_TRUE(result["latency_ms"].contains(key)) << key;
  }
  EXPECT_EQ(result["threads"], 2);
  EXPECT_EQ(result["runs"], 3);
  EXPECT_GE(result["arena_bytes"], result["arena_lower_bound"]);
  EXPECT_FALSE(result["ops"].empty());
}

TEST_F(MicrortBench, ProfileNamesTheAlgorithmOfEveryConvolution) {
  const ProcessResult r = Run({"--profile"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, testing::HasSubstr("Conv2D"));
  EXPECT_THAT(r.out, testing::HasSubstr("gemm"));
}

TEST_F(MicrortBench, WritesATraceWithAnEventAnOperator) {
  ASSERT_EQ(Run({"--trace", folder_ / "trace.json", "--json", folder_ / "result.json"}).exit_code, 0);
  std::ifstream trace_file(folder_ / "trace.json"), result_file(folder_ / "result.json");
  EXPECT_EQ(json::parse(trace_file)["traceEvents"].size(), json::parse(result_file)["ops"].size());
}

TEST_F(MicrortBench, RefusesBadFlags) {
  EXPECT_EQ(Run({"--threads", "1000"}).exit_code, 1);
  EXPECT_EQ(Run({"--tune", "x"}).exit_code, 1);
  EXPECT_EQ(Run({"--json", "/no/such/folder/x.json"}).exit_code, 1);
}

}  // namespace
}  // namespace micrort::test
