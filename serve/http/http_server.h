#pragma once
// Listens on ports and hands requests to their handlers. HTTP itself is libevent's.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/http/http_request.h"
#include "serve/protocol/error.h"

struct evhttp;
struct evhttp_bound_socket;

namespace micrort::serve {

class EventLoop;

struct HttpLimits {
  size_t max_header_bytes = 16 * 1024;
  size_t max_body_bytes = 64 * 1024 * 1024;
  int idle_seconds = 60;  // without a byte of a request
};

class HttpServer {
 public:
  // Called by a loop's thread before an answer goes out.
  using AccessLog = std::function<void(const HttpExchange& exchange, int status)>;

  HttpServer(int threads, const HttpLimits& limits, AccessLog log);
  ~HttpServer();

  // Port 0: any free one. `bound` is told which one it is. Before Start().
  Error Listen(const std::string& host, int port, HttpHandler handler, int* bound);
  void Start();
  // Takes no more connections; answers end theirs. What is being answered goes on.
  void Drain();
  bool is_draining() const { return draining_; }
  uint64_t in_flight() const { return in_flight_; }
  // Ends all connections. Every request has to be answered before.
  void Stop();

 private:
  friend class HttpExchange;
  struct Endpoint;

  static void OnRequest(evhttp_request* request, void* endpoint);
  void Began() { ++in_flight_; }
  void Ended() { --in_flight_; }
  void Finished(const HttpExchange& exchange, int status) const {
    if (log_) log_(exchange, status);
  }

  const HttpLimits limits_;
  const AccessLog log_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;  // one a port and loop
  std::atomic<bool> draining_{false};
  std::atomic<uint64_t> in_flight_{0};
};

}  // namespace micrort::serve
