#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using testing::HasSubstr;

class MicrortInfo : public testing::Test {
 protected:
  void SetUp() override {
    const std::string source = SourceFile("examples/meter_reader/meter_digits.onnx");
    const ProcessResult r = RunProgram("mnnconvert", {source, "-o", model_, "--quiet"});
    ASSERT_EQ(r.exit_code, 0) << r.err;
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_ / "digits.fb";
};

TEST_F(MicrortInfo, ListsOperatorsAndTensors) {
  const ProcessResult r = RunProgram("micrort-info", {model_});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("mnnconvert"));
  EXPECT_THAT(r.out, HasSubstr("Conv2D"));
  EXPECT_THAT(r.out, HasSubstr("'input' float32 1x1x32x24"));
}

TEST_F(MicrortInfo, PrintsThePlanWithinItsArena) {
  const ProcessResult r = RunProgram("micrort-info", {model_, "--json", "--plan"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const auto plan = nlohmann::json::parse(r.out)["plan"];
  EXPECT_GE(plan["arena_bytes"], plan["lower_bound"]);
  EXPECT_GE(plan["ratio"], 1.0);
  ASSERT_FALSE(plan["tensors"].empty());
  for (const auto& tensor : plan["tensors"]) {
    const size_t end = tensor["offset"].get<size_t>() + tensor["bytes"].get<size_t>();
    EXPECT_LE(end, plan["arena_bytes"].get<size_t>()) << tensor;
  }
}

TEST_F(MicrortInfo, TextShowsTheRatio) {
  const ProcessResult r = RunProgram("micrort-info", {model_, "--plan"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("lower bound"));
  EXPECT_THAT(r.out, HasSubstr("ratio"));
}

}  // namespace
}  // namespace micrort::test
