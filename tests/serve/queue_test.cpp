// Who waits, who is first, and who is told to come again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  const auto pending = [&] {
    return Curl(server.metrics() + "metrics")
               .body.find("micrort_requests_pending{model=\"relu\",version=\"1\"} 1") != std::string::npos;
  };
  for (int i = 0; i < 100 && !pending(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Answer refused = Post(infer, kOneOfRelu);
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.headers, HasSubstr("Retry-After: "));
  EXPECT_THAT(refused.json()["error"].get<std::string>(), HasSubstr("queue"));
  waiting.join();
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
