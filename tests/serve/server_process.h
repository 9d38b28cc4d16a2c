#pragma once
// micrort-serve as a child process, and curl as its client.

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/programs/process.h"

namespace micrort::test {

class ServerProcess {
 public:
  // `flags` beside ports. Returns when the server is ready.
  explicit ServerProcess(const std::string& repository, const std::vector<std::string>& flags = {},
                         const std::string& program = "micrort-serve");
  ~ServerProcess();

  bool is_ready() const { return is_ready_; }
  std::string http() const { return Url(ports_[0]); }
  std::string rest() const { return Url(ports_[1]); }
  std::string metrics() const { return Url(ports_[2]); }
  int http_port() const { return ports_[0]; }
  int grpc_port() const { return ports_[3]; }
  pid_t pid() const { return child_; }
  // What it wrote on stderr so far.
  std::string log() const;
  // SIGTERM; the exit code, -1 if a signal ended it.
  int Stop();

 private:
  static std::string Url(int port) { return "http://127.0.0.1:" + std::to_string(port) + "/"; }

  TemporaryFolder folder_;
  std::vector<int> ports_;
  pid_t child_ = -1;
  bool is_ready_ = false;
};

struct Answer {
  int status = 0;  // 0: none came
  std::string headers, body;
  nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
};

// Ports that were free a moment ago, all different.
std::vector<int> FreePorts(int count);

// `arguments` beside the URL.
Answer Curl(const std::string& url, const std::vector<std::string>& arguments = {});
// POST.
Answer Post(const std::string& url, const std::string& body, const std::vector<std::string>& arguments = {});

// Whether one request of version 1 of the model is not answered yet.
bool IsPending(const ServerProcess& server, const std::string& model);

}  // namespace micrort::test
