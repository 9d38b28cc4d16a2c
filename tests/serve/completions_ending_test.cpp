// Texts that are many, that nobody wants any more, or that take too long.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "tests/programs/stories.h"
#include "tests/serve/raw_client.h"
#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"
#include "tests/serve/text_repository.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

// Random letters, of which there is no end.
Json Endless(bool is_streamed) {
  return {{"model", "count"},   {"prompt", "abc"},    {"max_tokens", 10'000'000},
          {"temperature", 1e6}, {"ignore_eos", true}, {"stream", is_streamed}};
}

class ServeTextEnding : public ::testing::Test {
 protected:
  void Start(std::vector<std::string> flags) {
    AddCountingModel(repository_, "count", Letters());
    flags.insert(flags.end(), {"--max-text-tokens", "10000000"});
    server_ = std::make_unique<ServerProcess>(repository_.path(), flags);
    ASSERT_TRUE(server_->is_ready()) << server_->log();
  }
  std::string Url() const { return server_->http() + "v1/completions"; }
  std::unique_ptr<RawClient> Ask(bool is_streamed) const {
    auto client = std::make_unique<RawClient>(server_->http_port());
    client->Send(TextRequest("completions", Endless(is_streamed).dump()));
    return client;
  }
  Answer AskForFour() const {
    return Post(Url(), R"({"model":"count","prompt":"abc","max_tokens":4,"temperature":0})");
  }
  bool Counts(const std::string& line) const {
    return Curl(server_->metrics() + "metrics").body.find(line) != std::string::npos;
  }
  static bool Until(const std::function<bool()>& holds) {
    for (int i = 0; i < 200; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    return false;
  }

  TemporaryFolder repository_;
  std::unique_ptr<ServerProcess> server_;
};

constexpr char kCancelled[] = "micrort_requests_cancelled_total{model=\"count\",version=\"1\"} ";

TEST_F(ServeTextEnding, SequencesAreBoundedAndFreeAgain) {
  Start({"--max-text-sequences", "2"});
  auto first = Ask(true), second = Ask(true);
  EXPECT_THAT(first->ReadUntil("data: "), HasSubstr("200 OK"));
  EXPECT_THAT(second->ReadUntil("data: "), HasSubstr("200 OK"));
  const Answer refused = AskForFour();
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.headers, HasSubstr("Retry-After: 1"));
  EXPECT_THAT(refused.json()["error"]["message"].get<std::string>(),
              HasSubstr("all 2 sequences of the model are in use"));
  EXPECT_EQ(refused.json()["error"]["type"], "server_error");
  // Whoever goes away makes room.
  first.reset();
  EXPECT_TRUE(Until([&] { return AskForFour().status == 200; })) << server_->log();
  EXPECT_TRUE(Until([&] { return Counts(std::string(kCancelled) + "1"); }));
  second.reset();
  EXPECT_TRUE(Until([&] { return Counts(std::string(kCancelled) + "2"); }));
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
}

TEST_F(ServeTextEnding, AClientThatGoesBeforeItsAnswerEndsTheText) {
  Start({});
  auto client = Ask(false);
  ASSERT_TRUE(Until([&] { return IsPending(*server_, "count"); }));
  client.reset();
  EXPECT_TRUE(Until([&] { return Counts(std::string(kCancelled) + "1"); }));
  EXPECT_EQ(AskForFour().status, 200);
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
}

TEST_F(ServeTextEnding, AClientThatGoesWhileThereIsNoTextEndsIt) {
  Start({});
  auto client = std::make_unique<RawClient>(server_->http_port());
  Json request = Endless(true);
  // The largest number, which has no letter, again and again.
  request["temperature"] = 0;
  client->Send(TextRequest("completions", request.dump()));
  client->ReadUntil("\"z\"");
  client.reset();
  EXPECT_TRUE(Until([&] { return Counts(std::string(kCancelled) + "1"); }));
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
}

TEST_F(ServeTextEnding, AHalfClosedClientGetsItsText) {
  Start({});
  RawClient client(server_->http_port());
  Json request = Endless(true);
  request["max_tokens"] = 12000;  // long enough to be probed several times
  client.Send(TextRequest("completions", request.dump()));
  client.EndSending();
  EXPECT_THAT(client.ReadUntil("data: [DONE]"), HasSubstr("\"finish_reason\":\"length\""));
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
}

TEST_F(ServeTextEnding, AClientThatDoesNotReadStopsTheText) {
  Start({"--text-timeout", "3"});
  auto client = Ask(true);
  ASSERT_TRUE(Until([&] { return IsPending(*server_, "count"); }));
  // Others get theirs meanwhile.
  EXPECT_EQ(AskForFour().status, 200);
  ASSERT_TRUE(Until([&] { return !IsPending(*server_, "count"); }));
  EXPECT_THAT(client->ReadUntil("data: [DONE]"), HasSubstr("--text-timeout"));
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
}

TEST_F(ServeTextEnding, ATextHasATime) {
  Start({"--text-timeout", "1"});
  const Answer whole = Post(Url(), Endless(false).dump());
  EXPECT_EQ(whole.status, 504);
  EXPECT_EQ(whole.json()["error"]["code"], "timeout");
  const Answer streamed = Post(Url(), Endless(true).dump());
  EXPECT_EQ(streamed.status, 200);
  const std::vector<Json> events = EventsOf(streamed.body);
  ASSERT_GT(events.size(), 1u);
  EXPECT_EQ(events.back()["error"]["code"], "timeout");
  EXPECT_EQ(AskForFour().json()["choices"][0]["text"], "defg");
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
}

TEST_F(ServeTextEnding, TextsEndWithTheServer) {
  Start({"--drain-seconds", "1"});
  auto streamed = Ask(true), whole = Ask(false);
  streamed->ReadUntil("data: ");
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
  const std::string rest = streamed->ReadAll();
  EXPECT_THAT(rest, HasSubstr("the model is being unloaded"));
  EXPECT_THAT(rest, HasSubstr("data: [DONE]"));
  EXPECT_THAT(whole->ReadAll(), HasSubstr("503 Service Unavailable"));
}

TEST_F(ServeTextEnding, ATextEndsBeforeItsModelIsUnloaded) {
  Start({"--model-control-mode", "explicit", "--load-model", "*", "--drain-seconds", "1"});
  auto client = Ask(true);
  client->ReadUntil("data: ");
  EXPECT_EQ(Post(server_->http() + "v2/repository/models/count/unload", "").status, 200);
  EXPECT_EQ(AskForFour().status, 404);
  EXPECT_THAT(client->ReadUntil("[DONE]"), HasSubstr("the model is being unloaded"));
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
}

TEST_F(ServeTextEnding, SharedBeginningsAreReadAgainWhereTheFlagSaysSo) {
  AddCountingModel(repository_, "kept", Letters(), {"--kv-cache", "11"});
  for (const bool shares : {true, false}) {
    Start(shares ? std::vector<std::string>() : std::vector<std::string>{"--no-shared-beginnings"});
    const char request[] = R"({"model":"kept","prompt":"abc","max_tokens":4,"temperature":0})";
    const Json first = Post(Url(), request).json(), second = Post(Url(), request).json();
    EXPECT_EQ(first["choices"], second["choices"]);
    EXPECT_EQ(second["usage"]["prompt_tokens_details"]["cached_tokens"], shares ? 2 : 0);
    EXPECT_EQ(server_->Stop(), 0) << server_->log();
  }
}

TEST_F(ServeTextEnding, ManySequencesDoNotMix) {
  Start({"--max-text-sequences", "1"});
  // Of the model, not of the server.
  WriteText(repository_ / "count/config.pbtxt",
            "parameters { key: \"text_sequences\" value { string_value: \"8\" } }");
  EXPECT_EQ(server_->Stop(), 0);
  Start({"--max-text-sequences", "1", "--threads", "4"});
  std::vector<std::thread> clients;
  std::vector<std::string> texts(8);
  for (size_t i = 0; i < texts.size(); ++i) {
    clients.emplace_back([&, i] {
      // From "ab", "abc", ... on.
      const std::string prompt = std::string("abcdefghij").substr(0, i + 2);
      Json request = {{"model", "count"},
                      {"prompt", prompt},
                      {"max_tokens", 12},
                      {"temperature", 0},
                      {"stream", i % 2 == 0}};
      for (int turn = 0; turn < 5; ++turn) {
        const Answer answer = Post(Url(), request.dump());
        texts[i] += TextOf(i % 2 == 0 ? EventsOf(answer.body) : std::vector<Json>{answer.json()});
      }
    });
  }
  for (std::thread& client : clients) client.join();
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string text = std::string("cdefghijklmnopqrstuvwxyz").substr(i, 12);
    EXPECT_EQ(texts[i], text + text + text + text + text) << i;
  }
  EXPECT_EQ(server_->Stop(), 0) << server_->log();
}

TEST_F(ServeTextEnding, AKeyIsAskedFor) {
  const TemporaryFolder folder;
  WriteText(folder / "key", "secret\n");
  Start({"--api-key-file", folder / "key"});
  const Answer refused = AskForFour();
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.json()["error"]["code"], "invalid_api_key");
  EXPECT_EQ(Curl(server_->http() + "v1/models").status, 401);
  EXPECT_EQ(Post(Url(), R"({"model":"count","prompt":"abc","max_tokens":4,"temperature":0})",
                 {"-H", "Authorization: Bearer secret"})
                .json()["choices"][0]["text"],
            "defg");
}

TEST(ServeTextLoading, TokenizersAreFoundAndChecked) {
  const TemporaryFolder repository;
  for (const char* name : {"absent", "broken", "named", "family"})
    AddCountingModel(repository, name, Letters());
  const auto parameter = [](const std::string& key, const std::string& value) {
    return "parameters { key: \"" + key + "\" value { string_value: \"" + value + "\" } }";
  };
  WriteText(repository / "absent/config.pbtxt", parameter("tokenizer", "none.json"));
  WriteText(repository / "broken/config.pbtxt", parameter("tokenizer", "letters.json"));
  WriteText(repository / "broken/1/letters.json", "{\"model\": 7}");
  WriteText(repository / "named/config.pbtxt", parameter("tokenizer", "letters.json"));
  WriteText(repository / "named/1/letters.json", Letters().dump());
  WriteText(repository / "family/config.pbtxt",
            parameter("chat", "klingon") + parameter("tokenizer", "tokenizer.json"));
  ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const Json models = Curl(server.http() + "v1/models").json()["data"];
  ASSERT_EQ(models.size(), 1u) << models;
  EXPECT_EQ(models[0]["id"], "named");
  // Of one model, no name is needed.
  EXPECT_EQ(Post(server.http() + "v1/completions", R"({"prompt":"abc","max_tokens":2,"temperature":0})")
                .json()["choices"][0]["text"],
            "de");
  const Json index = Post(server.http() + "v2/repository/index", "").json();
  EXPECT_THAT(index[0]["reason"].get<std::string>(),
              HasSubstr("none.json: config.pbtxt names this tokenizer"));
  EXPECT_THAT(index[1]["reason"].get<std::string>(), HasSubstr("letters.json"));
  EXPECT_THAT(index[2]["reason"].get<std::string>(),
              HasSubstr("chat family 'klingon'; expected one of llama2"));
  EXPECT_EQ(server.Stop(), 0) << server.log();
}

TEST(ServeTextStory, IsTheOneThatOthersTell) {
  MICRORT_NEEDS_MODEL_DATA();
  const TemporaryFolder folder, repository;
  if (!WriteStories(folder.path())) GTEST_SKIP() << "skipped: no python3-onnx";
  const std::string target = repository / "stories/1";
  Json numbers = Letters();
  numbers["model"]["vocab"] = Json::object();
  for (int i = 0; i < 512; ++i) numbers["model"]["vocab"][std::to_string(i) + " "] = i;
  numbers["added_tokens"] = Json::array();
  WriteText(target + "/tokenizer.json", numbers.dump());
  const ProcessResult converted = RunProgram(
      "mnnconvert",
      {folder / "models/stories_gqa.onnx", "-o", target + "/model.fb", "--quiet", "--kv-cache", "256"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const ProcessResult expected =
      RunProgram("micrort-generate", {target + "/model.fb", "--ids", "1", "--max-tokens", "255"});
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  const Answer answer = Post(server.http() + "v1/completions",
                             R"({"prompt":[1],"max_tokens":1000,"temperature":0,"stream":true})");
  EXPECT_EQ(TextOf(EventsOf(answer.body)).substr(0, expected.out.size() - 1) + "\n", expected.out);
  EXPECT_EQ(server.Stop(), 0) << server.log();
}

}  // namespace
}  // namespace micrort::test
