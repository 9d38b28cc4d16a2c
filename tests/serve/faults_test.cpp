// What broken and rude clients do to the others: nothing.

#include <gtest/gtest.h>

#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

TEST(ServeFaults, BrokenRequestsLoseNoneOfTheOthers) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const ProcessResult client = RunCommand({"/usr/bin/python3", SourceFile("tests/serve/faults.py"),
                                           std::to_string(server.http_port()), "relu", "2000"});
  EXPECT_EQ(client.exit_code, 0) << client.err;
  EXPECT_EQ(client.out, "ok\n");
  EXPECT_EQ(server.Stop(), 0) << server.log();
}

}  // namespace
}  // namespace micrort::test
