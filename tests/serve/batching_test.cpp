// Requests that share a run, that wait, and that belong together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

// Waits long for a batch of so many rows.
std::string BatchesOf(int rows) {
  return "max_batch_size: 8\ndynamic_batching { preferred_batch_size: [ " + std::to_string(rows) +
         " ] max_queue_delay_microseconds: 20000000 }\n";
}

// All at once.
std::vector<Answer> PostAll(const std::string& url, const std::vector<std::string>& bodies) {
  std::vector<Answer> answers(bodies.size());
  std::vector<std::thread> clients;
  for (size_t i = 0; i < bodies.size(); ++i)
    clients.emplace_back([&, i] { answers[i] = Post(url, bodies[i]); });
  for (std::thread& client : clients) client.join();
  return answers;
}

TEST(ServeBatching, RequestsShareARunAndEachGetsItsRows) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "relu/config.pbtxt", BatchesOf(4));
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::vector<Answer> answers =
      PostAll(server.http() + "v2/models/relu/infer",
              {R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,2,3,-4]}]})",
               R"({"inputs":[{"name":"x","datatype":"FP32","shape":[2,4],"data":[5,6,7,-8,9,10,11,-12]}]})",
               R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[-13,14,15,16]}]})"});
  EXPECT_EQ(answers[0].json()["outputs"][0]["data"], Json({1, 2, 3, 0})) << answers[0].body;
  EXPECT_EQ(answers[1].json()["outputs"][0]["data"], Json({5, 6, 7, 0, 9, 10, 11, 0})) << answers[1].body;
  EXPECT_EQ(answers[1].json()["outputs"][0]["shape"], Json({2, 4}));
  EXPECT_EQ(answers[2].json()["outputs"][0]["data"], Json({0, 14, 15, 16})) << answers[2].body;
  const Json stats = Curl(server.http() + "v2/models/relu/stats").json()["model_stats"][0];
  EXPECT_EQ(stats["execution_count"], 1);
  EXPECT_EQ(stats["inference_count"], 4);
  EXPECT_EQ(stats["batch_stats"][0]["batch_size"], 4);
}

TEST(ServeBatching, WhatIsWrongWithOneIsNoErrorOfTheOthers) {
  const TemporaryFolder repository;
  AddGatherModel(repository, "gather");
  WriteText(repository / "gather/config.pbtxt", BatchesOf(3));
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const auto request = [](const char* index) {
    return R"({"inputs":[{"name":"x","datatype":"INT64","shape":[1,1],"data":[)" + std::string(index) +
           "]}]}";
  };
  const std::vector<Answer> answers =
      PostAll(server.http() + "v2/models/gather/infer", {request("3"), request("99"), request("7")});
  EXPECT_EQ(answers[0].json()["outputs"][0]["data"], Json({30})) << answers[0].body;
  EXPECT_EQ(answers[1].status, 400) << answers[1].body;
  EXPECT_EQ(answers[2].json()["outputs"][0]["data"], Json({70})) << answers[2].body;
}

TEST(ServeBatching, AnInputThatDecidesShapesHasTheValuesOfAllRequests) {
  const TemporaryFolder repository;
  AddRangeModel(repository, "range");
  WriteText(repository / "range/config.pbtxt", BatchesOf(8));
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string request = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,2,3,4]},)"
                              R"({"name":"s","datatype":"INT64","shape":[1],"data":[5]}]})";
  for (const Answer& answer :
       PostAll(server.http() + "v2/models/range/infer", std::vector<std::string>(8, request)))
    EXPECT_EQ(answer.json()["outputs"][0]["data"], Json({11, 12, 13, 14})) << answer.body;
  // A value that is not the whole batch's is an error of the run, after which each request runs alone.
  const Json stats = Curl(server.http() + "v2/models/range/stats").json()["model_stats"][0];
  EXPECT_EQ(stats["execution_count"], 1);
}

TEST(ServeBatching, AModelWithoutBatchesIsNotLoadedAsOneThatHasThem) {
  const TemporaryFolder repository;
  AddTypesModel(repository, "types");
  WriteText(repository / "types/config.pbtxt", "max_batch_size: 8");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const Json index = Post(server.http() + "v2/repository/index", "").json();
  EXPECT_THAT(index[0]["reason"].get<std::string>(), HasSubstr("needs an open first dimension"));
}

TEST(ServeBatching, WarmupsRunBeforeTheModelIsReady) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "relu/config.pbtxt",
            "max_batch_size: 8\nmodel_warmup { name: \"w\" batch_size: 8 count: 3\n"
            "inputs { key: \"x\" value { data_type: TYPE_FP32 dims: [ 4 ] zero_data: true } } }\n");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const Json stats = Curl(server.http() + "v2/models/relu/stats").json()["model_stats"][0];
  EXPECT_EQ(stats["batch_stats"][0]["batch_size"], 8);
  EXPECT_EQ(stats["execution_count"], 3);
}

TEST(ServeSequences, EachHasItsOwnState) {
  const TemporaryFolder repository;
  AddSumModel(repository, "sum");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const auto add = [&](int x, const std::string& parameters) {
    return Post(server.http() + "v2/models/sum/infer",
                "{\"parameters\":{" + parameters +
                    R"(},"inputs":[{"name":"x","datatype":"FP32","shape":[1],"data":[)" + std::to_string(x) +
                    "]}]}");
  };
  const auto sum = [&](int x, const std::string& parameters) {
    const Answer answer = add(x, parameters);
    return answer.status == 200 ? answer.json()["outputs"][0]["data"][0].get<double>() : -1.0;
  };
  EXPECT_EQ(sum(1, R"("sequence_id":7,"sequence_start":true)"), 1);
  EXPECT_EQ(sum(10, R"("sequence_id":8,"sequence_start":true)"), 10);
  EXPECT_EQ(sum(2, R"("sequence_id":7)"), 3);
  EXPECT_EQ(sum(100, ""), 100);  // without a sequence every request begins anew
  EXPECT_EQ(sum(20, R"("sequence_id":8,"sequence_end":true)"), 30);
  EXPECT_EQ(sum(3, R"("sequence_id":7)"), 6);
  const Answer ended = add(1, R"("sequence_id":8)");
  EXPECT_EQ(ended.status, 400);
  EXPECT_THAT(ended.body, HasSubstr("sequence 8 has not begun"));
}

}  // namespace
}  // namespace micrort::test
