#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "schema/micrort_generated.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using nlohmann::json;

class MicrortBench : public ::testing::Test {
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
  for (const char* key :
       {"model", "threads", "runs", "load_ms", "first_run_ms", "latency_ms", "cpu_ms", "gflops",
        "arena_bytes", "arena_lower_bound", "weight_bytes", "packed_bytes", "packed_in_place_bytes",
        "file_bytes", "peak_rss_bytes", "isa", "steps_ms", "profile_error", "ops"}) {
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

TEST_F(MicrortBench, BindsItsThreads) {
  EXPECT_EQ(Run({"--threads", "2", "--no-spin"}).exit_code, 0);
  EXPECT_EQ(Run({"--threads", "2", "--cpus", "0-63"}).exit_code, 0);
  const ProcessResult wrong = Run({"--cpus", "fast"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, ::testing::HasSubstr("--cpus: expected CPUs up to 63 such as 0-3,6, big or little"));
}

TEST_F(MicrortBench, ProfileNamesTheAlgorithmOfEveryConvolution) {
  const ProcessResult r = Run({"--profile"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, ::testing::HasSubstr("Conv2D"));
  EXPECT_THAT(r.out, ::testing::HasSubstr("gemm"));
}

TEST_F(MicrortBench, WritesATraceWithAnEventAnOperator) {
  ASSERT_EQ(Run({"--trace", folder_ / "trace.json", "--json", folder_ / "result.json"}).exit_code, 0);
  std::ifstream trace_file(folder_ / "trace.json"), result_file(folder_ / "result.json");
  EXPECT_EQ(json::parse(trace_file)["traceEvents"].size(), json::parse(result_file)["ops"].size());
}

TEST_F(MicrortBench, ProfilesEveryAlgorithmOfALayer) {
  const ProcessResult r = Run({"--profile=candidates", "--json", folder_ / "result.json"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, testing::HasSubstr("winograd_2x2_f32/"));
  EXPECT_THAT(r.out, testing::HasSubstr("over best"));
  std::ifstream file(folder_ / "result.json");
  size_t choices = 0;
  const json result = json::parse(file);
  for (const json& op : result["ops"]) {
    if (!op.contains("candidates")) continue;
    ++choices;
    EXPECT_GE(op["candidates"].size(), 2u);
    EXPECT_GE(op["over_best"], 0.0);
    size_t taken = 0;
    for (const json& candidate : op["candidates"]) {
      EXPECT_GT(candidate["ms"], 0.0);
      EXPECT_GE(candidate["estimate"], 1.0);
      EXPECT_TRUE(candidate.contains("scratch_bytes") && candidate.contains("packed_bytes"));
      if (!candidate["taken"]) continue;
      ++taken;
      EXPECT_EQ(candidate["algorithm"], op["algorithm"]);
    }
    EXPECT_EQ(taken, 1u);
  }
  EXPECT_GT(choices, 0u);
}

TEST_F(MicrortBench, PlainProfilesMeasureWhatIsTakenOnly) {
  const ProcessResult r = Run({"--profile", "--json", "-"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const json result = json::parse(r.out);
  for (const json& op : result["ops"]) EXPECT_FALSE(op.contains("candidates"));
}

// The algorithm of every operator, by name.
std::map<std::string, std::string> Algorithms(const json& result) {
  std::map<std::string, std::string> algorithms;
  for (const json& op : result["ops"]) algorithms[op["node"]] = op["algorithm"];
  return algorithms;
}

TEST_F(MicrortBench, FollowsTheChoicesOfATunedFile) {
  const std::string tuned = folder_ / "tuned";
  const ProcessResult measured = Run({"--tune", tuned, "--json", "-"});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  EXPECT_THAT(measured.err, testing::HasSubstr("kinds of layers"));
  const json result = json::parse(measured.out);
  // Of the first entry, the algorithm estimated to be the slowest instead.
  std::ifstream file(tuned);
  std::string line, node, slowest;
  std::getline(file, line);
  std::getline(file, line);
  std::getline(file, line);
  for (const json& op : result["ops"]) {
    if (!op.contains("candidates") || line.find(op["node"].get<std::string>()) == std::string::npos) continue;
    node = op["node"];
    slowest = op["candidates"].back()["algorithm"];
  }
  ASSERT_NE(node, "");
  ASSERT_NE(slowest, Algorithms(result)[node]);
  std::ofstream(tuned) << "micrort-tuned 1\ncpu " << result["isa"].get<std::string>()
                       << " threads 1 layers 1\n" + line.substr(0, 17) + slowest + "\nend\n";
  const ProcessResult followed = Run({"--tuned", tuned, "--json", "-"});
  ASSERT_EQ(followed.exit_code, 0) << followed.err;
  EXPECT_EQ(Algorithms(json::parse(followed.out))[node], slowest);
}

TEST_F(MicrortBench, RefusesTunedFilesThatDoNotFit) {
  const std::string tuned = folder_ / "tuned";
  ASSERT_EQ(Run({"--tune", tuned}).exit_code, 0);
  ProcessResult r = Run({"--tuned", tuned, "--threads", "2"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, testing::HasSubstr("with 1 threads, wanted for"));
  r = RunProgram("micrort-run", {model_, "--tuned", tuned, "--threads", "2"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_EQ(RunProgram("micrort-run", {model_, "--tuned", tuned}).exit_code, 0);
  std::ofstream(tuned) << "micrort-tuned 1\n";
  r = Run({"--tuned", tuned});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, testing::HasSubstr("the file ends within line 2"));
  EXPECT_EQ(Run({"--tuned", folder_ / "none"}).exit_code, 1);
}

TEST_F(MicrortBench, RefusesBadFlags) {
  EXPECT_EQ(Run({"--threads", "1000"}).exit_code, 1);
  EXPECT_EQ(Run({"--tune", "/no/such/folder/x"}).exit_code, 1);
  EXPECT_EQ(Run({"--tune", folder_ / "x", "--tuned", folder_ / "x"}).exit_code, 1);
  EXPECT_EQ(Run({"--profile=everything"}).exit_code, 1);
  EXPECT_EQ(Run({"--json", "/no/such/folder/x.json"}).exit_code, 1);
}

class EmbeddedTest : public ::testing::Test {
 protected:
  void Convert(std::vector<std::string> flags) {
    flags.insert(flags.begin(),
                 {SourceFile("examples/meter_reader/meter_digits.onnx"), "-o", model_, "--quiet"});
    const ProcessResult r = RunProgram("mnnconvert", flags);
    ASSERT_EQ(r.exit_code, 0) << r.err;
  }
  ProcessResult SelfTest(std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {model_, "--self-test"});
    return RunProgram("micrort-bench", flags);
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_ / "digits.fb";
};

TEST_F(EmbeddedTest, PassesWhereTheModelWasConverted) {
  Convert({"--embed-test"});
  const ProcessResult r = SelfTest();
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.out, "self-test passed: 1 run, all outputs are as recorded\n");
}

TEST_F(EmbeddedTest, PassesOnOtherInstructionSetsAndForAnotherTarget) {
  Convert({"--embed-test", "--target", "scalar"});
  const ProcessResult r = SelfTest({"--isa", "scalar", "--json", "-"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(json::parse(r.out)["self_test"]["runs"], 1);
}

TEST_F(EmbeddedTest, TakesTheFirstSamplesOfCalibration) {
  Convert({"--embed-test", "--quant", "int8", "--calib", SourceFile("examples/meter_reader/calibration")});
  const ProcessResult r = SelfTest();
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, ::testing::StartsWith("self-test passed: 3 runs"));
}

TEST_F(EmbeddedTest, FailsWhereAWeightIsAnother) {
  Convert({"--embed-test"});
  std::ifstream file(model_, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  schema::ModelT model;
  schema::GetModel(bytes.data())->UnPackTo(&model);
  for (const auto& tensor : model.subgraphs[0]->tensors) {
    auto& data = model.buffers[tensor->buffer]->data;
    if (tensor->dtype == schema::DType::Float32 && data.size() > 1000) std::fill(data.begin(), data.end(), 0);
  }
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, &model));
  std::ofstream(model_, std::ios::binary)
      .write(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
  const ProcessResult r = SelfTest();
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_THAT(r.err, ::testing::HasSubstr("expected an SNR of at least 60 dB, found"));
}

TEST_F(EmbeddedTest, IsAskedForWhereThereIsNone) {
  Convert({});
  const ProcessResult r = SelfTest();
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, ::testing::HasSubstr("the file carries no test; mnnconvert --embed-test stores one"));
}

}  // namespace
}  // namespace micrort::test
