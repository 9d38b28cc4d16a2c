// Exchanges with curl, one an endpoint.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <regex>

#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class Serve : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    repository_ = new TemporaryFolder();
    AddReluModel(*repository_, "relu", 1);
    AddReluModel(*repository_, "relu", 2, 100);
    WriteText(*repository_ / "relu/config.pbtxt",
              "name: \"relu\"\nmax_batch_size: 8\nversion_policy { all {} }\n"
              "input [ { name: \"x\" data_type: TYPE_FP32 dims: [ 4 ] } ]\n"
              "dynamic_batching { preferred_batch_size: [ 4, 8 ] max_queue_delay_microseconds: 100 }\n"
              "parameters { key: \"label.stable\" value { string_value: \"1\" } }\n");
    AddTypesModel(*repository_, "types");
    AddGatherModel(*repository_, "gather");
    server_ = new ServerProcess(*repository_ / "");
    ASSERT_TRUE(server_->is_ready()) << server_->log();
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(server_->Stop(), 0) << server_->log();
    delete server_;
    delete repository_;
  }
  static std::string V2(const std::string& path) { return server_->http() + "v2/" + path; }
  static std::string V1(const std::string& path) { return server_->rest() + "v1/models/" + path; }

  static TemporaryFolder* repository_;
  static ServerProcess* server_;
};
TemporaryFolder* Serve::repository_ = nullptr;
ServerProcess* Serve::server_ = nullptr;

constexpr char kReluRequest[] =
    R"({"id":"7","inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[-1,2,-3,4.5]}]})";

TEST_F(Serve, IsLiveAndReady) {
  EXPECT_EQ(Curl(V2("health/live")).status, 200);
  EXPECT_EQ(Curl(V2("health/ready")).status, 200);
  EXPECT_EQ(Curl(V2("models/relu/ready")).status, 200);
  EXPECT_EQ(Curl(V2("models/relu/versions/1/ready")).status, 200);
  EXPECT_EQ(Curl(V2("models/relu/versions/9/ready")).status, 503);
}

TEST_F(Serve, TellsItsMetadata) {
  const Json json = Curl(V2("")).json();
  EXPECT_EQ(json["name"], "micrort-serve");
  EXPECT_THAT(json["extensions"], ::testing::Contains("binary_tensor_data"));
}

TEST_F(Serve, TellsAModelsMetadata) {
  EXPECT_EQ(Curl(V2("models/relu")).body, R"({"name":"relu","versions":["1","2"],"platform":"micrort",)"
                                          R"("inputs":[{"name":"x","datatype":"FP32","shape":[-1,4]}],)"
                                          R"("outputs":[{"name":"y","datatype":"FP32","shape":[-1,4]}]})");
}

TEST_F(Serve, TellsAModelsConfiguration) {
  const Json json = Curl(V2("models/relu/config")).json();
  EXPECT_EQ(json["max_batch_size"], 8);
  EXPECT_EQ(json["input"][0]["dims"], Json({4}));
  EXPECT_EQ(json["dynamic_batching"]["max_queue_delay_microseconds"], 100);
}

TEST_F(Serve, InfersFromJsonByTheNewestVersion) {
  EXPECT_EQ(Post(V2("models/relu/infer"), kReluRequest).body,
            R"({"model_name":"relu","model_version":"2","id":"7",)"
            R"("outputs":[{"name":"y","datatype":"FP32","shape":[1,4],"data":[100,102,100,104.5]}]})");
}

TEST_F(Serve, InfersByAVersion) {
  const Json json = Post(V2("models/relu/versions/1/infer"), kReluRequest).json();
  EXPECT_EQ(json["model_version"], "1");
  EXPECT_EQ(json["outputs"][0]["data"], Json({0, 2, 0, 4.5}));
}

TEST_F(Serve, TakesNestedLists) {
  const Answer answer =
      Post(V2("models/relu/versions/1/infer"),
           R"({"inputs":[{"name":"x","datatype":"FP32","shape":[2,4],"data":[[1,2,3,4],[5,6,7,-8]]}]})");
  EXPECT_EQ(answer.json()["outputs"][0]["data"], Json({1, 2, 3, 4, 5, 6, 7, 0})) << answer.body;
}

TEST_F(Serve, TakesAndGivesBinaryTensors) {
  const std::string header = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],)"
                             R"("parameters":{"binary_data_size":16}}],)"
                             R"("outputs":[{"name":"y","parameters":{"binary_data":true}}]})";
  const float x[] = {-1, 2, -3, 4.5f};
  const std::string body = header + std::string(reinterpret_cast<const char*>(x), sizeof x);
  const Answer answer = Post(V2("models/relu/versions/1/infer"), body,
                             {"-H", "Inference-Header-Content-Length: " + std::to_string(header.size())});
  ASSERT_EQ(answer.status, 200) << answer.body;
  const std::string name = "Inference-Header-Content-Length: ";
  const size_t at = answer.headers.find(name);
  ASSERT_NE(at, std::string::npos) << answer.headers;
  const size_t json_bytes = static_cast<size_t>(std::atoi(answer.headers.c_str() + at + name.size()));
  ASSERT_EQ(answer.body.size(), json_bytes + sizeof x);
  const Json json = Json::parse(answer.body.substr(0, json_bytes));
  EXPECT_EQ(json["outputs"][0]["parameters"]["binary_data_size"], 16);
  float y[4];
  std::memcpy(y, answer.body.data() + json_bytes, sizeof y);
  EXPECT_THAT(y, ElementsAre(0, 2, 0, 4.5f));
}

TEST_F(Serve, TakesEveryTypeOfTheProtocol) {
  Json inputs = Json::array();
  for (const char* type :
       {"UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP32", "FP64"})
    inputs.push_back(
        {{"name", std::string("in_") + type}, {"datatype", type}, {"shape", {2}}, {"data", {1, 100}}});
  inputs[3]["data"][1] = 18446744073709551615u;
  inputs[7]["data"][1] = INT64_MIN;
  inputs.push_back({{"name", "in_BOOL"}, {"datatype", "BOOL"}, {"shape", {2}}, {"data", {true, false}}});
  inputs.push_back({{"name", "in_FP16"}, {"datatype", "FP16"}, {"shape", {2}}, {"data", {0.5, 2}}});
  Json outputs = Json::array();
  for (const Json& input : inputs) {
    const std::string name = input["name"];
    if (name != "in_FP16") outputs.push_back({{"name", "out" + name.substr(2)}});
  }
  const Answer answer =
      Post(V2("models/types/infer"), Json({{"inputs", inputs}, {"outputs", outputs}}).dump());
  ASSERT_EQ(answer.status, 200) << answer.body;
  ASSERT_EQ(answer.json()["outputs"].size(), 11u);
  for (const Json& output : answer.json()["outputs"]) {
    for (const Json& input : inputs) {
      if (input["datatype"] != output["datatype"]) continue;
      Json expected = input["data"];
      for (int i = 0; i < 2; ++i) expected.push_back(Json(expected[static_cast<size_t>(i)]));
      EXPECT_EQ(output["data"], expected) << output;
    }
  }
  // Halves have no JSON in answers.
  const Answer half = Post(V2("models/types/infer"), Json({{"inputs", inputs}}).dump());
  EXPECT_EQ(half.status, 400);
  EXPECT_THAT(half.body, HasSubstr("binary_data"));
}

TEST_F(Serve, SaysWhatIsWrongWithARequest) {
  const auto with = [](const std::string& input) { return R"({"inputs":[)" + input + "]}"; };
  const struct {
    std::string body, message;
  } cases[] = {
      {"{", "no JSON: byte 2, at '{'"},
      {"{\"inputs\":[NaN]}", "no JSON: byte 12"},
      {"", "no JSON: it is empty"},
      {"[]", "expected a JSON object as the body, found a list"},
      {"{}", "expected 'inputs'"},
      {with(""), "expected 1 inputs, found 0: expected 'x'"},
      {with(R"({"name":"z","datatype":"FP32","shape":[1,4],"data":[1,2,3,4]})"),
       "expected an input 'x', found 'z'"},
      {R"({"input":[]})", "expected 'inputs', found 'input'"},
      {R"({"inputs":[1]})", "to be an object, found 1"},
      {R"({"id":7,"inputs":[]})", "expected 'id' to be a string, found 7"},
      {R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,"4"],"data":[1,2,3,4]}]})",
       "a list of integers, found a string"},
      {R"({"inputs":[{"name":"x","datatype":"FP32","dims":[1,4],"data":[1,2,3,4]}]})",
       "expected 'shape', found 'data', 'datatype', 'dims', 'name'"},
      {R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,2,3,4]}],"outputs":[{"name":"z"}]})",
       "has no output 'z'; it has 'y'"},
      {with(R"({"name":"x","datatype":"INT32","shape":[1,4],"data":[1,2,3,4]})"), "expected datatype FP32"},
      {with(R"({"name":"x","datatype":"BYTES","shape":[1,4],"data":["a"]})"),
       "no model takes datatype 'BYTES'; expected one of BOOL, "},
      {with(R"({"name":"x","datatype":"float32","shape":[1,4],"data":[1,2,3,4]})"), "did you mean FP32?"},
      {with(R"({"name":"x","datatype":"DT_FLOAT","shape":[1,4],"data":[1,2,3,4]})"), "did you mean FP32?"},
      {with(R"({"name":"x","datatype":"FP32","shape":[1,5],"data":[1,2,3,4,5]})"), "expected shape [-1,4]"},
      {with(R"({"name":"x","datatype":"FP32","shape":[1,4],"data":[1,2,3]})"), "expected 4 elements"},
      {with(R"({"name":"x","datatype":"FP32","shape":[1,4],"data":[1,2,3,"4"]})"), "\\\"4\\\" is no FP32"},
      {with(R"({"name":"x","datatype":"FP32","shape":[-1,4],"data":[1,2,3,4]})"), "is no shape"},
      {with(R"({"name":"x","datatype":"FP32","shape":[9,4],"data":[]})"), "expected 36 elements"},
      {with(R"({"name":"x","datatype":"FP32","shape":[0,4],"data":[]})"), "expected a batch of 1 to 8"},
      {with(R"({"name":"x","datatype":"FP32","shape":[1,4],"parameters":{"binary_data_size":16}})"),
       "expected 16 bytes behind the JSON, found 0"},
      {with(R"({"name":"x","datatype":"FP32","shape":[4611686018427387904,4],"data":[]})"), "is no shape"},
  };
  for (const auto& c : cases) {
    const Answer answer = Post(V2("models/relu/infer"), c.body);
    EXPECT_EQ(answer.status, 400) << c.body;
    EXPECT_THAT(answer.body, HasSubstr(c.message)) << c.body;
  }
}

// Each is looked for among all: a million of them would take their time.
TEST_F(Serve, TakesNoMoreOutputsThanThereAre) {
  const std::string request(kReluRequest), outputs = R"(,"outputs":[{"name":"y"},{"name":"y"}]})";
  const Answer answer = Post(V2("models/relu/infer"), request.substr(0, request.size() - 1) + outputs);
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr("expected at most 1 outputs, found 2"));
}

TEST_F(Serve, SaysWhatItDoesNotHave) {
  const Answer none = Post(V2("models/none/infer"), kReluRequest);
  EXPECT_EQ(none.status, 404);
  EXPECT_THAT(none.body, HasSubstr("model 'none' is not loaded; loaded: "));
  EXPECT_THAT(none.body, HasSubstr("'relu'"));
  EXPECT_THAT(Post(V2("predict"), "{}").body, HasSubstr("a model answers POST /v2/models/NAME/infer"));
  EXPECT_EQ(Post(V2("models/relu/versions/3/infer"), kReluRequest).status, 404);
  EXPECT_EQ(Curl(V2("models/relu/nothing")).status, 404);
  EXPECT_EQ(Curl(V2("models/..%2F..%2Fetc")).status, 404);
  EXPECT_EQ(Curl(V2("models/relu/infer")).status, 405);
  EXPECT_THAT(Curl(V2("models/relu/infer")).body, HasSubstr("expected POST, found GET"));
  EXPECT_THAT(Curl(V2("models/relu/versions/3/stats")).body, HasSubstr("no version '3' loaded; it has 1, 2"));
  EXPECT_THAT(Post(V1("relu/labels/other:predict"), "{}").body, HasSubstr("it has 'stable'"));
  EXPECT_THAT(Post(V1("relu:predict"), R"({"inputs":{"z":[1]}})").body, HasSubstr("expected 'x'"));
  EXPECT_EQ(Post(V2("repository/models/relu/unload"), "{}").status, 400);
  EXPECT_EQ(Post(V2("models/relu/infer"), kReluRequest, {"-H", "Content-Encoding: gzip"}).status, 400);
}

TEST_F(Serve, ErrorsOfARunAreTheRequests) {
  const auto ask = [](int index) {
    return Post(V2("models/gather/infer"),
                R"({"inputs":[{"name":"x","datatype":"INT64","shape":[1,1],"data":[)" +
                    std::to_string(index) + "]}]}");
  };
  EXPECT_EQ(ask(3).json()["outputs"][0]["data"], Json({30}));
  EXPECT_EQ(ask(8).status, 400);
  EXPECT_EQ(ask(7).json()["outputs"][0]["data"], Json({70}));
}

TEST_F(Serve, CountsWhatItDid) {
  ASSERT_EQ(Post(V2("models/relu/versions/1/infer"), kReluRequest).status, 200);
  const Json stats = Curl(V2("models/relu/versions/1/stats")).json()["model_stats"][0];
  EXPECT_GE(stats["inference_count"], 1);
  EXPECT_GE(stats["inference_stats"]["success"]["count"], 1);
  EXPECT_GT(stats["inference_stats"]["compute_infer"]["ns"], 0);
  EXPECT_EQ(Curl(V2("models/stats")).json()["model_stats"].size(), 4u);
  const std::string metrics = Curl(server_->metrics() + "metrics").body;
  EXPECT_THAT(metrics, HasSubstr("micrort_requests_success_total{model=\"relu\",version=\"1\"} "));
  EXPECT_THAT(metrics,
              HasSubstr("micrort_queue_duration_seconds_bucket{model=\"relu\",version=\"1\",le=\"+Inf\"} "));
  EXPECT_GT(stats["memory_usage"][0]["byte_size"], 0);
}

// Boards and alerts that were made for Triton.
TEST_F(Serve, HasTritonsMetrics) {
  ASSERT_EQ(Post(V2("models/types/infer"), R"({"inputs":[]})").status, 400);
  ASSERT_EQ(Post(V2("models/relu/versions/1/infer"), kReluRequest).status, 200);
  const std::string metrics = Curl(server_->metrics() + "metrics").body;
  for (const char* name :
       {"nv_inference_request_success", "nv_inference_count", "nv_inference_exec_count",
        "nv_inference_pending_request_count", "nv_inference_request_duration_us",
        "nv_inference_queue_duration_us", "nv_inference_compute_input_duration_us",
        "nv_inference_compute_infer_duration_us", "nv_inference_compute_output_duration_us",
        "nv_cache_num_hits_per_model", "nv_cache_num_misses_per_model"})
    EXPECT_THAT(metrics, HasSubstr("\n" + std::string(name) + "{model=\"relu\",version=\"1\"} ")) << name;
  for (const char* reason : {"REJECTED", "CANCELED", "BACKEND"}) {
    EXPECT_THAT(metrics, HasSubstr("\nnv_inference_request_failure{model=\"relu\",version=\"1\",reason=\"" +
                                   std::string(reason) + "\"} "));
  }
}

// The board for Grafana asks for nothing that a server does not tell.
TEST_F(Serve, HasTheMetricsOfTheBoard) {
  const std::string metrics = Curl(server_->metrics() + "metrics").body;
  std::ifstream file(SourceFile("deploy/grafana/micrort-serve.json"));
  const Json board = Json::parse(file, nullptr, false);
  ASSERT_TRUE(board.is_object());
  std::string queries = board["templating"].dump();
  for (const Json& panel : board["panels"]) {
    ASSERT_FALSE(panel["targets"].empty()) << panel["title"];
    for (const Json& target : panel["targets"]) queries += target["expr"].get<std::string>() + '\n';
  }
  const std::regex name("(micrort|nv|process)_[a-z_]+");
  int count = 0;
  for (std::sregex_iterator at(queries.begin(), queries.end(), name), end; at != end; ++at, ++count) {
    const std::string family = std::regex_replace(at->str(), std::regex("_(bucket|sum|count)$"), "");
    const bool exists = metrics.find("# TYPE " + at->str() + ' ') != std::string::npos ||
                        metrics.find("# TYPE " + family + " histogram") != std::string::npos;
    EXPECT_TRUE(exists) << at->str();
  }
  EXPECT_GE(count, 15);
}

TEST_F(Serve, ListsTheRepository) {
  const Json index = Post(V2("repository/index"), "").json();
  ASSERT_EQ(index.size(), 4u) << index;
  EXPECT_EQ(index[1]["name"], "relu");
  EXPECT_EQ(index[1]["state"], "READY");
}

TEST_F(Serve, SendsTheTraceBack) {
  const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const Answer answer = Post(V2("models/relu/infer"), kReluRequest, {"-H", "traceparent: " + trace});
  EXPECT_THAT(answer.headers, HasSubstr("traceparent: " + trace));
}

TEST_F(Serve, ShowsAPage) {
  const Answer answer = Curl(server_->http());
  EXPECT_THAT(answer.headers, HasSubstr("text/html"));
  EXPECT_THAT(answer.body, HasSubstr("<h1>MicroRT server</h1>"));
}

TEST_F(Serve, AnswersTensorflowServingsRows) {
  EXPECT_EQ(Post(V1("relu:predict"), R"({"instances":[[1,2,3,4],[-1,-2,-3,5]]})").body,
            R"({"predictions":[[101,102,103,104],[100,100,100,105]]})");
  EXPECT_EQ(Post(V1("relu/versions/1:predict"), R"({"instances":[{"x":[1,2,3,-4]}]})").body,
            R"({"predictions":[[1,2,3,0]]})");
}

TEST_F(Serve, AnswersTensorflowServingsColumns) {
  EXPECT_EQ(Post(V1("relu/labels/stable:predict"), R"({"inputs":[[1,2,3,-4]]})").body,
            R"({"outputs":[[1,2,3,0]]})");
  EXPECT_EQ(Post(V1("relu/labels/stable:predict"),
                 R"({"signature_name":"serving_default","inputs":{"x":[[1,2,3,-4]]}})")
                .body,
            R"({"outputs":[[1,2,3,0]]})");
  // 1, 2, 3 and 4 as float32.
  EXPECT_EQ(Post(V1("relu/labels/stable:predict"), R"({"inputs":{"b64":"AACAPwAAAEAAAEBAAACAQA=="}})").body,
            R"({"outputs":[[1,2,3,4]]})");
}

TEST_F(Serve, TellsTensorflowServingsStatusAndMetadata) {
  EXPECT_EQ(Curl(V1("relu/versions/1")).json()["model_version_status"],
            Json::parse(
                R"([{"version":"1","state":"AVAILABLE","status":{"error_code":"OK","error_message":""}}])"));
  EXPECT_EQ(Curl(V1("relu")).json()["model_version_status"].size(), 2u);
  const Json metadata = Curl(V1("relu/metadata")).json();
  EXPECT_EQ(metadata["model_spec"]["version"], "2");
  const Json signature = metadata["metadata"]["signature_def"]["signature_def"]["serving_default"];
  EXPECT_EQ(signature["inputs"]["x"]["dtype"], "DT_FLOAT");
  EXPECT_EQ(signature["inputs"]["x"]["tensor_shape"]["dim"][1]["size"], "4");
}

TEST_F(Serve, SaysWhatIsWrongWithAPrediction) {
  for (const char* body :
       {"", "{}", R"({"instances":[]})", R"({"instances":1})", R"({"instances":[[1]],"inputs":[]})",
        R"({"instances":[[1,2,3,4],[1]]})", R"({"inputs":{"z":[[1,2,3,4]]}})", R"({"inputs":{"b64":"?"}})",
        R"({"signature_name":"other","inputs":[[1,2,3,4]]})"}) {
    const Answer answer = Post(V1("relu:predict"), body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_TRUE(answer.json().contains("error")) << answer.body;
  }
  EXPECT_EQ(Post(V1("none:predict"), "{}").status, 404);
  EXPECT_EQ(Post(V1("relu/labels/other:predict"), "{}").status, 404);
  EXPECT_EQ(Post(V1("relu:classify"), "{}").status, 400);
}

}  // namespace
}  // namespace micrort::test
