#pragma once
// mnnconvert through its command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test {

// A trained network with images as input, and pictures for it.
inline std::string Network() { return SourceFile("examples/meter_reader/meter_digits.onnx"); }
inline std::string Pictures() { return SourceFile("examples/meter_reader/calibration"); }

class Mnnconvert : public ::testing::Test {
 protected:
  ProcessResult Convert(const std::string& model, std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {model, "-o", output_});
    return RunProgram("mnnconvert", flags);
  }
  // Fails with this code, and neither the output nor a part of it is left.
  void ExpectFailure(const ProcessResult& result, int code, const std::string& message) {
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_THAT(result.err, ::testing::AllOf(::testing::StartsWith("mnnconvert: error: "),
                                             ::testing::HasSubstr(message)));
    EXPECT_THAT(result.out, ::testing::IsEmpty());
    EXPECT_THAT(FilesIn(out_folder_.path()), ::testing::IsEmpty());
  }
  std::string WriteModel(const std::string& name, const onnx::ModelProto& model) {
    WriteFile(in_folder_ / name, model.SerializeAsString());
    return in_folder_ / name;
  }

  TemporaryFolder in_folder_, out_folder_;
  std::string output_ = out_folder_ / "out.fb";
};

}  // namespace micrort::test
