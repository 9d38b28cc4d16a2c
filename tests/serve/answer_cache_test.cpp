// response_cache of config.pbtxt.

#include "serve/scheduler/answer_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

using serve::AnswerCache;
using serve::InferRequest;
using serve::InferResponse;

InferRequest RequestOf(const std::string& bytes, std::vector<int64_t> shape) {
  InferRequest request;
  serve::Tensor tensor;
  tensor.name = "x";
  tensor.shape = std::move(shape);
  tensor.Own(bytes.size());
  std::copy(bytes.begin(), bytes.end(), tensor.owned.begin());
  request.inputs.push_back(std::move(tensor));
  return request;
}

InferResponse ResponseOf(size_t bytes) {
  InferResponse response;
  response.outputs.emplace_back();
  response.outputs[0].Own(bytes);
  return response;
}

TEST(AnswerCache, KeysTellShapesBytesAndWantedOutputsApart) {
  const std::string key = AnswerCache::KeyOf(RequestOf("abcd", {2, 2}));
  EXPECT_EQ(key, AnswerCache::KeyOf(RequestOf("abcd", {2, 2})));
  EXPECT_NE(key, AnswerCache::KeyOf(RequestOf("abcd", {4, 1})));
  EXPECT_NE(key, AnswerCache::KeyOf(RequestOf("abce", {2, 2})));
  InferRequest one_output = RequestOf("abcd", {2, 2});
  one_output.outputs.push_back({"y", false});
  EXPECT_NE(key, AnswerCache::KeyOf(one_output));
}

TEST(AnswerCache, ForgetsWhatWasNotAskedForTheLongest) {
  AnswerCache cache(8000);
  InferResponse found;
  for (const char* key : {"a", "b", "c"}) cache.Keep(key, ResponseOf(1500));
  EXPECT_TRUE(cache.Find("a", &found));
  EXPECT_EQ(found.outputs.at(0).data.size(), 1500u);
  cache.Keep("d", ResponseOf(1500));
  cache.Keep("e", ResponseOf(1500));
  EXPECT_FALSE(cache.Find("b", &found));
  EXPECT_TRUE(cache.Find("a", &found));
  cache.Keep("large", ResponseOf(2000));
  EXPECT_FALSE(cache.Find("large", &found));
}

TEST(AnswerCache, AnswersOfAServerAreTheSameAndCounted) {
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  WriteText(repository / "relu/config.pbtxt", "response_cache { enable: true }\n");
  ServerProcess server(repository.path());
  ASSERT_TRUE(server.is_ready()) << server.log();
  const std::string infer = server.http() + "v2/models/relu/infer";
  const std::string one =
      R"({"id":"1","inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,-2,3,-4]}]})";
  const std::string two =
      R"({"id":"2","inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,-2,3,-4]}]})";
  const std::string other = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[5,-2,3,-4]}]})";
  const Answer first = Post(infer, one), second = Post(infer, two), third = Post(infer, other);
  EXPECT_EQ(first.json()["outputs"], second.json()["outputs"]);
  EXPECT_EQ(second.json()["id"], "2");
  EXPECT_EQ(third.json()["outputs"][0]["data"], nlohmann::json({5, 0, 3, 0}));
  const auto stats = Curl(server.http() + "v2/models/relu/stats").json()["model_stats"][0];
  EXPECT_EQ(stats["inference_stats"]["cache_hit"]["count"], 1);
  EXPECT_EQ(stats["inference_stats"]["cache_miss"]["count"], 2);
  EXPECT_EQ(stats["inference_stats"]["success"]["count"], 3);
  EXPECT_EQ(stats["inference_stats"]["compute_infer"]["count"], 2);
  EXPECT_EQ(stats["execution_count"], 2);
}

}  // namespace
}  // namespace micrort::test
