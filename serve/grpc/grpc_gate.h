#pragma once
// The port of gRPC: takes connections, and passes what clients send to gRPC as far as the guard lets it.

#include <functional>
#include <list>
#include <memory>
#include <string>

#include "serve/grpc/http2_guard.h"
#include "serve/http/event_loop.h"
#include "serve/http/peer_limits.h"
#include "serve/protocol/error.h"

struct evconnlistener;
struct sockaddr;

namespace micrort::serve {

struct GrpcLimits {
  size_t max_message_bytes = size_t{64} << 20;
  size_t max_header_bytes = size_t{16} << 10;
  size_t max_memory_bytes = size_t{512} << 20;  // of what is being received and sent
  int max_connections = 1024, max_peer_connections = 512;
  int header_seconds = 10;  // until a connection has sent its first call
};

class GrpcGate {
 public:
  // Gives gRPC an end of a connection, which it then owns.
  using Accepted = std::function<void(int descriptor)>;

  GrpcGate(const GrpcLimits& limits, Accepted accepted);
  ~GrpcGate();

  Error Listen(const std::string& host, int port);
  // Takes no more connections: none is given to gRPC after this.
  void Close();
  // Ends all connections.
  void Stop();

 private:
  class Connection;
  using ConnectionPtr = std::shared_ptr<Connection>;

  static void OnAccept(evconnlistener*, int descriptor, sockaddr* address, int length, void* gate);
  static void OnAcceptError(evconnlistener* listener, void* gate);
  static void Resume(int, short, void* gate);
  void Accept(int descriptor, const std::string& peer);
  // Closes the oldest connection without a call, of the peer or, with "", of any. False if there is none.
  bool MakeRoom(const std::string& peer);

  const GrpcLimits limits_;
  const Accepted accepted_;
  PeerLimits peers_;
  TokenBucket resets_{2000, 2000};
  EventLoop loop_;
  bool is_listening_ = false;
  evconnlistener* listener_ = nullptr;    // of the loop's thread, once it listens
  std::list<ConnectionPtr> connections_;  // of the loop's thread alone
};

}  // namespace micrort::serve
