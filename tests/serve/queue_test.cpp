// Who waits, who is first, and who is told to come again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "serve/scheduler/request_queue.h"
#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

using serve::Job;
using serve::JobPtr;
using serve::RequestQueue;
using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr char kOneOfRelu[] =
    R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,-2,3,-4]}]})";

JobPtr JobOf(const std::string& id, uint32_t priority) {
  auto job = std::make_shared<Job>();
  job->request.id = id;
  job->priority = priority;
  job->enqueued = serve::Clock::now();
  return job;
}

TEST(RequestQueue, UrgentRequestsComeFirstAndEqualOnesInTheirOrder) {
  RequestQueue queue({});
  for (const auto& [id, priority] : {std::pair{"a", 2u}, {"b", 2u}, {"c", 1u}, {"d", 3u}, {"e", 1u}})
    ASSERT_TRUE(queue.Push(JobOf(id, priority)).ok());
  std::string order;
  while (queue.size() > 0) {
    std::vector<JobPtr> batch, expired;
    ASSERT_TRUE(queue.Wait());
    queue.Take(&batch, &expired);
    for (const JobPtr& job : batch) order += job->request.id;
  }
  EXPECT_EQ(order, "ceabd");
}

// Whatever comes with a better priority later, a request has its turn.
TEST(RequestQueue, ARequestThatHasWaitedIsNotOvertaken) {
  RequestQueue queue({});
  const JobPtr patient = JobOf("patient", 5);
  patient->enqueued -= std::chrono::seconds(2);
  ASSERT_TRUE(queue.Push(patient).ok());
  ASSERT_TRUE(queue.Push(JobOf("late", 5)).ok());
  ASSERT_TRUE(queue.Push(JobOf("urgent", 1)).ok());
  std::string order;
  while (queue.size() > 0) {
    std::vector<JobPtr> batch, expired;
    queue.Take(&batch, &expired);
    for (const JobPtr& job : batch) order += job->request.id + " ";
  }
  EXPECT_EQ(order, "patient urgent late ");
}

// Twenty requests of the first priority come for each that is answered.
TEST(RequestQueue, NobodyStarvesWhileUrgentRequestsComeWithoutAnEnd) {
  RequestQueue queue({});
  const JobPtr patient = JobOf("patient", 9);
  const auto started = patient->enqueued;
  ASSERT_TRUE(queue.Push(patient).ok());
  bool is_answered = false;
  for (int i = 0; i < 1000 && !is_answered; ++i) {
    for (int k = 0; k < 20 && queue.size() < 200; ++k) {
      const JobPtr urgent = JobOf("urgent", 1);
      urgent->enqueued = started + std::chrono::milliseconds(10 * i);
      ASSERT_TRUE(queue.Push(urgent).ok());
    }
    std::vector<JobPtr> batch, expired;
    queue.Take(&batch, &expired);
    ASSERT_EQ(batch.size(), 1u);
    is_answered = batch[0] == patient;
  }
  EXPECT_TRUE(is_answered);
}

TEST(RequestQueue, GivesUpWhatExpiresWhileNobodyTakesABatch) {
  RequestQueue queue({});
  ASSERT_TRUE(queue.Push(JobOf("stays", 1)).ok());
  std::vector<JobPtr> expired, rest;
  std::thread waiting([&] {
    EXPECT_TRUE(queue.TakeExpired(&expired));
    EXPECT_TRUE(queue.TakeExpired(&rest));
    std::vector<JobPtr> none;
    EXPECT_FALSE(queue.TakeExpired(&none));
  });
  const JobPtr late = JobOf("late", 1), cancelled = JobOf("cancelled", 1);
  late->deadline = serve::Clock::now() + std::chrono::milliseconds(50);
  ASSERT_TRUE(queue.Push(late).ok());
  ASSERT_TRUE(queue.Push(cancelled).ok());
  while (queue.size() > 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  cancelled->is_cancelled = true;
  queue.Wake();
  while (queue.size() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  queue.Close();
  std::vector<JobPtr> batch, none;
  queue.Take(&batch, &none);
  waiting.join();
  EXPECT_EQ(expired, std::vector<JobPtr>{late});
  EXPECT_EQ(rest, std::vector<JobPtr>{cancelled});
  ASSERT_EQ(batch.size(), 1u);
  EXPECT_EQ(batch[0]->request.id, "stays");
}

TEST(RequestQueue, IsFullWhenItsPolicySaysSo) {
  serve::QueuePolicy policy;
  policy.max_queue = 2;
  RequestQueue queue(policy);
  EXPECT_TRUE(queue.Push(JobOf("a", 1)).ok());
  EXPECT_TRUE(queue.Push(JobOf("b", 1)).ok());
  EXPECT_EQ(queue.Push(JobOf("c", 1)).kind(), serve::ErrorKind::kUnavailable);
}

// The first request waits a while for others to share a run with.
TEST(ServeQueue, AFullQueueSaysWhenToComeAgain) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "relu/config.pbtxt",
            "max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 3000000 default_queue_policy "
            "{ max_queue_size: 1 } }\n");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string infer = server.http() + "v2/models/relu/infer";
  std::thread waiting([&] { EXPECT_EQ(Post(infer, kOneOfRelu).status, 200); });
  for (int i = 0; i < 100 && !IsPending(server, "relu"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Answer refused = Post(infer, kOneOfRelu);
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.headers, HasSubstr("Retry-After: "));
  EXPECT_THAT(refused.json()["error"].get<std::string>(), HasSubstr("queue"));
  waiting.join();
}

std::string LoopOf(int64_t times, const std::string& parameters) {
  return R"({"parameters":{)" + parameters +
         R"(},"inputs":[{"name":"t","datatype":"INT64","shape":[],"data":[)" + std::to_string(times) +
         R"(]},{"name":"x","datatype":"FP32","shape":[4],"data":[1,2,3,4]}]})";
}

// The only instance runs for ten seconds.
TEST(ServeQueue, ARequestWhoseTimeIsOverIsAnsweredWhileAnotherOneRuns) {
  const TemporaryFolder repository;
  AddLoopModel(repository, "loop");
  const ServerProcess server(repository.path(), {"--max-work", kNoEnd});
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string infer = server.http() + "v2/models/loop/infer";
  std::thread running(
      [&] { EXPECT_EQ(Post(infer, LoopOf(int64_t{1} << 40, "\"timeout\":10000000")).status, 504); });
  for (int i = 0; i < 100 && !IsPending(server, "loop"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto begin = std::chrono::steady_clock::now();
  const Answer late = Post(infer, LoopOf(1, "\"timeout\":200000"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(late.status, 504);
  EXPECT_THAT(late.json()["error"].get<std::string>(), HasSubstr("while it waited"));
  running.join();
}

// Eight clients ask first without a pause, which is more than the server can answer.
TEST(ServeQueue, TheLastPriorityIsServedUnderAnUnendingLoadOfTheFirst) {
  const TemporaryFolder repository;
  AddLoopModel(repository, "loop");
  const ServerProcess server(repository.path(), {"--threads", "1"});
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string infer = server.http() + "v2/models/loop/infer";
  constexpr int64_t kTenMilliseconds = 30000;
  std::atomic<bool> ends{false};
  std::atomic<int> urgent{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      while (!ends) urgent += Post(infer, LoopOf(kTenMilliseconds, "\"priority\":1")).status == 200 ? 1 : 0;
    });
  }
  for (int i = 0; i < 2000 && urgent < 20; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(Post(infer, LoopOf(1, "\"priority\":9"), {"--max-time", "20"}).status, 200);
  ends = true;
  for (std::thread& client : clients) client.join();
}

TEST(ServeLabels, NameVersionsForTensorflowServing) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  AddReluModel(repository, "relu", 2, 10);
  WriteText(repository / "relu/config.pbtxt",
            "version_policy { all {} } parameters { key: \"label.stable\" value { string_value: \"1\" } } "
            "parameters { key: \"label.next\" value { string_value: \"2\" } }\n");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const auto predict = [&](const std::string& label) {
    return Post(server.rest() + "v1/models/relu/labels/" + label + ":predict",
                R"({"instances":[[1,-2,3,-4]]})");
  };
  EXPECT_EQ(predict("stable").json()["predictions"], Json({{1, 0, 3, 0}}));
  EXPECT_EQ(predict("next").json()["predictions"], Json({{11, 10, 13, 10}}));
  EXPECT_EQ(predict("none").status, 404);
}

TEST(ServeLabels, AreSetToVersionsThatAreServed) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "relu/config.pbtxt",
            "parameters { key: \"label.stable\" value { string_value: \"7\" } }\n");
  const ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const Json index = Post(server.http() + "v2/repository/index", "").json();
  EXPECT_THAT(index[0]["reason"].get<std::string>(), HasSubstr("label 'stable' is set to version 7"));
}

}  // namespace
}  // namespace micrort::test
