// Text over OpenAI's interface, with a decoder that counts: after "abc" comes "defg".

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/serve/raw_client.h"
#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"
#include "tests/serve/text_repository.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class ServeText : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    repository_ = new TemporaryFolder();
    AddCountingModel(*repository_, "count", Letters());
    AddCountingModel(*repository_, "kept", Letters(), {"--kv-cache", "11"});
    AddCountingModel(*repository_, "chat", ChatLetters());
    AddCountingModel(*repository_, "bytes", Bytes());
    AddReluModel(*repository_, "relu", 1);
    // A tokenizer beside a model that predicts nothing is none of the server's.
    AddReluModel(*repository_, "encoder", 1);
    WriteText(*repository_ / "encoder/1/tokenizer.json", Letters().dump());
    server_ = new ServerProcess(*repository_ / "", {"--max-text-tokens", "100"});
    ASSERT_TRUE(server_->is_ready()) << server_->log();
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(server_->Stop(), 0) << server_->log();
    delete server_;
    delete repository_;
  }
  static std::string Url(const std::string& path) { return server_->http() + "v1/" + path; }
  static Answer Complete(const Json& request) { return Post(Url("completions"), request.dump()); }
  static Answer Chat(const Json& request) { return Post(Url("chat/completions"), request.dump()); }

  static TemporaryFolder* repository_;
  static ServerProcess* server_;
};
TemporaryFolder* ServeText::repository_ = nullptr;
ServerProcess* ServeText::server_ = nullptr;

Json Abc(const Json& more = Json::object()) {
  Json request = {{"model", "count"}, {"prompt", "abc"}, {"max_tokens", 4}, {"temperature", 0}};
  request.update(more);
  return request;
}

TEST_F(ServeText, CompletesAPrompt) {
  const Answer answer = Complete(Abc());
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json json = answer.json();
  EXPECT_EQ(json["object"], "text_completion");
  EXPECT_EQ(json["model"], "count");
  EXPECT_THAT(json["id"].get<std::string>(), ::testing::StartsWith("cmpl-"));
  EXPECT_EQ(json["choices"],
            Json::parse(R"([{"index":0,"text":"defg","logprobs":null,"finish_reason":"length"}])"));
  EXPECT_EQ(json["usage"], Json::parse(R"({"prompt_tokens":3,"completion_tokens":4,"total_tokens":7,
                                             "prompt_tokens_details":{"cached_tokens":0}})"));
}

TEST_F(ServeText, TakesPromptsInOtherForms) {
  EXPECT_EQ(Complete(Abc({{"prompt", {"abc"}}})).json()["choices"][0]["text"], "defg");
  EXPECT_EQ(Complete(Abc({{"prompt", {1, 2, 3}}})).json()["choices"][0]["text"], "defg");
  EXPECT_EQ(Complete(Abc({{"max_tokens", nullptr}})).json()["usage"]["completion_tokens"], 16);
  EXPECT_EQ(Complete(Abc({{"max_tokens", 0}})).json()["choices"][0]["text"], "");
}

TEST_F(ServeText, AnswersSeveralPrompts) {
  const Json prompts = {"abc", {1, 2}, "f"};
  for (const char* model : {"count", "kept"}) {
    const Json request = Abc({{"model", model}, {"prompt", prompts}, {"max_tokens", 3}});
    const Answer answer = Complete(request);
    ASSERT_EQ(answer.status, 200) << answer.body;
    const Json json = answer.json();
    ASSERT_EQ(json["choices"].size(), prompts.size()) << answer.body;
    EXPECT_EQ(json["usage"]["prompt_tokens"], 6);
    EXPECT_EQ(json["usage"]["completion_tokens"], 9);
    Json streamed = request;
    streamed["stream"] = true;
    std::string found[3];
    size_t ends = 0;
    for (const Json& event : EventsOf(Complete(streamed).body)) {
      const Json& choice = event["choices"][0];
      found[choice["index"].get<size_t>()] += choice["text"].get<std::string>();
      ends += choice["finish_reason"] == "length" ? 1 : 0;
    }
    EXPECT_EQ(ends, prompts.size());
    for (size_t i = 0; i < prompts.size(); ++i) {
      const Json alone = Complete(Abc({{"prompt", prompts[i]}, {"max_tokens", 3}})).json();
      EXPECT_EQ(json["choices"][i]["index"], i);
      EXPECT_EQ(json["choices"][i]["text"], alone["choices"][0]["text"]);
      EXPECT_EQ(json["choices"][i]["finish_reason"], "length");
      EXPECT_EQ(found[i], alone["choices"][0]["text"]);
    }
  }
}

// What begins as the last text of its sequence does is not read again, where caches can go back.
TEST_F(ServeText, KeepsWhatTextsBeginWithAlike) {
  const auto answer = [](const char* model, const std::string& prompt) {
    return Complete(Abc({{"model", model}, {"prompt", prompt}, {"max_tokens", 2}})).json();
  };
  const auto reused = [&](const std::string& prompt) {
    const Json kept = answer("kept", prompt), plain = answer("count", prompt);
    EXPECT_EQ(kept["choices"], plain["choices"]) << prompt;
    EXPECT_EQ(plain["usage"]["prompt_tokens_details"]["cached_tokens"], 0);
    return kept["usage"]["prompt_tokens_details"]["cached_tokens"].get<int>();
  };
  reused("l");
  EXPECT_EQ(reused("abc"), 0);
  EXPECT_EQ(reused("abcde"), 4);  // and "d", which was an answer
  EXPECT_EQ(reused("abx"), 2);
  EXPECT_EQ(reused("abx"), 2);  // the last token is read for its scores
  EXPECT_EQ(reused("bc"), 0);
  const Json both = Complete(Abc({{"model", "kept"}, {"prompt", {"fgh", "fgx"}}})).json();
  EXPECT_EQ(both["usage"]["prompt_tokens_details"]["cached_tokens"], 2);
}

TEST_F(ServeText, StreamsEvents) {
  const Answer answer = Complete(Abc({{"stream", true}, {"stream_options", {{"include_usage", true}}}}));
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(answer.headers, HasSubstr("Content-Type: text/event-stream"));
  EXPECT_THAT(answer.headers, HasSubstr("Transfer-Encoding: chunked"));
  const std::vector<Json> events = EventsOf(answer.body);
  ASSERT_EQ(events.size(), 6u) << answer.body;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(events[i]["choices"][0]["text"], std::string(1, static_cast<char>('d' + i)));
    EXPECT_EQ(events[i]["choices"][0]["finish_reason"], nullptr);
    EXPECT_EQ(events[i]["id"], events[0]["id"]);
  }
  EXPECT_EQ(events[4]["choices"][0]["finish_reason"], "length");
  EXPECT_EQ(events[5]["choices"], Json::array());
  EXPECT_EQ(events[5]["usage"]["total_tokens"], 7);
}

TEST_F(ServeText, EndsAtAStopWord) {
  for (const bool is_streamed : {false, true}) {
    const Answer answer =
        Complete(Abc({{"stop", {"xyz", "hi"}}, {"max_tokens", 20}, {"stream", is_streamed}}));
    ASSERT_EQ(answer.status, 200) << answer.body;
    const std::vector<Json> events = is_streamed ? EventsOf(answer.body) : std::vector<Json>{answer.json()};
    EXPECT_EQ(TextOf(events), "defg");
    EXPECT_EQ(events.back()["choices"][0]["finish_reason"], "stop");
  }
  EXPECT_EQ(Complete(Abc({{"stop", "e"}})).json()["choices"][0]["text"], "d");
}

TEST_F(ServeText, DrawsTheSameForASeed) {
  const auto draw = [](const Json& more) {
    Json request = Abc({{"temperature", 50}, {"max_tokens", 60}, {"ignore_eos", true}});
    request.update(more);
    return Complete(request).json()["choices"][0]["text"].get<std::string>();
  };
  const std::string drawn = draw({{"seed", 7}});
  EXPECT_EQ(drawn, draw({{"seed", 7}}));
  EXPECT_NE(drawn, draw({{"seed", -8}}));
  EXPECT_NE(draw(Json::object()), draw(Json::object()));
  // Of the most probable token alone.
  EXPECT_EQ(draw({{"top_k", 1}, {"max_tokens", 4}}), "defg");
  EXPECT_EQ(draw({{"top_p", 0}, {"max_tokens", 4}}), "defg");
  EXPECT_EQ(draw({{"min_p", 1}, {"max_tokens", 4}}), "defg");
}

TEST_F(ServeText, NeverSplitsACharacter) {
  Json request = {
      {"model", "bytes"}, {"prompt", {1, 2}}, {"max_tokens", 6}, {"temperature", 0}, {"stream", true}};
  const std::vector<Json> events = EventsOf(Complete(request).body);
  std::vector<std::string> pieces;
  for (const Json& event : events) pieces.push_back(event["choices"][0]["text"]);
  EXPECT_THAT(pieces, ::testing::ElementsAre("\xC3\xA9", "\xE2\x82\xAC", "e", ""));
  // The answer ends inside a character: it is marked, not cut.
  request["max_tokens"] = 3;
  EXPECT_EQ(TextOf(EventsOf(Complete(request).body)), "\xC3\xA9\xEF\xBF\xBD");
}

TEST_F(ServeText, GivesAnEndWhereACacheIsFull) {
  const Answer answer = Complete(Abc({{"model", "kept"}, {"max_tokens", 50}}));
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.json()["choices"][0]["text"], "defghijkl");
  EXPECT_EQ(answer.json()["choices"][0]["finish_reason"], "length");
  const Answer too_long = Complete(Abc({{"model", "kept"}, {"prompt", "abcdefghijklmnop"}}));
  EXPECT_EQ(too_long.status, 400);
  EXPECT_THAT(too_long.body, HasSubstr("the cache has 11 rows"));
}

TEST_F(ServeText, HoldsAConversation) {
  const Json messages = Json::parse(R"([{"role":"developer","content":"a"},
      {"role":"user","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}])");
  const Json request = {
      {"model", "chat"}, {"messages", messages}, {"max_completion_tokens", 3}, {"temperature", 0}};
  const Answer answer = Chat(request);
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json json = answer.json();
  EXPECT_EQ(json["object"], "chat.completion");
  EXPECT_EQ(json["choices"][0]["message"]["role"], "assistant");
  // <|im_start|>systema<|im_end|> <|im_start|>userbc<|im_end|> <|im_start|>assistant
  EXPECT_EQ(json["usage"]["prompt_tokens"], 27);
  Json streamed = request;
  streamed["stream"] = true;
  const std::vector<Json> events = EventsOf(Chat(streamed).body);
  EXPECT_EQ(events[0]["object"], "chat.completion.chunk");
  EXPECT_EQ(events[0]["choices"][0]["delta"]["role"], "assistant");
  EXPECT_EQ(TextOf(events), json["choices"][0]["message"]["content"]);
  EXPECT_EQ(events.back()["choices"][0]["delta"], Json::object());
  Json unknown = request;
  unknown["model"] = "count";
  EXPECT_THAT(Chat(unknown).body, HasSubstr("does not tell how the model takes conversations"));
}

TEST_F(ServeText, ListsItsModels) {
  const Json models = Curl(Url("models")).json();
  EXPECT_EQ(models["object"], "list");
  ASSERT_EQ(models["data"].size(), 4u) << models;
  EXPECT_EQ(models["data"][0]["id"], "bytes");
  EXPECT_EQ(models["data"][0]["object"], "model");
  EXPECT_EQ(Curl(Url("models/count")).json()["id"], "count");
  EXPECT_EQ(Curl(Url("models/relu")).status, 404);
  EXPECT_THAT(server_->log(), HasSubstr("makes no text: input 'x' is neither tokens"));
}

TEST_F(ServeText, SaysWhatIsWrongWithARequest) {
  const std::string long_text(2000, 'a');
  const struct {
    std::string body, message;
  } cases[] = {
      {"", "no JSON"},
      {"[]", "expected a JSON object"},
      {"{}", "expected 'prompt'"},
      {R"({"prompt":"a"})", "expected 'model': the server has 4"},
      {R"({"model":1,"prompt":"a"})", "'model' to be a string"},
      {R"({"model":"relu","prompt":"a"})", "makes no text"},
      {R"({"model":"count","prompt":["a",1]})",
       "expected 'prompt' to be a text, a list of tokens, or a list"},
      {R"({"model":"count","prompt":["a",["b"]]})", "expected 'prompt' to be a text"},
      {R"({"model":"count","prompt":["a",[]]})", "expected 'prompt' to be a text"},
      {R"({"model":"count","prompt":["a",""]})", "the prompt has no token"},
      {R"({"model":"count","prompt":[1,-2]})", "expected 'prompt' to be a text"},
      {R"({"model":"count","prompt":[4000000000]})", "expected 'prompt' to be a text"},
      {R"({"model":"count","prompt":[1,77]})", "77"},
      {R"({"model":"count","prompt":""})", "the prompt has no token"},
      {R"({"model":"count","prompt":{}})", "expected 'prompt' to be a text"},
      {R"({"model":"count","prompt":[]})", "expected 'prompt' to be a text"},
      {R"({"model":"count","prompt":"a","max_tokens":-1})", "'max_tokens' to be an integer from 0 to 100"},
      {R"({"model":"count","prompt":"a","max_tokens":101})", "'max_tokens' to be an integer from 0 to 100"},
      {R"({"model":"count","prompt":"a","max_tokens":18446744073709551615})",
       "'max_tokens' to be an integer"},
      {R"({"model":"count","prompt":"a","max_tokens":1.5})", "'max_tokens' to be an integer"},
      {R"({"model":"count","prompt":"a","temperature":"1"})", "'temperature' to be a number"},
      {R"({"model":"count","prompt":"a","temperature":-0.1})", "'temperature' to be a number from 0"},
      {R"({"model":"count","prompt":"a","temperature":1e999})", "no JSON"},
      {R"({"model":"count","prompt":"a","temperature":NaN})", "no JSON"},
      {R"({"model":"count","prompt":"a","top_p":1.01})", "'top_p' to be a number from 0"},
      {R"({"model":"count","prompt":"a","top_k":-1})", "'top_k' to be an integer"},
      {R"({"model":"count","prompt":"a","repetition_penalty":0})", "'repetition_penalty' to be a number"},
      {R"({"model":"count","prompt":"a","seed":1.5})", "'seed' to be an integer"},
      {R"({"model":"count","prompt":"a","stop":[1]})", "'stop' to be texts"},
      {R"({"model":"count","prompt":"a","stop":")" + long_text + "\"}", "'stop' to be texts of at most 1024"},
      {R"({"model":"count","prompt":"a","stream":1})", "'stream' to be true or false"},
      {R"({"model":"count","prompt":"a","n":2})", "'n' to be an integer from 1 to 1"},
      {R"({"model":"count","prompt":"a","echo":true})", "'echo' is not supported"},
      {R"({"model":"count","prompt":"a","logprobs":3})", "'logprobs' is not supported"},
      {R"({"model":"count","prompt":"a","response_format":{"type":"json_object"}})", "'response_format'"},
  };
  for (const auto& c : cases) {
    const Answer answer = Post(Url("completions"), c.body);
    EXPECT_EQ(answer.status, 400) << c.body;
    const Json error = answer.json()["error"];
    ASSERT_TRUE(error.is_object()) << answer.body;
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr(c.message)) << c.body;
    EXPECT_EQ(error["type"], "invalid_request_error");
  }
}

TEST_F(ServeText, SaysWhatIsWrongWithAConversation) {
  const struct {
    const char *messages, *message;
  } cases[] = {{"[]", "expected 'messages' to be a list of 1 to"},
               {"1", "expected 'messages' to be a list"},
               {"[1]", "message 0: expected an object"},
               {R"([{"role":"tool","content":"a"}])", "message 0: expected 'role' to be system, user or"},
               {R"([{"role":"user"}])", "message 0: expected 'content' to be a text"},
               {R"([{"role":"user","content":[{"type":"image_url"}]}])", "message 0: expected parts of"},
               {R"([{"role":"assistant","content":"a"}])", "at most one of the system first"}};
  for (const auto& c : cases) {
    const Answer answer =
        Post(Url("chat/completions"), std::string(R"({"model":"chat","messages":)") + c.messages + "}");
    EXPECT_EQ(answer.status, 400) << c.messages;
    EXPECT_THAT(answer.body, HasSubstr(c.message)) << c.messages;
  }
}

TEST_F(ServeText, LimitsWhatARequestMayTake) {
  Json stops = Json::array();
  for (int i = 0; i < 1'000'000; ++i) stops.push_back("x");
  const Answer many = Complete(Abc({{"stop", stops}}));
  EXPECT_EQ(many.status, 400);
  EXPECT_THAT(many.body, HasSubstr("'stop' to be at most 64 texts"));
  const Answer prompts = Complete(Abc({{"prompt", std::vector<std::string>(65, "a")}}));
  EXPECT_EQ(prompts.status, 400);
  EXPECT_THAT(prompts.body, HasSubstr("'prompt' to be at most 64 texts"));
  EXPECT_EQ(Complete(Abc({{"prompt", std::string(2'000'000, 'a')}})).status, 413);
}

TEST_F(ServeText, SaysWhatItDoesNotHave) {
  const Answer none = Complete(Abc({{"model", "none"}}));
  EXPECT_EQ(none.status, 404);
  EXPECT_EQ(none.json()["error"]["code"], "model_not_found");
  EXPECT_EQ(Curl(Url("completions")).status, 405);
  EXPECT_EQ(Post(Url("models"), "{}").status, 405);
  EXPECT_EQ(Curl(Url("nothing")).status, 404);
  EXPECT_EQ(Post(Url("embeddings"), "{}").status, 404);
  const Answer origin = Post(Url("completions"), Abc().dump(), {"-H", "Origin: http://evil.example"});
  EXPECT_EQ(origin.status, 403);
  EXPECT_EQ(origin.json()["error"]["type"], "permission_error");
  EXPECT_EQ(Post(Url("completions"), Abc().dump(), {"-H", "Content-Encoding: gzip"}).status, 400);
}

TEST_F(ServeText, KeepsAConnectionAfterAStream) {
  RawClient client(server_->http_port());
  const std::string body = Abc({{"stream", true}}).dump();
  for (int i = 0; i < 2; ++i) {
    client.Send(TextRequest("completions", body));
    const std::string answer = client.ReadUntil("\r\n0\r\n\r\n");
    EXPECT_THAT(answer, HasSubstr("HTTP/1.1 200 OK")) << i;
    EXPECT_THAT(answer, HasSubstr("data: [DONE]\n\n"));
  }
}

TEST_F(ServeText, StreamsWithoutChunksToOldClients) {
  RawClient client(server_->http_port());
  const std::string body = Abc({{"stream", true}}).dump();
  client.Send("POST /v1/completions HTTP/1.0\r\nHost: localhost\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
  const std::string answer = client.ReadAll();
  EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(answer, Not(HasSubstr("chunked")));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\ndata: {"));
  EXPECT_THAT(answer, ::testing::EndsWith("data: [DONE]\n\n"));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServeText, CountsWhatItDid) {
  ASSERT_EQ(Complete(Abc()).status, 200);
  const std::string metrics = Curl(server_->metrics() + "metrics").body;
  EXPECT_THAT(metrics, HasSubstr("micrort_requests_success_total{model=\"count\",version=\"1\"} "));
  EXPECT_THAT(metrics, HasSubstr("micrort_prompt_tokens_total{model=\"count\",version=\"1\"} "));
  EXPECT_THAT(metrics, HasSubstr("micrort_text_tokens_total{model=\"count\",version=\"1\"} "));
  // A model without text has written none.
  EXPECT_THAT(metrics, HasSubstr("micrort_text_tokens_total{model=\"relu\",version=\"1\"} 0\n"));
}

}  // namespace
}  // namespace micrort::test
