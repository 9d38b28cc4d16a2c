// Requests and answers without a server.

#include <gmock/gmock.h>
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "serve/protocol/base64.h"
#include "serve/protocol/data_type.h"
#include "serve/protocol/json_read.h"
#include "serve/protocol/json_tensor.h"
#include "serve/protocol/predict_json.h"
#include "serve/protocol/v2_json.h"
#include "serve/protocol/v2_proto.h"

namespace micrort::serve {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr size_t kMaxBytes = size_t{1} << 20;

Tensor OfType(DType dtype, std::vector<int64_t> shape) {
  Tensor tensor;
  tensor.name = "t";
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  return tensor;
}

Error Parse(const std::string& body, InferRequest* request, std::optional<size_t> json_bytes = {}) {
  return ParseV2Request({reinterpret_cast<const uint8_t*>(body.data()), body.size()}, json_bytes, kMaxBytes,
                        request);
}

TEST(JsonTensor, NumbersOutOfTheirTypesRangeAreErrors) {
  const struct {
    DType dtype;
    const char *good, *bad;
  } cases[] = {{DType::kInt8, "-128", "-129"},
               {DType::kInt8, "127", "128"},
               {DType::kUInt8, "255", "256"},
               {DType::kUInt8, "0", "-1"},
               {DType::kInt16, "-32768", "32768"},
               {DType::kUInt32, "4294967295", "4294967296"},
               {DType::kInt64, "9223372036854775807", "9223372036854775808"},
               {DType::kUInt64, "18446744073709551615", "-1"},
               {DType::kInt32, "1", "1.5"},
               {DType::kBool, "1", "2"},
               {DType::kFloat32, "1e38", "1e39"},
               {DType::kFloat16, "65504", "70000"},
               {DType::kFloat64, "1e300", "null"},
               {DType::kFloat32, "1", "true"}};
  for (const auto& c : cases) {
    Tensor tensor = OfType(c.dtype, {1});
    EXPECT_TRUE(ParseElements(Json::parse("[" + std::string(c.good) + "]"), kMaxBytes, &tensor).ok())
        << c.good;
    const Error error = ParseElements(Json::parse("[" + std::string(c.bad) + "]"), kMaxBytes, &tensor);
    EXPECT_THAT(error.message(), HasSubstr(std::string("is no ") + ProtocolName(c.dtype))) << c.bad;
  }
}

TEST(JsonTensor, ListsThatAreNotTheShapeAreErrors) {
  for (const char* text : {"[[1,2],[3]]", "[[1,2],[3,[4]]]", "[[1,2],3]", "[1,2,3]", "[[1,2],[3,4],[5,6]]",
                           "[]", "{}", "1", "[[[1],[2]],[[3],[4]]]"}) {
    Tensor tensor = OfType(DType::kInt32, {2, 2});
    EXPECT_FALSE(ParseElements(Json::parse(text), kMaxBytes, &tensor).ok()) << text;
  }
}

TEST(JsonTensor, AShapePromisesNoMemoryThatTheBodyDoesNotFill) {
  Tensor large = OfType(DType::kFloat32, {1000, 1000});
  EXPECT_EQ(ParseElements(Json::array({1}), kMaxBytes, &large).kind(), ErrorKind::kTooLarge);
  Tensor empty_lists = OfType(DType::kFloat32, {1 << 30, 0});
  EXPECT_EQ(ParseElements(Json::array(), kMaxBytes, &empty_lists).kind(), ErrorKind::kTooLarge);
  Tensor unfilled = OfType(DType::kFloat32, {100, 100});
  EXPECT_FALSE(ParseElements(Json::array({1}), kMaxBytes, &unfilled).ok());
  EXPECT_TRUE(unfilled.owned.empty());
}

TEST(JsonTensor, WhatJsonHasNoNumberForIsNull) {
  Tensor tensor = OfType(DType::kFloat32, {2, 2});
  const float values[] = {1.5f, INFINITY, -INFINITY, NAN};
  tensor.data = {reinterpret_cast<const uint8_t*>(values), sizeof values};
  std::string text;
  AppendNested(tensor, &text);
  EXPECT_EQ(text, "[[1.5,null],[null,null]]");
}

TEST(Base64, DecodesWhatIsWellFormed) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""}, {"Zg==", "f"}, {"Zm8=", "fo"}, {"Zm9v", "foo"}, {"Zm9vYg", "foob"}, {"+/+/", "\xfb\xff\xbf"}};
  for (const auto& [text, expected] : cases) {
    std::vector<uint8_t> bytes;
    EXPECT_TRUE(DecodeBase64(text, &bytes)) << text;
    EXPECT_EQ(std::string(bytes.begin(), bytes.end()), expected) << text;
  }
  std::vector<uint8_t> bytes;
  for (const char* text : {"Z", "Zm9v=", "Z===", "Zm 9", "Zm9v\n", "=", "Zg=a"})
    EXPECT_FALSE(DecodeBase64(text, &bytes)) << text;
}

TEST(V2Json, BinaryTensorsLieInTheBody) {
  const std::string json =
      R"({"inputs":[{"name":"a","datatype":"INT8","shape":[3],"parameters":{"binary_data_size":3}},)"
      R"({"name":"b","datatype":"BF16","shape":[1],"parameters":{"binary_data_size":2}}]})";
  const std::string body = json + "abcde";
  InferRequest request;
  ASSERT_TRUE(Parse(body, &request, json.size()).ok());
  EXPECT_EQ(reinterpret_cast<const char*>(request.inputs[0].data.data()), body.data() + json.size());
  EXPECT_EQ(reinterpret_cast<const char*>(request.inputs[1].data.data()), body.data() + json.size() + 3);
  InferRequest left_over, beyond;
  EXPECT_THAT(Parse(body + "f", &left_over, json.size()).message(), HasSubstr("1 bytes behind the last"));
  EXPECT_THAT(Parse(body, &beyond, body.size() + 1).message(), HasSubstr("Inference-Header-Content-Length"));
}

TEST(V2Json, EveryCutOfARequestIsAnError) {
  const std::string body =
      R"({"id":"1","parameters":{"timeout":5},"inputs":[{"name":"x","datatype":"FP32","shape":[1,2],"data":[1,2]}]})";
  InferRequest whole;
  EXPECT_TRUE(Parse(body, &whole).ok());
  EXPECT_EQ(whole.timeout_us, 5u);
  for (size_t length = 0; length < body.size(); ++length) {
    InferRequest request;
    EXPECT_FALSE(Parse(body.substr(0, length), &request).ok()) << length;
  }
}

// Changes bytes, and puts words of the protocol into each other's places.
std::string Mutated(std::string text, std::minstd_rand* random) {
  static const char* const kWords[] = {"\"inputs\"",
                                       "\"shape\"",
                                       "[",
                                       "]",
                                       "{",
                                       "}",
                                       "-1",
                                       "1e999",
                                       "null",
                                       "\"b64\"",
                                       "18446744073709551616",
                                       "\"data\"",
                                       "\"binary_data_size\"",
                                       ",",
                                       ":",
                                       "\\u0000"};
  for (unsigned i = 0; i <= (*random)() % 4; ++i) {
    const size_t at = (*random)() % (text.size() + 1);
    switch ((*random)() % 3) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>((*random)());
        break;
      case 1:
        text.insert(at, kWords[(*random)() % std::size(kWords)]);
        break;
      default:
        text.erase(at, (*random)() % 8);
    }
  }
  return text;
}

TEST(V2Json, MutatedRequestsAreTakenOrRefused) {
  const std::string body =
      R"({"inputs":[{"name":"x","datatype":"FP32","shape":[2,2],"data":[[1,2],[3,4]]},{"name":"b","datatype":"INT8",)"
      R"("shape":[4],"parameters":{"binary_data_size":4}}],"outputs":[{"name":"y","parameters":{"binary_data":true}}]})";
  std::minstd_rand random(1);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string mutated = Mutated(body, &random) + "abcd";
    InferRequest request;
    const Error error = Parse(mutated, &request, mutated.size() - 4);
    if (!error.ok()) continue;
    ++taken;
    for (const Tensor& tensor : request.inputs) {
      size_t bytes = 0;
      ASSERT_TRUE(TensorBytes(tensor.name, tensor.dtype, tensor.shape, kMaxBytes, &bytes).ok());
      ASSERT_EQ(tensor.data.size(), bytes);
    }
  }
  EXPECT_GT(taken, 100);
}

TEST(JsonDocument, EndsWhereListsAreInsideEachOtherTooOften) {
  const auto parse = [](size_t depth) {
    const std::string text = "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
    JsonDocument document;
    return document.Parse(text.data(), text.size());
  };
  EXPECT_TRUE(parse(64).ok());
  EXPECT_THAT(parse(65).message(), HasSubstr("more than 64 lists and objects inside each other"));
  EXPECT_FALSE(parse(1 << 20).ok());
}

TEST(JsonDocument, HoldsWhatTheTextSays) {
  const std::string text =
      R"({"n":null,"b":true,"i":-3,"u":4,"f":2.5,"s":"t","l":[1,[2,{"x":[]}],{}],"twice":[[1]],"twice":[3]})";
  JsonDocument document;
  ASSERT_TRUE(document.Parse(text.data(), text.size()).ok());
  EXPECT_EQ(document.object(), Json::parse(text));
  for (const std::string bad : {"", "[1]", "3", "{\"a\":}", "{\"a\":1", "{\"a\":1}}"}) {
    JsonDocument broken;
    EXPECT_FALSE(broken.Parse(bad.data(), bad.size()).ok()) << bad;
  }
}

TEST(PredictJson, MutatedRequestsAreTakenOrRefused) {
  const std::vector<TensorSpec> specs = {{"x", DType::kFloat32, {-1, 2}}, {"u", DType::kUInt8, {-1, 4}}};
  const std::string bodies[] = {
      R"({"instances":[{"x":[1,2],"u":{"b64":"YWJjZA=="}},{"x":[3,4],"u":[1,2,3,4]}]})",
      R"({"inputs":{"x":[[1,2],[3,4]],"u":{"b64":"YWJjZGFiY2Q="}}})"};
  std::minstd_rand random(1);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string mutated = Mutated(bodies[i % 2], &random);
    InferRequest request;
    PredictFormat format;
    const Error error =
        ParsePredictRequest({reinterpret_cast<const uint8_t*>(mutated.data()), mutated.size()}, specs,
                            kMaxBytes, &request, &format);
    if (!error.ok()) continue;
    ++taken;
    for (const Tensor& tensor : request.inputs) {
      size_t bytes = 0;
      ASSERT_TRUE(TensorBytes(tensor.name, tensor.dtype, tensor.shape, kMaxBytes, &bytes).ok());
      ASSERT_EQ(tensor.data.size(), bytes) << mutated;
    }
  }
  EXPECT_GT(taken, 100);
}

TEST(V2Proto, MutatedMessagesAreTakenOrRefused) {
  const google::protobuf::LogSilencer silence;
  inference::ModelInferRequest message;
  message.set_model_name("m");
  auto* input = message.add_inputs();
  input->set_name("x");
  input->set_datatype("INT16");
  input->add_shape(2);
  input->mutable_contents()->add_int_contents(-5);
  input->mutable_contents()->add_int_contents(5);
  const std::string good = message.SerializeAsString();
  std::minstd_rand random(1);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    inference::ModelInferRequest mutated;
    if (!mutated.ParseFromString(Mutated(good, &random))) continue;
    InferRequest request;
    if (!ParseV2Message(mutated, kMaxBytes, &request).ok()) continue;
    ++taken;
    for (const Tensor& tensor : request.inputs) {
      size_t bytes = 0;
      ASSERT_TRUE(TensorBytes(tensor.name, tensor.dtype, tensor.shape, kMaxBytes, &bytes).ok());
      ASSERT_EQ(tensor.data.size(), bytes);
    }
  }
  EXPECT_GT(taken, 100);
}

TEST(V2Proto, NumbersOutOfTheirTypesRangeAreErrors) {
  inference::ModelInferRequest message;
  auto* input = message.add_inputs();
  input->set_name("x");
  input->set_datatype("UINT8");
  input->add_shape(1);
  input->mutable_contents()->add_uint_contents(256);
  InferRequest request;
  EXPECT_THAT(ParseV2Message(message, kMaxBytes, &request).message(), HasSubstr("a number is no UINT8"));
}

}  // namespace
}  // namespace micrort::serve
