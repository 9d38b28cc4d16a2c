#pragma once
// Listens on ports, holds connections, and hands requests to their handlers.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "serve/http/http_parser.h"
#include "serve/http/http_request.h"
#include "serve/http/peer_limits.h"
#include "serve/protocol/error.h"

struct evconnlistener;
struct sockaddr;

namespace micrort::serve {

class EventLoop;
class HttpConnection;

struct HttpLimits {
  HttpParserLimits parser;
  int idle_seconds = 60;  // without a byte of a request
  int header_seconds = 10;
  int request_seconds = 60;  // the whole request, and a second more for each 64 KiB of it
  int max_connections = 8192, max_peer_connections = 4096;
};

class HttpServer {
 public:
  // Called by a loop's thread before an answer goes out.
  using AccessLog = std::function<void(const HttpExchange& exchange, int status)>;

  HttpServer(int threads, const HttpLimits& limits, ByteBudget* budget, AccessLog log);
  ~HttpServer();

  // Port 0: any free one. `bound` is told which one it is. Before Start().
  Error Listen(const std::string& host, int port, HttpHandler handler, int* bound);
  void Start();
  // Takes no more connections; answers end theirs. What is being answered goes on.
  void Drain();
  bool is_draining() const { return draining_; }
  // Requests whose answers have not been sent.
  uint64_t in_flight() const { return in_flight_; }
  // Ends all connections.
  void Stop();

 private:
  friend class HttpConnection;
  struct Endpoint;
  using ConnectionPtr = std::shared_ptr<HttpConnection>;
  // Connections of one loop, the oldest first; of its thread alone.
  struct Lane {
    std::unique_ptr<EventLoop> loop;
    std::list<ConnectionPtr> connections;
  };

  static void OnAccept(evconnlistener*, int descriptor, sockaddr* address, int length, void* endpoint);
  static void Resume(int, short, void* endpoint);
  static void OnAcceptError(evconnlistener* listener, void* endpoint);
  void Accept(Endpoint* endpoint, int descriptor, std::string peer);
  // Closes the oldest connection that waits for a request, of the peer or, with "", of any. False if there is
  // none.
  static bool MakeRoom(Lane* lane, const std::string& peer);

  // For connections.
  const HttpLimits& limits() const { return limits_; }
  ByteBudget* budget() const { return budget_; }
  void Began() { ++in_flight_; }
  void Ended() { --in_flight_; }
  void Finished(const HttpExchange& exchange, int status) const {
    if (log_) log_(exchange, status);
  }

  const HttpLimits limits_;
  ByteBudget* const budget_;
  const AccessLog log_;
  PeerLimits peers_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;  // one a port and loop
  std::atomic<bool> draining_{false};
  std::atomic<uint64_t> in_flight_{0};
};

}  // namespace micrort::serve
