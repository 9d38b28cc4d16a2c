// micrort-seal as a user runs it.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "tests/programs/process.h"

namespace micrort::test {
namespace {

std::string BytesIn(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class MicrortSeal : public ::testing::Test {
 protected:
  void SetUp() override {
    if (RunProgram("micrort-seal", {"--version"}).exit_code != 0) GTEST_SKIP() << "built without libsodium";
    model_ = folder_ / "model.fb";
    ASSERT_EQ(RunProgram("mnnconvert",
                         {SourceFile("examples/meter_reader/meter_digits.onnx"), "-o", model_, "--quiet"})
                  .exit_code,
              0);
    ASSERT_EQ(RunProgram("micrort-seal", {"keys", folder_ / "app"}).exit_code, 0);
  }
  ProcessResult Seal(const std::string& output, const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {"seal", model_, "-o", folder_ / output};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return RunProgram("micrort-seal", arguments);
  }

  TemporaryFolder folder_;
  std::string model_;
};

TEST_F(MicrortSeal, WhatIsSealedOpensToTheSameBytes) {
  ASSERT_EQ(Seal("sealed", {"--sign", folder_ / "app.sign", "--encrypt", folder_ / "app.secret"}).exit_code,
            0);
  const auto opened =
      RunProgram("micrort-seal", {"open", folder_ / "sealed", "-o", folder_ / "opened.fb", "--public",
                                  folder_ / "app.public", "--encrypt", folder_ / "app.secret"});
  ASSERT_EQ(opened.exit_code, 0) << opened.err;
  EXPECT_EQ(BytesIn(folder_ / "opened.fb"), BytesIn(model_));
}

TEST_F(MicrortSeal, SecretKeysAreTheOwnersAloneAndNeverReplaced) {
  struct stat sign = {}, secret = {};
  ASSERT_EQ(stat((folder_ / "app.sign").c_str(), &sign), 0);
  ASSERT_EQ(stat((folder_ / "app.secret").c_str(), &secret), 0);
  EXPECT_EQ(sign.st_mode & 077, 0u);
  EXPECT_EQ(secret.st_mode & 077, 0u);
  const std::string before = BytesIn(folder_ / "app.sign");
  EXPECT_EQ(RunProgram("micrort-seal", {"keys", folder_ / "app"}).exit_code, 1);
  EXPECT_EQ(BytesIn(folder_ / "app.sign"), before);
}

TEST_F(MicrortSeal, KeysAreWrittenAllOrNone) {
  std::ofstream(folder_ / "half.public") << "of another pair";
  const auto keys = RunProgram("micrort-seal", {"keys", folder_ / "half"});
  EXPECT_EQ(keys.exit_code, 1);
  EXPECT_NE(keys.err.find("half.public: it exists"), std::string::npos) << keys.err;
  for (const char* name : {"half.sign", "half.secret"}) EXPECT_EQ(BytesIn(folder_ / name), "") << name;
  EXPECT_EQ(BytesIn(folder_ / "half.public"), "of another pair");
}

TEST_F(MicrortSeal, RuntimeSaysWhatASealedFileIs) {
  ASSERT_EQ(Seal("sealed", {"--sign", folder_ / "app.sign"}).exit_code, 0);
  const auto run = RunProgram("micrort-run", {folder_ / "sealed"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("sealed"), std::string::npos) << run.err;
}

TEST_F(MicrortSeal, WrongUseIsRefusedAndWritesNothing) {
  EXPECT_EQ(Seal("sealed", {}).exit_code, 1);
  EXPECT_EQ(Seal("sealed", {"--sign", folder_ / "app.public.none"}).exit_code, 1);
  EXPECT_EQ(Seal("sealed", {"--sign", model_}).exit_code, 1);
  EXPECT_EQ(Seal("sealed", {"--public", folder_ / "app.public"}).exit_code, 1);
  EXPECT_EQ(Seal("model.fb", {"--sign", folder_ / "app.sign"}).exit_code, 1);
  EXPECT_EQ(BytesIn(folder_ / "sealed"), "");
  // Sealed twice would open to what no runtime reads.
  ASSERT_EQ(Seal("sealed", {"--sign", folder_ / "app.sign"}).exit_code, 0);
  EXPECT_EQ(RunProgram("micrort-seal",
                       {"seal", folder_ / "sealed", "-o", folder_ / "twice", "--sign", folder_ / "app.sign"})
                .exit_code,
            2);
}

}  // namespace
}  // namespace micrort::test
