// Every program that writes files, where the disk is full: an error that names the file, and nothing left of
// it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FullDisk : public ::testing::Test {
 protected:
  // Weights of 64 KiB, and an output of 16 KiB.
  void SetUp() override {
    constexpr int kOutputs = 4096;
    onnx::ModelProto model = ReluModel();
    onnx::TensorProto& weights = *model.mutable_graph()->add_initializer();
    weights.set_name("w");
    weights.set_data_type(onnx::TensorProto::FLOAT);
    weights.add_dims(4);
    weights.add_dims(kOutputs);
    for (int i = 0; i < 4 * kOutputs; ++i) weights.add_float_data(0.5f);
    AddNode(&model, "MatMul", "z", "y", "z");
    model.mutable_graph()->mutable_node()->rbegin()->add_input("w");
    model.mutable_graph()->mutable_output(0)->set_name("z");
    model.mutable_graph()->mutable_output(0)->clear_type();
    WriteFile(source_, model.SerializeAsString());
    ASSERT_EQ(RunProgram("mnnconvert", {source_, "-o", model_, "--quiet"}).exit_code, 0);
  }

  // The last argument is a file, or a folder, in which nothing may be left but whole files.
  void ExpectRefused(const std::string& program, std::vector<std::string> arguments,
                     const std::string& suffix = "") {
    constexpr uint64_t kPlace = 4096;
    const std::string target = folder_ / "out/target" + suffix;
    SCOPED_TRACE(program + " " + target);
    arguments.push_back(target);
    std::filesystem::create_directory(folder_ / "out");
    ProcessLimits limits;
    limits.file_bytes = kPlace;
    const ProcessResult r = RunProgram(program, arguments, limits);
    EXPECT_EQ(r.exit_code, 1) << r.err;
    EXPECT_THAT(r.err, AllOf(HasSubstr(target), HasSubstr("cannot write")));
    for (const auto& left : std::filesystem::recursive_directory_iterator(folder_ / "out"))
      EXPECT_TRUE(left.is_directory() || left.file_size() < kPlace) << left.path() << " is cut short";
    std::filesystem::remove_all(folder_ / "out");
  }

  const TemporaryFolder folder_;
  const std::string source_ = folder_ / "model.onnx", model_ = folder_ / "model.fb";
};

TEST_F(FullDisk, RefusesWhatMnnconvertWrites) {
  ExpectRefused("mnnconvert", {source_, "--quiet", "-o"}, ".fb");
  ExpectRefused("mnnconvert", {source_, "--quiet", "--emit", "array", "-o"}, ".h");
  for (const char* weights : {"incbin", "array"}) {
    ExpectRefused("mnnconvert", {source_, "--quiet", "--emit", "cpp", "--cpp-class", "a::Net", "--weights-as",
                                 weights, "-o"});
  }
}

TEST_F(FullDisk, RefusesWhatTheOthersWrite) {
  ExpectRefused("micrort-run", {model_, "--output-dir"});
  ExpectRefused("micrort-run", {model_, "--dump-layers"});
  ExpectRefused("micrort-info", {model_, "--onnx"}, ".onnx");
}

}  // namespace
}  // namespace micrort::test
