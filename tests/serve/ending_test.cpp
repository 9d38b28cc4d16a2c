// Servers that end in time, whatever they are doing, and models that do not hold up others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "tests/serve/raw_client.h"
#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr char kReluInput[] =
    R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,-2,3,4]}]})";
std::string LoopRequest() {
  const std::string body = R"({"inputs":[{"name":"t","datatype":"INT64","shape":[],"data":[1099511627776]},)"
                           R"({"name":"x","datatype":"FP32","shape":[4],"data":[1,2,3,4]}]})";
  return "POST /v2/models/loop/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

bool Until(const std::function<bool()>& holds) {
  for (int i = 0; i < 200; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  return false;
}

TEST(ServeEnding, ARunThatNeverEndsIsEndedWhenTheTimeIsOver) {
  const TemporaryFolder repository;
  AddLoopModel(repository, "loop");
  ServerProcess server(repository.path(), {"--max-work", kNoEnd, "--drain-seconds", "1"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  RawClient client(server.http_port());
  client.Send(LoopRequest());
  ASSERT_TRUE(Until([&] { return IsPending(server, "loop"); })) << server.log();
  EXPECT_EQ(server.Stop(), 0) << server.log();
  EXPECT_THAT(client.ReadAll(), HasSubstr("503 Service Unavailable"));
  EXPECT_THAT(server.log(), HasSubstr("\"ended\""));
}

TEST(ServeEnding, ASecondTermEndsAtOnce) {
  const TemporaryFolder repository;
  AddLoopModel(repository, "loop");
  ServerProcess server(repository.path(), {"--max-work", kNoEnd, "--drain-seconds", "600"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  RawClient client(server.http_port());
  client.Send(LoopRequest());
  ASSERT_TRUE(Until([&] { return IsPending(server, "loop"); })) << server.log();
  kill(server.pid(), SIGTERM);
  ASSERT_TRUE(Until([&] { return server.log().find("draining") != std::string::npos; }));
  EXPECT_EQ(server.Stop(), -1);
}

TEST(ServeEnding, HangupLooksForChangedModels) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  AddReluModel(repository, "second", 1);
  kill(server.pid(), SIGHUP);
  EXPECT_TRUE(Until([&] { return Curl(server.http() + "v2/models/second/ready").status == 200; }))
      << server.log();
}

TEST(ServeEnding, AModelThatRunsDoesNotHoldUpOthers) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  AddLoopModel(repository, "loop");
  ServerProcess server(repository.path(), {"--model-control-mode", "explicit", "--load-model", "*",
                                           "--max-work", kNoEnd, "--drain-seconds", "1", "--threads", "2"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  RawClient client(server.http_port());
  client.Send(LoopRequest());
  ASSERT_TRUE(Until([&] { return IsPending(server, "loop"); })) << server.log();
  const std::string models = server.http() + "v2/repository/models/";
  EXPECT_EQ(Post(models + "loop/unload", "", {"--max-time", "10"}).status, 200);
  EXPECT_EQ(Post(models + "relu/load", "", {"--max-time", "10"}).status, 200);
  EXPECT_EQ(Post(server.http() + "v2/models/relu/infer", kReluInput).status, 200);
  // What the unloaded model has taken is given up after --drain-seconds.
  EXPECT_THAT(client.ReadUntil("unloaded"), HasSubstr("the model is being unloaded"));
  EXPECT_EQ(server.Stop(), 0) << server.log();
}

TEST(ServeEnding, AWarmupHasACountAndATime) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  AddReluModel(repository, "counts", 1);
  AddLoopModel(repository, "loop");
  WriteText(
      repository / "counts/config.pbtxt",
      "model_warmup { name: \"w\" count: 4294967295 inputs { key: \"x\" value { data_type: TYPE_FP32 dims: "
      "[ 1, 4 ] zero_data: true } } }");
  // Random bytes make a trip count of no end.
  WriteText(
      repository / "loop/config.pbtxt",
      "model_warmup { name: \"w\" inputs { key: \"t\" value { data_type: TYPE_INT64 random_data: true } }\n"
      "inputs { key: \"x\" value { data_type: TYPE_FP32 dims: [ 4 ] zero_data: true } } }");
  ServerProcess server(repository.path(), {"--max-work", kNoEnd, "--load-seconds", "1"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(server.http() + "v2/models/relu/infer", kReluInput).status, 200);
  const Json index = Post(server.http() + "v2/repository/index", "").json();
  EXPECT_THAT(index[0]["reason"].get<std::string>(), HasSubstr("a count of at most 1000, found 4294967295"));
  EXPECT_THAT(index[1]["reason"].get<std::string>(),
              HasSubstr("model_warmup 'w': loading took longer than 1 seconds"));
  EXPECT_EQ(server.Stop(), 0) << server.log();
}

TEST(ServeEnding, LoadingEndsWithTheServer) {
  const TemporaryFolder repository;
  AddLoopModel(repository, "loop");
  AddReluModel(repository, "relu", 1);
  WriteText(
      repository / "loop/config.pbtxt",
      "model_warmup { name: \"w\" inputs { key: \"t\" value { data_type: TYPE_INT64 random_data: true } }\n"
      "inputs { key: \"x\" value { data_type: TYPE_FP32 dims: [ 4 ] zero_data: true } } }");
  ServerProcess server(repository.path(), {"--model-control-mode", "explicit", "--max-work", kNoEnd});
  ASSERT_TRUE(server.is_ready()) << server.log();
  std::thread loads(
      [&] { EXPECT_EQ(Post(server.http() + "v2/repository/models/loop/load", "").status, 503); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(Post(server.http() + "v2/repository/models/relu/load", "").status, 200);
  EXPECT_EQ(server.Stop(), 0) << server.log();
  loads.join();
}

TEST(ServeEnding, FilesOfARepositoryAreRegular) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  for (const char* model : {"device", "large", "pipe"}) AddReluModel(repository, model, 1);
  ASSERT_EQ(mkfifo((repository / "pipe/config.pbtxt").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", repository / "device/config.pbtxt");
  WriteText(repository / "large/config.pbtxt", std::string(2 << 20, ' '));
  std::filesystem::create_directories(repository / "zpipe/1");
  ASSERT_EQ(mkfifo((repository / "zpipe/1/model.fb").c_str(), 0600), 0);
  std::filesystem::create_directories(repository / "zsource/1");
  ASSERT_EQ(mkfifo((repository / "zsource/1/model.onnx").c_str(), 0600), 0);
  ServerProcess server(repository.path(), {"--convert", "--load-seconds", "5"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(server.http() + "v2/models/relu/infer", kReluInput).status, 200);
  const Json index = Post(server.http() + "v2/repository/index", "").json();
  ASSERT_EQ(index.size(), 6u);
  EXPECT_THAT(index[0]["reason"].get<std::string>(), HasSubstr("config.pbtxt: expected a regular file"));
  EXPECT_THAT(index[1]["reason"].get<std::string>(), HasSubstr("expected at most 1048576 bytes"));
  EXPECT_THAT(index[2]["reason"].get<std::string>(), HasSubstr("config.pbtxt: expected a regular file"));
  EXPECT_THAT(index[4]["reason"].get<std::string>(), HasSubstr("expected a regular file"));
  EXPECT_EQ(index[5]["state"], "UNAVAILABLE");
  EXPECT_EQ(server.Stop(), 0) << server.log();
}

TEST(ServeEnding, AFolderWhoseNameNoModelHasIsTold) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  AddReluModel(repository, "two words", 1);
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_THAT(server.log(), HasSubstr("passed over: the name of a model has letters"));
}

}  // namespace
}  // namespace micrort::test
