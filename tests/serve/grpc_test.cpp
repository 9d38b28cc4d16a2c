// Python's grpcio as a client, with messages that protoc makes of the protocol's definition; and clients that
// send what no library sends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "serve/service/trace_context.h"
#include "tests/serve/raw_client.h"
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

TEST(TraceContext, OnlyTheW3cFormIsATraceparent) {
  const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  EXPECT_TRUE(serve::IsTraceparent(good));
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char bad : {'\x01', '\n', '\x80', 'g', 'A'}) {
      std::string text = good;
      text[i] = bad;
      EXPECT_FALSE(serve::IsTraceparent(text)) << text;
    }
  }
  EXPECT_FALSE(serve::IsTraceparent(""));
  EXPECT_FALSE(serve::IsTraceparent(good + "0"));
  EXPECT_FALSE(serve::IsTraceparent("00-00000000000000000000000000000000-00f067aa0ba902b7-01"));
  EXPECT_FALSE(serve::IsTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"));
}

TEST(ServeGrpc, MessagesThatAreCompressedAreRefusedBeforeTheyAreInflated) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  for (const char* encoding : {"gzip", "deflate"}) {
    RawClient client(server.grpc_port());
    client.Send(Http2Preface() +
                Http2Frame(1, 4, 1, GrpcHeaders("ModelInfer") + Http2Field("grpc-encoding", encoding)) +
                GrpcMessage(1, "none"));
    EXPECT_THAT(client.ReadUntil("is disabled"), ::testing::HasSubstr("is disabled"));
  }
}

// A message in frames that are small enough; all of it fits the window of a connection.
std::string LongGrpcMessage(const std::string& message) {
  constexpr size_t kFrame = 16000;
  std::string bytes(1, '\0'), frames;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(message.size() >> shift & 0xff);
  bytes += message;
  for (size_t at = 0; at < bytes.size(); at += kFrame)
    frames += Http2Frame(0, at + kFrame >= bytes.size() ? 1 : 0, 1, bytes.substr(at, kFrame));
  return frames;
}

std::string Repeated(const std::string& part, size_t bytes) {
  std::string all;
  while (all.size() + part.size() <= bytes) all += part;
  return all;
}

TEST(ServeGrpc, ObjectsOfTwoBytesAreCountedBeforeTheyAreMade) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path(), {"--max-request-memory", "4194304"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  const struct {
    const char *call, *field, *expected;
  } kCalls[] = {{"ModelInfer", "\x2a", "--max-request-memory"},  // inputs
                {"ModelInfer", "\x32", "--max-request-memory"},  // outputs
                {"ServerLive", "\x0a", "names only"},            // a field that is not known
                {"RepositoryIndex", "\x1a", "names only"},
                {"RepositoryModelLoad", "\x1a", "names only"}};  // parameters
  for (const auto& call : kCalls) {
    RawClient client(server.grpc_port());
    client.Send(Http2Preface() + Http2Frame(1, 4, 1, GrpcHeaders(call.call)) +
                LongGrpcMessage(Repeated(call.field + std::string(1, '\0'), 60000)));
    EXPECT_THAT(client.ReadUntil(call.expected), ::testing::HasSubstr(call.expected)) << call.call;
  }
}

TEST(ServeGrpc, ConnectionsWithoutACallMakeRoomForOthers) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 700; ++i) {  // more than one address may have
    clients.push_back(std::make_unique<RawClient>(server.grpc_port()));
    clients.back()->Send("PRI");
  }
  RawClient client(server.grpc_port());
  client.Send(Http2Preface() + Http2Frame(1, 4, 1, GrpcHeaders("ModelInfer")) + GrpcMessage(1, ""));
  EXPECT_THAT(client.ReadUntil("grpc-status"), ::testing::HasSubstr("grpc-status"));
}

TEST(ServeGrpc, HeadersWithoutEndEndTheirConnection) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  RawClient client(server.grpc_port());
  client.Send(Http2Preface() + Http2Frame(1, 0, 1, GrpcHeaders("ModelInfer")));
  bool goes_on = true;
  for (int i = 0; i < 10000 && goes_on; ++i)
    goes_on = client.Send(Http2Frame(9, 0, 1, Http2Field("k", std::string(3000, 'v'))));
  EXPECT_FALSE(goes_on);
}

TEST(ServeGrpc, MetadataThatCannotBeSentBackEndNothing) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  for (const std::string& trace : {std::string("a\x01b"), std::string("a\0b", 3), std::string("\x80\xff"),
                                   std::string("a\r\nx: y"), std::string("\x7f"), good}) {
    RawClient client(server.grpc_port());
    client.Send(Http2Preface() +
                Http2Frame(1, 4, 1, GrpcHeaders("ModelInfer") + Http2Field("traceparent", trace)) +
                GrpcMessage(1, ""));
    const std::string answer = client.ReadUntil("grpc-status");
    EXPECT_THAT(answer, ::testing::HasSubstr("grpc-status")) << trace;
    EXPECT_EQ(answer.find(good) != std::string::npos, trace == good);
    EXPECT_EQ(Curl(server.http() + "v2/health/live").status, 200) << trace;
  }
  EXPECT_EQ(server.Stop(), 0) << server.log();
}

}  // namespace
}  // namespace micrort::test
