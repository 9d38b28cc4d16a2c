// Programs where the system refuses memory at any point: an error that says so, also where there is none left
// for a message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::StartsWith;

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Thousands of small blocks: the one that is refused is as small as what a message takes.
void WriteManyNodes(const std::string& path) {
  onnx::ModelProto model = ReluModel();
  std::string last = "y";
  for (int i = 0; i < 2000; ++i) {
    const std::string next = "y" + std::to_string(i);
    AddNode(&model, "Exp", next, last, next);
    last = next;
  }
  model.mutable_graph()->mutable_output(0)->set_name(last);
  WriteFile(path, model.SerializeAsString());
}

class LittleMemory : public ::testing::Test {
 protected:
  LittleMemory() { WriteManyNodes(source_); }

  ProcessResult Convert(uint64_t address_space) const {
    ProcessLimits limits;
    limits.address_space = address_space;
    return RunProgram("mnnconvert", {source_, "-o", folder_ / "model.fb", "--quiet"}, limits);
  }

  const TemporaryFolder folder_;
  const std::string source_ = folder_ / "model.onnx";
};

TEST_F(LittleMemory, EndsWithAMessageWhereverItIsRefused) {
  if (Convert(1024 * kMiB).exit_code != 0) GTEST_SKIP() << "skipped: sanitizers take terabytes of addresses";
  int refused = 0;
  for (uint64_t bytes = 16 * kMiB; bytes < 128 * kMiB; bytes += kMiB / 2) {
    const ProcessResult r = Convert(bytes);
    if (r.exit_code == 0) break;
    if (r.exit_code != 1) continue;  // it has not started, as its libraries found no room
    ++refused;
    EXPECT_THAT(r.err, StartsWith("mnnconvert: error: ")) << bytes;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace micrort::test
