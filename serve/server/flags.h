#pragma once
// The command line of micrort-serve.

#include <string>
#include <vector>

#include "kernels/base/cpu_features.h"
#include "micrort/model_limits.h"
#include "serve/http/http_server.h"
#include "serve/repository/repository.h"

namespace micrort::serve {

struct ServerFlags {
  std::string repository;
  std::string host = "127.0.0.1";
  int http_port = 8000, grpc_port = 8001, metrics_port = 8002, rest_api_port = 8501;  // 0: off
  int threads = 0;  // that compute at once, of all models; 0: one a processor
  int threads_per_instance = 1;
  int http_threads = 1;
  ControlMode mode = ControlMode::kNone;
  std::vector<std::string> startup_models;
  std::vector<std::string> custom_ops;  // libraries
  uint64_t poll_seconds = 15;
  int max_models = 1000;
  uint64_t max_tensor_bytes = uint64_t{256} << 20;
  uint64_t answer_cache_bytes = uint64_t{16} << 20;
  uint64_t max_request_memory = uint64_t{512} << 20;
  std::vector<std::string> allowed_origins;
  bool has_repository_calls = true;
  std::string repository_key_file;
  HttpLimits http;
  int drain_seconds = 30, drain_delay_seconds = 0, load_seconds = 300;
  std::string api_key_file;
  int text_sequences = 4, max_text_tokens = 4096, text_seconds = 300;
  bool logs_requests = false, converts = false, maps_models = false, is_strictly_ready = false;
  bool reads_all_prompts = false;
  ModelLimits limits;
  CpuFeatures features = ~CpuFeatures{0};
};

// True if the server is to run; else `exit_code` is set and all is printed.
bool ParseFlags(int argc, char** argv, ServerFlags* flags, int* exit_code);

}  // namespace micrort::serve
