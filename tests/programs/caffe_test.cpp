// Caffe networks on the command line: two files, exit codes and messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

class CaffeProgram : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  ProcessResult Convert(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-o", folder_ / "net.fb"});
    return RunProgram("mnnconvert", arguments);
  }

  TemporaryFolder folder_;
};

const std::string kNet =
    "name: 'net' input: 'x' input_shape { dim: 1 dim: 2 }\n"
    "layer { name: 'ip' type: 'InnerProduct' bottom: 'x' top: 'y' inner_product_param { num_output: 1 "
    "bias_term: false "
    "} }\n";
// A NetParameter: layer (100) { name (1): ip, blobs (7) { shape (7) { dim (1): 1 2 }, data (5): 1 2 } }
const std::string kWeights(
    "\xa2\x06\x16\x0a\x02ip\x3a\x10\x3a\x04\x0a\x02\x01\x02\x2a\x08\0\0\x80\x3f\0\0\0\x40", 25);

TEST_F(CaffeProgram, TakesTheNetworkAndItsWeights) {
  const ProcessResult done =
      Convert({Write("net.prototxt", kNet), "--weights", Write("net.caffemodel", kWeights), "--quiet"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
}

TEST_F(CaffeProgram, AsksForWeights) {
  const ProcessResult done = Convert({Write("net.prototxt", kNet)});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.err, HasSubstr("--weights"));
  EXPECT_THAT(done.err, HasSubstr("'ip'"));
}

TEST_F(CaffeProgram, BrokenFilesExitWith2) {
  const std::string net = Write("net.prototxt", kNet);
  const std::string short_weights = Write("net.caffemodel", kWeights.substr(0, 20));
  ProcessResult done = Convert({net, "--weights", short_weights});
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_THAT(done.err, HasSubstr("net.caffemodel"));
  done = Convert({Write("broken.prototxt", kNet + "layer { name: "), "--weights", short_weights});
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_THAT(done.err, HasSubstr("line 3"));
}

TEST_F(CaffeProgram, ListsLayersThatAreNotSupported) {
  const ProcessResult done =
      Convert({Write("net.prototxt", kNet + "layer { name: 'p' type: 'Python' bottom: 'x' top: "
                                            "'z' } layer { name: 'q' type: 'Python' bottom: "
                                            "'x' top: 'w' }")});
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_THAT(done.err, HasSubstr("Python, 2 nodes"));
  EXPECT_THAT(done.err, HasSubstr("'p' 'q'"));
}

}  // namespace
}  // namespace micrort::test
