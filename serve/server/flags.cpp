#include "serve/server/flags.h"

#include "tools/io/argument_parser.h"
#include "tools/io/program.h"

namespace micrort::serve {
namespace {

constexpr char kExample[] =
    "micrort-serve --model-repository models && curl localhost:8000/v2/models/NAME/infer -d '{\"inputs\": "
    "[...]}'";

void DeclarePorts(io::ArgumentParser& parser, ServerFlags* flags) {
  parser.Add("--host", &flags->host, "Address to listen on (default 127.0.0.1: this machine only)")
      .TypeName("ADDRESS");
  const auto port = [&](const char* name, int* value, const std::string& help) {
    parser.Add(name, value, help + " (default " + std::to_string(*value) + "; 0: off)").InRange(0, 65535);
  };
  port("--http-port", &flags->http_port, "Open Inference Protocol over REST, completions, and the page");
  port("--grpc-port", &flags->grpc_port, "Open Inference Protocol over gRPC");
  port("--metrics-port", &flags->metrics_port, "Prometheus metrics, at /metrics");
  port("--rest-api-port", &flags->rest_api_port, "TensorFlow Serving's REST");
}

void DeclareModels(io::ArgumentParser& parser, ServerFlags* flags) {
  parser
      .Add("--model-repository", &flags->repository,
           "Folder of models: NAME/VERSION/model.fb, NAME/config.pbtxt")
      .Required()
      .TypeName("DIR");
  parser.AddChoice(
      "--model-control-mode",
      {{"none", ControlMode::kNone}, {"poll", ControlMode::kPoll}, {"explicit", ControlMode::kExplicit}},
      &flags->mode,
      "none: load all models at the start (default); poll: also load what changes later; explicit: load by "
      "request");
  parser
      .Add("--load-model", &flags->startup_models,
           "With explicit: a model to load at the start; * for all. Repeatable")
      .TypeName("NAME")
      .Repeatable();
  parser.Add("--repository-poll-secs", &flags->poll_seconds,
             "With poll: seconds between two looks (default 15)");
  parser
      .Add("--load-seconds", &flags->load_seconds,
           "Seconds that a model may take to load, conversion and warm-ups included (default 300)")
      .InRange(1, 86400);
  parser.Add("--max-models", &flags->max_models, "Largest number of models (default 1000)")
      .InRange(1, 1'000'000);
  io::DeclareCustomOps(parser, &flags->custom_ops);
  parser.AddFlag("--map-models", &flags->maps_models,
                 "Map model files instead of copying them. Large models take less memory, but the server "
                 "ends if a file is overwritten while it is served");
  parser.AddFlag("--convert", &flags->converts,
                 "Also accept model.onnx, model.tflite, model.pb and model.pt, and convert them at load");
}

void DeclareWork(io::ArgumentParser& parser, ServerFlags* flags) {
  parser
      .Add("--threads", &flags->threads,
           "Threads that compute, for all models together (default: one per processor)")
      .InRange(1, 1024);
  parser.Add("--threads-per-instance", &flags->threads_per_instance, "Threads for one inference (default 1)")
      .InRange(1, 64);
  parser.Add("--http-threads", &flags->http_threads, "Threads that read and write HTTP (default 1)")
      .InRange(1, 64);
}

void DeclareText(io::ArgumentParser& parser, ServerFlags* flags) {
  parser
      .Add("--max-text-sequences", &flags->text_sequences,
           "Texts that a model generates at the same time, each with its own caches (default 4)")
      .InRange(1, 1024);
  parser
      .Add("--max-text-tokens", &flags->max_text_tokens,
           "Largest number of tokens of an answer (default 4096)")
      .InRange(1, 1 << 24);
  parser.Add("--text-timeout", &flags->text_seconds, "Seconds that a text may take (default 300)")
      .InRange(1, 86400);
  parser.AddFlag(
      "--no-shared-beginnings", &flags->reads_all_prompts,
      "Read each prompt from its first token, even if it begins like the last text of its sequence");
}

void DeclareOperation(io::ArgumentParser& parser, ServerFlags* flags) {
  parser.Add(
      "--response-cache-byte-size", &flags->answer_cache_bytes,
      "Memory for cached answers of each model whose config.pbtxt has response_cache (default 16 MiB)");
  parser.Add("--max-body-bytes", &flags->http.parser.max_body_bytes,
             "Largest body of a request (default 64 MiB)");
  parser.Add("--max-header-bytes", &flags->http.parser.max_header_bytes,
             "Largest header of a request (default 16 KiB)");
  parser.Add("--max-tensor-bytes", &flags->max_tensor_bytes, "Largest tensor of a request (default 256 MiB)");
  parser.Add("--max-request-memory", &flags->max_request_memory,
             "Memory for all requests and answers together (default 512 MiB)");
  parser
      .Add("--max-connections", &flags->http.max_connections,
           "Largest number of HTTP connections (default 8192)")
      .InRange(1, 1'000'000);
  parser
      .Add("--max-peer-connections", &flags->http.max_peer_connections,
           "Largest number of HTTP connections from one address (default 4096)")
      .InRange(1, 1'000'000);
  parser
      .Add("--header-timeout", &flags->http.header_seconds,
           "Seconds from the first byte of a request to the end of its header (default 10)")
      .InRange(1, 86400);
  parser
      .Add("--request-timeout", &flags->http.request_seconds,
           "Seconds for the whole request, and one more for each 64 KiB of it (default 60)")
      .InRange(1, 86400);
  parser
      .Add("--idle-timeout", &flags->http.idle_seconds,
           "Seconds that a connection may be silent (default 60)")
      .InRange(1, 86400);
  parser
      .Add("--drain-seconds", &flags->drain_seconds,
           "Seconds that requests may still take after SIGTERM, or after their model was unloaded (default "
           "30)")
      .InRange(0, 86400);
  parser
      .Add("--drain-delay", &flags->drain_delay_seconds,
           "Seconds after SIGTERM in which the server reports that it is not ready but still accepts "
           "connections (default 0)")
      .InRange(0, 86400);
  parser
      .Add("--allow-origin", &flags->allowed_origins,
           "Origin whose web pages may use this server, such as https://example.com; * for all. Repeatable")
      .TypeName("ORIGIN")
      .Repeatable();
  parser.AddChoice("--repository-api", {{"on", true}, {"off", false}}, &flags->has_repository_calls,
                   "Whether clients may list, load and unload models (default on)");
  parser
      .Add("--repository-key-file", &flags->repository_key_file,
           "Require the key in this file, and no other, to list, load and unload models")
      .TypeName("FILE");
  parser
      .Add("--api-key-file", &flags->api_key_file,
           "Require 'Authorization: Bearer KEY' with the key in this file")
      .TypeName("FILE");
  parser.AddFlag("--strict-readiness", &flags->is_strictly_ready,
                 "/v2/health/ready is 503 while a model has failed to load");
  parser.AddFlag("--log-requests", &flags->logs_requests, "Log every HTTP request");
}

}  // namespace

bool ParseFlags(int argc, char** argv, ServerFlags* flags, int* exit_code) {
  io::ArgumentParser parser(
      "micrort-serve",
      "Serves a repository of MicroRT models by the Open Inference Protocol (REST and gRPC), "
      "TensorFlow Serving's REST and, for language models, OpenAI's completions.",
      kExample);
  DeclareModels(parser, flags);
  DeclarePorts(parser, flags);
  DeclareWork(parser, flags);
  DeclareText(parser, flags);
  DeclareOperation(parser, flags);
  const io::LimitFlags limits(parser);
  io::IsaFlag isa(parser);
  if (!parser.Parse(argc, argv, exit_code)) return false;
  flags->limits = limits.limits();
  const Status status = isa.Features(&flags->features);
  if (!status.ok()) *exit_code = io::Fail("micrort-serve", status);
  return status.ok();
}

}  // namespace micrort::serve
