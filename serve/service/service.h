#pragma once
// The service that both transports, HTTP and gRPC, use.

#include <atomic>
#include <string>
#include <vector>

#include "serve/repository/repository.h"
#include "serve/service/worker_pool.h"

namespace micrort::serve {

struct Service {
  Repository* repository = nullptr;
  std::string name = "micrort-serve";
  std::string version;
  size_t max_tensor_bytes = size_t{256} << 20;
  ByteBudget* budget = nullptr;   // of requests and their answers
  WorkerPool* workers = nullptr;  // that read and write large texts
  std::string api_key;            // "": none is asked for
  std::string repository_key;     // of calls that change or list the repository; "": api_key
  bool has_repository_calls = true;
  std::vector<std::string> allowed_origins;  // of web pages; "*": all
  std::string host;                          // that it listens on
  bool listens_to_itself = true;             // on a loopback address
  bool logs_requests = false;
  bool is_ready_without_all = true;    // although a model failed to load
  int max_text_tokens = 4096;          // of an answer
  int text_seconds = 300;              // for one
  std::atomic<bool> is_loaded{false};  // the models of the start are
  std::atomic<bool> is_draining{false};
};

// Models of which no version could be loaded.
std::vector<IndexEntry> FailedModels(const Repository& repository);

// Whether a load balancer may send requests; `failed` are FailedModels().
bool IsReady(const Service& service, const std::vector<IndexEntry>& failed);

// Whether `given`, "Bearer KEY", may make ordinary calls, and those of the repository. In a time that does
// not tell how much of the key is right.
Error CheckKey(const Service& service, const std::string& given);
Error CheckRepositoryKey(const Service& service, const std::string& given);

// The server's metadata.
const std::vector<std::string>& ProtocolExtensions();

}  // namespace micrort::serve
