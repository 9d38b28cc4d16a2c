// Connections of clients that are slow, many, or other people's web pages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <thread>

#include "serve/http/free_later.h"
#include "tests/serve/raw_client.h"
#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kOneRow[] = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,-2,3,4]}]})";

std::string InferRequest(const std::string& fields = "") {
  return "POST /v2/models/relu/infer HTTP/1.1\r\nHost: localhost\r\n" + fields +
         "Content-Length: " + std::to_string(std::string(kOneRow).size()) + "\r\n\r\n" + kOneRow;
}

uint64_t ResidentBytes(const ServerProcess& server) {
  std::ifstream file("/proc/" + std::to_string(server.pid()) + "/statm");
  uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

// How many descriptors the system has room for without waiting.
std::string DescriptorTable(const ServerProcess& server) {
  std::ifstream status("/proc/" + std::to_string(server.pid()) + "/status");
  std::string line;
  while (std::getline(status, line) && line.rfind("FDSize:", 0) != 0) continue;
  return line;
}

class ServeConnection : public ::testing::Test {
 protected:
  // With a model relu.
  void Start(const std::vector<std::string>& flags = {}) {
    AddReluModel(repository_, "relu", 1);
    server_ = std::make_unique<ServerProcess>(repository_.path(), flags);
    ASSERT_TRUE(server_->is_ready()) << server_->log();
  }
  std::string Ask(const std::string& request) {
    RawClient client(server_->http_port());
    client.Send(request);
    return client.ReadAll(2000);
  }

  const TemporaryFolder repository_;
  std::unique_ptr<ServerProcess> server_;
};

TEST_F(ServeConnection, HeadHasNoBodyAndPipelinedRequestsTheirOrder) {
  Start();
  const std::string answers = Ask("HEAD /v2 HTTP/1.1\r\nHost: h\r\n\r\n" + InferRequest() +
                                  "GET /v2/none HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answers, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answers.substr(0, answers.find("\r\n\r\n")), Not(HasSubstr("Content-Length: 0\r\n")));
  EXPECT_THAT(answers, Not(HasSubstr("extensions")));
  EXPECT_LT(answers.find("\"data\":[1,0,3,4]"), answers.find("404 Not Found"));
}

TEST_F(ServeConnection, AClientThatSendsNoMoreGetsItsAnswer) {
  Start();
  WriteText(repository_ / "relu/config.pbtxt",
            "max_batch_size: 4 dynamic_batching { max_queue_delay_microseconds: 600000 }");
  ServerProcess waiting(repository_.path());
  ASSERT_TRUE(waiting.is_ready());
  RawClient client(waiting.http_port());
  client.Send(InferRequest());
  client.EndSending();
  EXPECT_THAT(client.ReadAll(), HasSubstr("\"data\":[1,0,3,4]"));
}

TEST_F(ServeConnection, BothSidesOfAnExpectation) {
  Start();
  EXPECT_THAT(Ask(InferRequest("Expect: 100-continue\r\nConnection: close\r\n")),
              StartsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"));
  EXPECT_THAT(Ask(InferRequest("Expect: miracles\r\n")), StartsWith("HTTP/1.1 417"));
}

TEST_F(ServeConnection, AHeaderAndABodyHaveATime) {
  Start({"--header-timeout", "1", "--request-timeout", "1", "--idle-timeout", "30"});
  const std::string request = InferRequest();
  for (const size_t begin : {size_t{10}, request.size() - 60}) {
    RawClient client(server_->http_port());
    client.Send(request.substr(0, begin));
    std::string answer;
    // A byte at a time, so that it is never silent.
    for (size_t i = begin; i < begin + 50 && answer.empty() && !client.is_closed(); ++i) {
      client.Send(request.substr(i, 1));
      answer = client.ReadUntil("\r\n\r\n", 100);
    }
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 408")) << begin;
  }
}

TEST_F(ServeConnection, HalfSentHeadersMakeRoomForOthers) {
  Start({"--max-peer-connections", "20"});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 60; ++i) {
    clients.push_back(std::make_unique<RawClient>(server_->http_port()));
    clients.back()->Send("POST /v2/models/relu/infer HTTP/1.1\r\nHost: h\r\nX: ");
  }
  for (int i = 0; i < 30; ++i)
    EXPECT_THAT(Ask(InferRequest("Connection: close\r\n")), HasSubstr("[1,0,3,4]"));
  EXPECT_EQ(Curl(server_->metrics() + "metrics").status, 200);
}

// It would grow while requests wait.
TEST_F(ServeConnection, TheTableOfDescriptorsIsThereFromTheStart) {
  Start();
  const std::string at_first = DescriptorTable(*server_);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 300; ++i) clients.push_back(std::make_unique<RawClient>(server_->http_port()));
  EXPECT_THAT(Ask(InferRequest("Connection: close\r\n")), HasSubstr("[1,0,3,4]"));
  EXPECT_THAT(at_first, HasSubstr("FDSize:"));
  EXPECT_EQ(DescriptorTable(*server_), at_first);
}

TEST_F(ServeConnection, BodiesThatNeverEndShareABound) {
  Start({"--max-request-memory", "33554432", "--max-body-bytes", "16000000"});
  const uint64_t before = ResidentBytes(*server_);
  for (const char* form :
       {"Content-Length: 15000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\ne4e1c0\r\n"}) {
    std::vector<std::unique_ptr<RawClient>> clients;
    std::string refused;
    for (int i = 0; i < 6; ++i) {
      clients.push_back(std::make_unique<RawClient>(server_->http_port()));
      clients.back()->Send(std::string("POST /v2/models/relu/infer HTTP/1.1\r\nHost: h\r\n") + form);
      clients.back()->Send(std::string(14'000'000, ' '));
      refused += clients.back()->ReadUntil("Retry-After", 100);
    }
    EXPECT_THAT(refused, HasSubstr("503 Service Unavailable")) << form;
    EXPECT_THAT(refused, HasSubstr("Retry-After: 1")) << form;
    EXPECT_LT(ResidentBytes(*server_), before + (48 << 20)) << form;
  }
  // Small requests are answered all the time.
  EXPECT_THAT(Ask(InferRequest("Connection: close\r\n")), HasSubstr("[1,0,3,4]"));
}

TEST_F(ServeConnection, ManyThatEndTogetherMakeRoom) {
  Start({"--max-peer-connections", "200"});
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 200; ++i) {
      clients.push_back(std::make_unique<RawClient>(server_->http_port()));
      clients.back()->Send("GET /v2/health/live HTTP/1.1\r\nHost: h\r\n\r\n");
      EXPECT_THAT(clients.back()->ReadUntil("\r\n\r\n", 10000), StartsWith("HTTP/1.1 200"));
      clients.back()->Send("POST /v2/models/relu/infer HTTP/1.1\r\nHost: h");
    }
  }
  EXPECT_THAT(Ask(InferRequest("Connection: close\r\n")), HasSubstr("[1,0,3,4]"));
}

TEST(FreeLater, EmptiesSmallAndLargeBytes) {
  for (const size_t size : {size_t{0}, size_t{100}, size_t{1} << 22}) {
    std::string bytes(size, 'x');
    serve::FreeLater(&bytes);
    EXPECT_TRUE(bytes.empty());
    EXPECT_LT(bytes.capacity(), 100u);
  }
}

TEST_F(ServeConnection, JsonIsCountedBeforeItIsMade) {
  Start({"--max-request-memory", "33554432"});
  const uint64_t before = ResidentBytes(*server_);
  for (const std::string element : {"{},", "[[]],", "[],", "1,"}) {
    std::string body = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[)";
    for (int i = 0; i < 1'000'000; ++i) body += element;
    const Answer answer =
        Post(server_->http() + "v2/models/relu/infer", body + element.substr(0, element.size() - 1) + "]}]}");
    EXPECT_EQ(answer.status, 413) << element;
    EXPECT_THAT(answer.body, HasSubstr("--max-request-memory"));
  }
  EXPECT_LT(ResidentBytes(*server_), before + (32 << 20));
}

TEST_F(ServeConnection, PagesOfOthersCommandNothing) {
  Start({"--model-control-mode", "explicit", "--load-model", "*", "--allow-origin", "https://good.example"});
  const auto change = [&](const std::string& fields, const char* verb = "load") {
    return Ask("POST /v2/repository/models/relu/" + std::string(verb) + " HTTP/1.1\r\n" + fields +
               "Content-Length: 0\r\nConnection: close\r\n\r\n")
        .substr(9, 3);
  };
  const std::string here = "Host: 127.0.0.1:" + std::to_string(server_->http_port()) + "\r\n";
  const std::string own = "Origin: http://127.0.0.1:" + std::to_string(server_->http_port()) + "\r\n";
  EXPECT_EQ(change(here), "200");
  EXPECT_EQ(change(here + own), "200");
  EXPECT_EQ(change(here + "Content-Type: application/x-www-form-urlencoded\r\n"), "200");
  EXPECT_EQ(change(here + "Origin: https://good.example\r\n"), "200");
  EXPECT_EQ(change(here + "Origin: http://evil.example\r\n", "unload"), "403");
  EXPECT_EQ(change(here + "Origin: null\r\n", "unload"), "403");
  EXPECT_EQ(change(here + "Sec-Fetch-Site: cross-site\r\n", "unload"), "403");
  EXPECT_EQ(change("Host: evil.example\r\n", "unload"), "403");
  EXPECT_EQ(change("Host: evil.example\r\nOrigin: http://evil.example\r\n", "unload"), "403");
  EXPECT_EQ(change(here + "Content-Type: text/plain\r\n", "unload"), "403");
  EXPECT_EQ(change(here + own + "Content-Type: application/x-www-form-urlencoded\r\n", "unload"), "403");
  EXPECT_THAT(Ask(InferRequest("Origin: http://evil.example\r\nConnection: close\r\n")), HasSubstr("403"));
  EXPECT_THAT(Ask(InferRequest("Origin: https://good.example\r\nConnection: close\r\n")),
              HasSubstr("Access-Control-Allow-Origin: https://good.example\r\n"));
}

TEST_F(ServeConnection, RepositoryCallsHaveASwitchAndAKey) {
  WriteText(repository_ / "key", "other\n");
  Start({"--model-control-mode", "explicit", "--repository-key-file", repository_ / "key"});
  const std::string load = "v2/repository/models/relu/load";
  EXPECT_EQ(Post(server_->http() + load, "").status, 401);
  EXPECT_EQ(Post(server_->http() + load, "", {"-H", "Authorization: bearer other"}).status, 200);
  EXPECT_EQ(Post(server_->http() + "v2/models/relu/infer", kOneRow).status, 200);
  ServerProcess off(repository_.path(), {"--model-control-mode", "explicit", "--repository-api", "off"});
  ASSERT_TRUE(off.is_ready()) << off.log();
  EXPECT_EQ(Post(off.http() + load, "").status, 403);
  EXPECT_EQ(Post(off.http() + "v2/repository/index", "").status, 403);
}

}  // namespace
}  // namespace micrort::test
