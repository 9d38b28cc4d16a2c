// Libraries of operators that err: programs end with a message, not by a signal.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

constexpr ProcessLimits kSoon = {0, 5};

// Sets how the library errs.
class Broken {
 public:
  explicit Broken(const std::string& way) { ::setenv(kVariable, way.c_str(), 1); }
  ~Broken() { ::unsetenv(kVariable); }
  Broken(const Broken&) = delete;
  Broken& operator=(const Broken&) = delete;

 private:
  static constexpr char kVariable[] = "MICRORT_TEST_BROKEN_OP";
};

struct Way {
  std::string name, message;
};

const std::vector<Way> kWays = {{"no list", "expected a list of 1 operators, found null"},
                                {"null in list", "a custom operator: expected"},
                                {"throws in list", "thrown in list"},
                                {"throws in prepare", "thrown in prepare"},
                                {"throws in run", "thrown in run"},
                                {"throws a number", "an exception of a type that is not known"},
                                {"endless loop", "a loop of 1099511627776 parts"}};

class BrokenOperators : public ::testing::Test {
 protected:
  void SetUp() override {
    onnx::ModelProto model = ReluModel();
    onnx::OperatorSetIdProto* opset = model.add_opset_import();
    opset->set_domain("com.acme");
    opset->set_version(1);
    model.mutable_graph()->mutable_node(0)->set_op_type("Broken");
    model.mutable_graph()->mutable_node(0)->set_domain("com.acme");
    WriteFile(source_, model.SerializeAsString());
    const ProcessResult r = RunProgram("mnnconvert", Conversion());
    ASSERT_EQ(r.exit_code, 0) << r.err;
  }

  std::vector<std::string> Conversion() const {
    return {source_,           "-o",      file_, "--custom-domain", "com.acme", "--custom-ops",
            MICRORT_BROKEN_OP, "--verify"};
  }

  void ExpectRefused(const std::string& program, const std::vector<std::string>& arguments) const {
    for (const Way& way : kWays) {
      const Broken broken(way.name);
      const ProcessResult r = RunProgram(program, arguments, kSoon);
      EXPECT_EQ(r.exit_code, 1) << way.name << ": " << r.err;
      EXPECT_THAT(r.err, HasSubstr(way.message)) << way.name;
    }
  }

  TemporaryFolder folder_;
  const std::string source_ = folder_ / "x.onnx", file_ = folder_ / "x.fb";
};

TEST_F(BrokenOperators, EndAConversionWithAMessage) { ExpectRefused("mnnconvert", Conversion()); }

TEST_F(BrokenOperators, EndARunWithAMessage) {
  ExpectRefused("micrort-run", {file_, "--custom-ops", MICRORT_BROKEN_OP});
}

TEST_F(BrokenOperators, EndAMeasurementWithAMessage) {
  ExpectRefused("micrort-bench", {file_, "--custom-ops", MICRORT_BROKEN_OP, "--runs", "1", "--warmup", "0"});
}

}  // namespace
}  // namespace micrort::test
