#pragma once
// What both transports, HTTP and gRPC, are given.

#include <atomic>
#include <string>

#include "serve/repository/repository.h"

namespace micrort::serve {

struct Service {
  Repository* repository = nullptr;
  std::string name = "micrort-serve";
  std::string version;
  size_t max_tensor_bytes = size_t{256} << 20;
  std::string api_key;  // "": none is asked for
  bool logs_requests = false;
  std::atomic<bool> is_loaded{false};  // the models of the start are
  std::atomic<bool> is_draining{false};

  bool is_ready() const { return is_loaded && !is_draining; }
};

// In a time that does not tell how much of the key is right. `given`: "Bearer KEY".
bool HasKey(const Service& service, const std::string& given);

// What the server's metadata tell.
const std::vector<std::string>& ProtocolExtensions();

}  // namespace micrort::serve
