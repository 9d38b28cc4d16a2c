// The page for people, in a browser.

#include <gtest/gtest.h>

#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

TEST(ServePage, ShowsModelsAndAnswersInChromium) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  AddDigitsModel(repository, "picture");
  WriteText(repository / "broken/1/model.fb", "not a model");
  ServerProcess server(repository.path(), {"--model-control-mode", "explicit", "--load-model", "*"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  const ProcessResult browser =
      RunCommand({"/usr/bin/python3", SourceFile("tests/serve/page.py"), server.http(),
                  SourceFile("examples/meter_reader/calibration/digit_00.png"), repository.path()});
  if (browser.exit_code == 77) GTEST_SKIP() << "skipped: " << browser.out;
  EXPECT_EQ(browser.exit_code, 0) << browser.err;
  EXPECT_EQ(browser.out, "ok\n");
}

}  // namespace
}  // namespace micrort::test
