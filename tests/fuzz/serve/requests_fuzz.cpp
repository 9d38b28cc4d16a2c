// Requests of the Open Inference Protocol, TensorFlow Serving and OpenAI's completions, by JSON and binary
// tensors, and messages of gRPC.

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <cstdlib>

#include "serve/protocol/completion_json.h"
#include "serve/protocol/message_size.h"
#include "serve/protocol/predict_json.h"
#include "serve/protocol/v2_json.h"
#include "serve/protocol/v2_proto.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/protobuf_mutator.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

using serve::Error;
using serve::InferRequest;

constexpr size_t kMaxTensorBytes = 1 << 20;
// Before the body: the length of the JSON in front of binary tensors, or what else the body is.
constexpr size_t kPrefix = 2, kAllJson = 0xFFFF, kCompletion = 0xFFFE, kConversation = 0xFFFD;
constexpr int kMostTokens = 1000;

Span<const uint8_t> BytesOf(const std::string& text, size_t from = 0) {
  return {reinterpret_cast<const uint8_t*>(text.data()) + from, text.size() - from};
}

// Every byte of a tensor that was taken is there.
Status Outcome(const Error& error, const InferRequest& request) {
  if (!error.ok()) return Refused(error.message().empty() ? "without a word" : error.message());
  volatile unsigned sum = 0;
  for (const serve::Tensor& tensor : request.inputs) {
    size_t bytes = 0;
    if (!serve::TensorBytes(tensor.name, tensor.dtype, tensor.shape, kMaxTensorBytes, &bytes).ok() ||
        bytes != tensor.data.size())
      std::abort();
    for (size_t i = 0; i < bytes; ++i) sum = sum + tensor.data[i];
  }
  return Status();
}

std::string WithPrefix(size_t prefix, const std::string& body) {
  return std::string{static_cast<char>(prefix & 0xFF), static_cast<char>(prefix >> 8)} + body;
}

// What was taken is within its limits, and answers to it are JSON.
Status RunCompletion(const std::string& bytes, bool is_chat) {
  serve::CompletionRequest request;
  const Error error = serve::ParseCompletionRequest(BytesOf(bytes, kPrefix), is_chat, kMostTokens, &request);
  if (!error.ok()) return Refused(error.message().empty() ? "without a word" : error.message());
  const bool is_sound = request.max_tokens >= 0 && request.max_tokens <= kMostTokens && request.top_k >= 0 &&
                        request.temperature >= 0 && request.top_p >= 0 && request.top_p <= 1 &&
                        request.stop.size() <= 64 && (request.turns.empty() == !is_chat);
  const serve::CompletionHead head = {"1", request.model, 0, is_chat, request.tells_usage};
  const std::string text = is_chat ? request.turns[0].text : request.prompts[0].text;
  if (!is_sound || serve::CompletionJson(head, {{text}}, {}).empty() ||
      serve::TextEvent(head, 0, text).empty())
    std::abort();
  return Status();
}

Status RunRest(const std::string& bytes) {
  if (bytes.size() < kPrefix) return Refused("too short");
  const size_t length = static_cast<uint8_t>(bytes[0]) + (size_t{static_cast<uint8_t>(bytes[1])} << 8);
  if (length == kCompletion || length == kConversation) return RunCompletion(bytes, length == kConversation);
  std::optional<size_t> json_bytes;
  if (length != kAllJson) json_bytes = length;
  InferRequest request;
  const Error error = serve::ParseV2Request(BytesOf(bytes, kPrefix), json_bytes, kMaxTensorBytes, &request);
  return Outcome(error, request);
}

Status RunPredict(const std::string& bytes) {
  static const std::vector<serve::TensorSpec> kSpecs = {{"x", DType::kFloat32, {-1, 2}},
                                                        {"u", DType::kUInt8, {-1, 4}}};
  InferRequest request;
  serve::PredictFormat format;
  const Error error = serve::ParsePredictRequest(BytesOf(bytes), kSpecs, kMaxTensorBytes, &request, &format);
  return Outcome(error, request);
}

Status RunGrpc(const std::string& bytes) {
  inference::ModelInferRequest message;
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  const size_t counted = serve::MessageBytes(*message.GetDescriptor(), &stream, SIZE_MAX);
  if (!message.ParseFromString(bytes)) return Refused("no message");
  if (message.SpaceUsedLong() > counted) std::abort();
  InferRequest request;
  const Error error = serve::ParseV2Message(message, kMaxTensorBytes, &request);
  return Outcome(error, request);
}

}  // namespace

std::vector<std::string> RestSeeds() {
  const std::string typed =
      R"({"inputs":[{"name":"x","datatype":"FP32","shape":[2,2],"data":[[1,2],[3,4]]},{"name":"b","datatype":"INT8",)"
      R"("shape":[4],"parameters":{"binary_data_size":4}}],"outputs":[{"name":"y","parameters":{"binary_data":true}}]})";
  return {
      WithPrefix(
          kAllJson,
          R"({"id":"1","parameters":{"timeout":5,"priority":1},"inputs":[{"name":"x","datatype":"FP32","shape":[1,2],"data":[1,2]}]})"),
      WithPrefix(typed.size(), typed + "abcd"),
      WithPrefix(
          kCompletion,
          R"({"model":"m","prompt":"once","max_tokens":5,"temperature":0.7,"top_p":0.9,"top_k":4,"min_p":0,"seed":-3,)"
          R"("stop":["a","\u00e9"],"repetition_penalty":1.1,"presence_penalty":0,"stream":true,"n":1,"suffix":null})"),
      WithPrefix(kCompletion, R"({"prompt":["once",[1,2]]})"),
      WithPrefix(kCompletion, R"({"prompt":[1,2,3],"stop":"b","stream_options":{"include_usage":true}})"),
      WithPrefix(
          kConversation,
          R"({"model":"m","messages":[{"role":"system","content":"a"},{"role":"user","content":[{"type":"text","text":"b"}]}],)"
          R"("max_completion_tokens":7,"frequency_penalty":1,"response_format":{"type":"text"}})")};
}

std::vector<std::string> PredictSeeds() {
  return {R"({"instances":[{"x":[1,2],"u":{"b64":"YWJjZA=="}},{"x":[3,4],"u":[1,2,3,4]}]})",
          R"({"inputs":{"x":[[1,2],[3,4]],"u":{"b64":"YWJjZGFiY2Q="}}})"};
}

std::vector<std::string> GrpcSeeds() {
  inference::ModelInferRequest typed, raw;
  for (inference::ModelInferRequest* message : {&typed, &raw}) {
    message->set_model_name("m");
    message->set_id("1");
    auto* input = message->add_inputs();
    input->set_name("x");
    input->set_datatype("INT16");
    input->add_shape(2);
    message->add_outputs()->set_name("y");
  }
  for (const int value : {-5, 5}) typed.mutable_inputs(0)->mutable_contents()->add_int_contents(value);
  raw.add_raw_input_contents("abcd");
  return {typed.SerializeAsString(), raw.SerializeAsString()};
}

const Harness kRest = {"rest", RunRest, MutateBytes};
const Harness kPredict = {"predict", RunPredict, MutateBytes};
const Harness kGrpc = {"grpc", RunGrpc, MutateMessageBytes<inference::ModelInferRequest>};

}  // namespace micrort::fuzz
