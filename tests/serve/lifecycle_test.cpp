// Models that come and go, servers that end, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr char kRequest[] = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,2,3,4]}]})";

std::string Infer(const ServerProcess& server) { return server.http() + "v2/models/relu/infer"; }
std::string Change(const ServerProcess& server, const std::string& verb) {
  return server.http() + "v2/repository/models/relu/" + verb;
}

TEST(ServeLifecycle, LoadsAndUnloadsByRequest) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path(), {"--model-control-mode", "explicit"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(Infer(server), kRequest).status, 404);
  EXPECT_EQ(Post(Change(server, "load"), "{}").status, 200);
  EXPECT_EQ(Post(Infer(server), kRequest).status, 200);
  EXPECT_EQ(Post(Change(server, "unload"), "{}").status, 200);
  EXPECT_EQ(Post(Change(server, "unload"), "{}").status, 404);
  EXPECT_EQ(Post(Infer(server), kRequest).status, 404);
  EXPECT_EQ(Post(server.http() + "v2/repository/models/none/load", "{}").status, 404);
}

TEST(ServeLifecycle, SaysHowToChooseAnotherPort) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string url = server.http();  // "http://127.0.0.1:PORT/"
  const std::string port = url.substr(url.rfind(':') + 1, url.size() - url.rfind(':') - 2);
  const ProcessResult second =
      RunProgram("micrort-serve", {"--model-repository", repository.path(), "--http-port", port,
                                   "--grpc-port", "0", "--metrics-port", "0", "--rest-api-port", "0"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr("choose others by --http-port"));
}

TEST(ServeLifecycle, AModelIsReplacedUnderLoadWithoutALostRequest) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path(), {"--model-control-mode", "explicit", "--load-model", "*"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  std::atomic<bool> ends{false};
  std::atomic<int> good{0}, asked{0};
  std::thread client([&] {
    while (!ends) {
      // One connection for twenty requests.
      const Answer answer = Post(Infer(server), kRequest, std::vector<std::string>(19, Infer(server)));
      for (size_t at = 0; (at = answer.body.find("\"model_version\":\"1\"", at)) != std::string::npos; ++at)
        ++good;
      asked += 20;
    }
  });
  for (int i = 0; i < 25; ++i) EXPECT_EQ(Post(Change(server, "load"), "{}").status, 200);
  ends = true;
  client.join();
  EXPECT_EQ(good, asked);
  EXPECT_GT(asked, 20);
}

TEST(ServeLifecycle, PollFindsANewVersion) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path(),
                             {"--model-control-mode", "poll", "--repository-poll-secs", "1"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  AddReluModel(repository, "relu", 2, 5);
  Json answer;
  for (int i = 0; i < 100 && answer["model_version"] != "2"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    answer = Post(Infer(server), kRequest).json();
  }
  EXPECT_EQ(answer["outputs"][0]["data"], Json({6, 7, 8, 9}));
}

TEST(ServeLifecycle, AFileMayBeWrittenOverWhileItIsServed) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  std::filesystem::resize_file(repository / "relu/1/model.fb", 0);
  EXPECT_EQ(Post(Infer(server), kRequest).json()["outputs"][0]["data"], Json({1, 2, 3, 4}));
  WriteText(repository / "relu/1/model.fb", std::string(100'000, 'x'));
  EXPECT_EQ(Post(Infer(server), kRequest).json()["outputs"][0]["data"], Json({1, 2, 3, 4}));
}

// A disk that is full leaves a part of a file, which may be as long as a poll finds it.
TEST(ServeLifecycle, AFileThatAFullDiskCutsOffLeavesTheFormerVersion) {
  const TemporaryFolder repository, whole;
  AddReluModel(repository, "relu", 1);
  AddReluModel(whole, "relu", 2, 5);
  const ServerProcess server(repository.path(), {"--model-control-mode", "explicit"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  ASSERT_EQ(Post(Change(server, "load"), "{}").status, 200);
  std::filesystem::copy(whole / "relu/2", repository / "relu/2");
  const std::string file = repository / "relu/2/model.fb";
  for (const uintmax_t divisor : {2, 3, 100, 100000}) {
    std::filesystem::resize_file(file, std::filesystem::file_size(whole / "relu/2/model.fb") / divisor);
    EXPECT_THAT(Post(Change(server, "load"), "{}").body, HasSubstr("relu/2/model.fb")) << divisor;
    EXPECT_EQ(Post(Infer(server), kRequest).json()["model_version"], "1") << divisor;
  }
  std::filesystem::copy(whole / "relu/2/model.fb", file, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(Post(Change(server, "load"), "{}").status, 200);
  EXPECT_EQ(Post(Infer(server), kRequest).json()["model_version"], "2");
}

// Its size is a claim: the file takes no room.
TEST(ServeLifecycle, AFileThatIsTooLargeForAModelIsNotRead) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  AddReluModel(repository, "sparse", 1);
  std::filesystem::resize_file(repository / "sparse/1/model.fb", uintmax_t{1} << 40);
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const Json index = Post(server.http() + "v2/repository/index", "").json();
  EXPECT_THAT(index[1]["reason"].get<std::string>(), HasSubstr("expected a model of at most"));
  EXPECT_EQ(Post(Infer(server), kRequest).status, 200);
}

TEST(ServeLifecycle, ModelsMayBeMapped) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path(), {"--map-models"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(Infer(server), kRequest).json()["outputs"][0]["data"], Json({1, 2, 3, 4}));
}

TEST(ServeLifecycle, ABrokenModelLeavesTheOthers) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "broken/1/model.fb", "not a model");
  WriteText(repository / "unclear/config.pbtxt", "max_batch_size: many");
  AddReluModel(repository, "unclear", 1);
  AddReluModel(repository, "typed", 1);
  WriteText(repository / "typed/config.pbtxt",
            "input [ { name: \"x\" data_type: TYPE_INT8 dims: [ -1, 4 ] } ]");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(Infer(server), kRequest).status, 200);
  const Json index = Post(server.http() + "v2/repository/index", "").json();
  ASSERT_EQ(index.size(), 4u);
  EXPECT_THAT(index[0]["reason"].get<std::string>(), HasSubstr("broken/1/model.fb"));
  EXPECT_EQ(index[1]["state"], "READY");
  EXPECT_THAT(index[2]["reason"].get<std::string>(), HasSubstr("expected FP32, as in the model, found INT8"));
  EXPECT_THAT(index[3]["reason"].get<std::string>(), HasSubstr("config.pbtxt:1:17"));
}

TEST(ServeLifecycle, RepositoriesOfAnotherLayoutSayWhatToMove) {
  const TemporaryFolder repository;
  WriteText(repository / "flat/model.fb", "x");
  WriteText(repository / "source/1/model.onnx", "x");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_THAT(server.log(), HasSubstr("; move model.fb into " + (repository / "flat/1/")));
  EXPECT_THAT(server.log(),
              HasSubstr("start the server with --convert, or type mnnconvert " +
                        (repository / "source/1/model.onnx") + " -o " + (repository / "source/1/model.fb")));
}

TEST(ServeLifecycle, ARepositoryWithoutModelsIsTold) {
  const TemporaryFolder repository;
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_THAT(server.log(),
              HasSubstr("no model is found, expected " + repository.path() + "/NAME/1/model.fb"));
}

TEST(ServeLifecycle, ReadinessTellsFailedModels) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "broken/1/model.fb", "not a model");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const Answer answer = Curl(server.http() + "v2/health/ready");
  EXPECT_EQ(answer.status, 200);
  ASSERT_EQ(answer.json()["failed_models"].size(), 1u) << answer.body;
  EXPECT_EQ(answer.json()["failed_models"][0]["name"], "broken");
  EXPECT_THAT(answer.json()["failed_models"][0]["reason"].get<std::string>(), HasSubstr("broken/1/model.fb"));
}

TEST(ServeLifecycle, StrictReadinessIsThatOfAllModels) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "broken/1/model.fb", "not a model");
  WriteText(repository / "key", "secret");
  const ServerProcess server(
      repository.path(), {"--strict-readiness", "--model-control-mode", "explicit", "--load-model", "relu",
                          "--repository-key-file", repository / "key"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string ready = server.http() + "v2/health/ready";
  const std::string broken = server.http() + "v2/repository/models/broken/";
  const std::vector<std::string> key = {"-H", "Authorization: Bearer secret"};
  EXPECT_EQ(Post(broken + "load", "{}", key).status, 400);
  EXPECT_EQ(Curl(ready).status, 503);
  // Those who may not list the repository are not told its models.
  EXPECT_EQ(Curl(ready).body, R"({"error":"not ready"})");
  EXPECT_THAT(Curl(ready, key).body, HasSubstr("broken/1/model.fb"));
  // What is not wanted any more is not missed.
  EXPECT_EQ(Post(broken + "unload", "{}", key).status, 200);
  EXPECT_EQ(Curl(ready).status, 200);
}

TEST(ServeLifecycle, AModelOfTheStartThatIsAbsentIsTold) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path(), {"--model-control-mode", "explicit", "--load-model", "relu",
                                                 "--load-model", "absent"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string why = "the repository has no model 'absent'";
  EXPECT_THAT(Curl(server.http() + "v2/health/ready").body, HasSubstr(why));
  EXPECT_THAT(server.log(), HasSubstr(why));
}

TEST(ServeLifecycle, LogLinesNameVersions) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  AddReluModel(repository, "relu", 3);
  WriteText(repository / "relu/config.pbtxt", "version_policy { all {} }\n");
  ServerProcess server(repository.path(), {"--log-requests"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(Infer(server), kRequest).status, 200);
  server.Stop();
  EXPECT_THAT(server.log(), HasSubstr("\"message\":\"starting\",\"version\":\""));
  EXPECT_THAT(server.log(), HasSubstr("\"message\":\"loaded\",\"model\":\"relu\",\"versions\":\"1, 3\""));
  EXPECT_THAT(
      server.log(),
      HasSubstr(
          "\"path\":\"/v2/models/relu/infer\",\"model\":\"relu\",\"version\":\"3\",\"status\":\"200\""));
}

TEST(ServeLifecycle, TermAnswersWhatIsAskedAndEnds) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(Infer(server), kRequest).status, 200);
  EXPECT_EQ(server.Stop(), 0);
  EXPECT_THAT(server.log(), HasSubstr("\"draining\""));
  EXPECT_THAT(server.log(), HasSubstr("\"ended\""));
}

TEST(ServeLifecycle, RefusesWhatIsTooLarge) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  const ServerProcess server(repository.path(), {"--max-body-bytes", "1000", "--max-header-bytes", "2000"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(Infer(server), std::string(2000, ' ')).status, 413);
  EXPECT_EQ(Curl(server.http() + "v2", {"-H", "X: " + std::string(4000, 'x')}).status / 100, 4);
  EXPECT_EQ(Post(Infer(server), kRequest).status, 200);
}

TEST(ServeLifecycle, AsksForTheKey) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "key", "secret\n");
  const ServerProcess server(repository.path(), {"--api-key-file", repository / "key"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Post(Infer(server), kRequest).status, 401);
  EXPECT_EQ(Post(Infer(server), kRequest, {"-H", "Authorization: Bearer secreT"}).status, 401);
  EXPECT_EQ(Post(Infer(server), kRequest, {"-H", "Authorization: Bearer secret"}).status, 200);
}

TEST(ServeLifecycle, ConvertsOnnxWhenAskedTo) {
  const TemporaryFolder repository;
  std::filesystem::create_directories(repository / "digits/1");
  std::filesystem::copy_file(SourceFile("examples/meter_reader/meter_digits.onnx"),
                             repository / "digits/1/model.onnx");
  const ServerProcess server(repository.path(), {"--convert"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  EXPECT_EQ(Curl(server.http() + "v2/models/digits").json()["inputs"][0]["name"], "input");
}

TEST(ServeLifecycle, OperatorsOfTheProgramAreServed) {
  const TemporaryFolder repository;
  AddZeroOutModel(repository, "zero_out");
  const ServerProcess server(repository.path(), {}, "custom_op_server");
  ASSERT_TRUE(server.is_ready()) << server.log();
  const Answer answer = Post(server.rest() + "v1/models/zero_out:predict", R"({"inputs": [[1,2],[3,4]]})");
  EXPECT_EQ(answer.body, R"({"outputs":[[1,0],[0,0]]})");
}

TEST(ServeLifecycle, OperatorsOfLibrariesAreServed) {
  const TemporaryFolder repository;
  AddZeroOutModel(repository, "zero_out");
  const ServerProcess server(repository.path(),
                             {"--custom-ops", std::string(MICRORT_PROGRAMS_FOLDER) + "/zero_out.so"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  const Answer answer = Post(server.rest() + "v1/models/zero_out:predict", R"({"inputs": [[1,2],[3,4]]})");
  EXPECT_EQ(answer.body, R"({"outputs":[[1,0],[0,0]]})");
}

TEST(ServeLifecycle, ALibraryThatCannotBeLoadedEndsTheServer) {
  const TemporaryFolder repository;
  const ProcessResult result = RunProgram("micrort-serve", {"--model-repository", repository.path(),
                                                            "--custom-ops", "absent.so", "--http-port", "0"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("--custom-ops: absent.so: cannot be opened"));
}

TEST(ServeLifecycle, ATimeoutEndsARequestThatWaits) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  // A batch waits for others far longer than the request allows.
  WriteText(repository / "relu/config.pbtxt",
            "max_batch_size: 4\ndynamic_batching { max_queue_delay_microseconds: 20000000 }\n");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string late =
      R"({"parameters":{"timeout":50000},"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,2,3,4]}]})";
  EXPECT_EQ(Post(Infer(server), late).status, 504);
  // A full batch does not wait.
  const std::string full = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[4,4],)"
                           R"("data":[1,2,3,4,1,2,3,4,1,2,3,4,1,2,3,4]}]})";
  EXPECT_EQ(Post(Infer(server), full).status, 200);
}

TEST(ServeLifecycle, AClientThatGoesAwayIsCountedAndItsPlaceIsFree) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "relu/config.pbtxt",
            "max_batch_size: 4\ndynamic_batching { max_queue_delay_microseconds: 20000000\n"
            "default_queue_policy { max_queue_size: 1 } }\n");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  std::thread waiting([&] { Post(Infer(server), kRequest, {"--max-time", "0.6"}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const Answer refused = Post(Infer(server), kRequest);
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.headers, HasSubstr("Retry-After: 1"));
  waiting.join();
  std::string metrics;
  for (int i = 0;
       i < 50 && metrics.find("cancelled_total{model=\"relu\",version=\"1\"} 1") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    metrics = Curl(server.metrics() + "metrics").body;
  }
  EXPECT_THAT(metrics, HasSubstr("micrort_requests_cancelled_total{model=\"relu\",version=\"1\"} 1"));
  EXPECT_THAT(metrics, HasSubstr("micrort_queue_length{model=\"relu\",version=\"1\"} 0"));
}

}  // namespace
}  // namespace micrort::test
