// Python's grpcio as a client, with messages that protoc makes of the protocol's definition.

#include <gtest/gtest.h>

#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

TEST(ServeGrpc, PythonsClientAsksEachCall) {
  if (RunCommand({"/usr/bin/python3", "-c", "import grpc, google.protobuf"}).exit_code != 0)
    GTEST_SKIP() << "skipped: no python3-grpcio";
  const TemporaryFolder repository, stubs;
  AddReluModel(repository, "relu", 1);
  const ProcessResult made =
      RunCommand({"protoc", "--python_out=" + stubs.path(), "--proto_path=" + SourceFile("serve/protocol"),
                  "open_inference.proto"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const ServerProcess server(repository.path(), {"--model-control-mode", "explicit"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  const ProcessResult client =
      RunCommand({"/usr/bin/python3", SourceFile("tests/serve/grpc_client.py"), stubs.path(),
                  "127.0.0.1:" + std::to_string(server.grpc_port()), "relu"});
  EXPECT_EQ(client.exit_code, 0) << client.err;
  EXPECT_EQ(client.out, "ok\n");
}

}  // namespace
}  // namespace micrort::test
