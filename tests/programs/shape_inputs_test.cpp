// All programs with a model whose input decides a shape.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/base/dtype.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tools/io/npy.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

class ShapeInputs : public ::testing::Test {
 protected:
  void SetUp() override {
    // y = Reshape(Relu(x), target)
    onnx::ModelProto model = ReluModel();
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.mutable_node(0)->set_output(0, "positive");
    AddNode(&model, "Reshape", "reshape", "positive", "y");
    graph.mutable_node(1)->add_input("target");
    onnx::ValueInfoProto* target = graph.add_input();
    target->set_name("target");
    target->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
    target->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(2);
    WriteFile(source_, model.SerializeAsString());
    const int64_t value[] = {2, -1};
    const std::vector<uint8_t> npy = io::FormatNpy(DType::kInt64, {2}, value);
    WriteFile(value_, {npy.begin(), npy.end()});
  }

  ProcessResult Convert(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {source_, "-o", model_});
    return RunProgram("mnnconvert", flags);
  }

  const TemporaryFolder folder_;
  const std::string source_ = folder_ / "reshape.onnx", model_ = folder_ / "reshape.fb",
                    value_ = folder_ / "target.npy";
};

TEST_F(ShapeInputs, AreGivenToEveryProgram) {
  const ProcessResult converted = Convert({});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_THAT(converted.out + converted.err, HasSubstr("depends on the inputs' sizes and values"));

  const ProcessResult run = RunProgram("micrort-run", {model_, "--input", "target=" + value_, "--json", "-"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["outputs"][0]["shape"], nlohmann::json({2, 2}));

  const ProcessResult bench =
      RunProgram("micrort-bench", {model_, "--input", "target=" + value_, "--runs", "1", "--json", "-"});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;

  const ProcessResult info = RunProgram("micrort-info", {model_});
  EXPECT_THAT(info.out, HasSubstr("'target' int64 2 decides shapes"));
}

TEST_F(ShapeInputs, MustBeGiven) {
  ASSERT_EQ(Convert({}).exit_code, 0);
  for (const char* program : {"micrort-run", "micrort-bench"}) {
    const ProcessResult r = RunProgram(program, {model_});
    EXPECT_EQ(r.exit_code, 1);
    EXPECT_THAT(r.err, HasSubstr("input 'target' decides shapes: give its value with --input"));
  }
}

TEST_F(ShapeInputs, AreVerifiedWithSamples) {
  const ProcessResult random = Convert({"--verify"});
  EXPECT_EQ(random.exit_code, 1);
  EXPECT_THAT(random.err, HasSubstr("random values will not do"));
  const std::vector<float> x = {-1, 2, 3, 4};
  const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, {1, 4}, x.data());
  WriteFile(folder_ / "x.npy", {npy.begin(), npy.end()});
  const ProcessResult given =
      Convert({"--verify", "--calib", "x=" + (folder_ / "x.npy"), "--calib", "target=" + value_});
  EXPECT_EQ(given.exit_code, 0) << given.err;
  EXPECT_THAT(given.out + given.err, HasSubstr("1.000000"));
}

}  // namespace
}  // namespace micrort::test
