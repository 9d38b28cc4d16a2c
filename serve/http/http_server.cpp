#include "serve/http/http_server.h"

#include <event2/event.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <exception>
#include <utility>

#include "serve/http/event_loop.h"
#include "serve/http/http_connection.h"
#include "serve/http/http_text.h"
#include "serve/http/listening_socket.h"

namespace micrort::serve {
namespace {

// To a client for whom there is no room, as far as that takes no waiting.
void RefuseConnection(int descriptor) {
  HttpResponse response = ErrorText(503, "too many connections");
  const std::string text = ResponseHead(HttpHead(), response, true) + response.body;
  [[maybe_unused]] const ssize_t sent =
      send(descriptor, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  close(descriptor);
}

}  // namespace

struct HttpServer::Endpoint {
  HttpServer* server;
  Lane* lane;
  evconnlistener* listener;
  HttpHandler handler;
};

HttpServer::HttpServer(int threads, const HttpLimits& limits, ByteBudget* budget, AccessLog log)
    : limits_(limits),
      budget_(budget),
      log_(std::move(log)),
      peers_(static_cast<size_t>(limits.max_connections), static_cast<size_t>(limits.max_peer_connections)) {
  for (int i = 0; i < threads; ++i) {
    lanes_.push_back(std::make_unique<Lane>());
    lanes_.back()->loop = std::make_unique<EventLoop>();
  }
}

HttpServer::~HttpServer() { Stop(); }

Error HttpServer::Listen(const std::string& host, int port, HttpHandler handler, int* bound) {
  std::string why;
  const int descriptor = ListenOn(host, port, &why);
  if (descriptor < 0)
    return {ErrorKind::kInternal, "cannot listen on " + host + ":" + std::to_string(port) + ": " + why};
  *bound = PortOf(descriptor);
  for (const auto& lane : lanes_) {
    endpoints_.push_back(std::unique_ptr<Endpoint>(new Endpoint{this, lane.get(), nullptr, handler}));
    Endpoint* endpoint = endpoints_.back().get();
    // Backlog 0: it listens already.
    endpoint->listener = evconnlistener_new(lane->loop->base(), OnAccept, endpoint,
                                            LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0,
                                            fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    evconnlistener_set_error_cb(endpoint->listener, OnAcceptError);
  }
  close(descriptor);
  return {};
}

void HttpServer::OnAccept(evconnlistener*, int descriptor, sockaddr* address, int length, void* argument) {
  auto* endpoint = static_cast<Endpoint*>(argument);
  try {
    endpoint->server->Accept(endpoint, descriptor, PeerOf(address, length));
  } catch (const std::exception&) {
    close(descriptor);
  }
}

void HttpServer::Accept(Endpoint* endpoint, int descriptor, std::string peer) {
  PeerLimits::Room room = peers_.Enter(peer);
  if (room != PeerLimits::Room::kYes &&
      MakeRoom(endpoint->lane, room == PeerLimits::Room::kTooMany ? "" : peer))
    room = peers_.Enter(peer);
  if (room != PeerLimits::Room::kYes) return RefuseConnection(descriptor);
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  auto& connections = endpoint->lane->connections;
  const auto connection = std::make_shared<HttpConnection>(this, endpoint->lane->loop.get(),
                                                           &endpoint->handler, descriptor, std::move(peer));
  const auto place = connections.insert(connections.end(), connection);
  connection->Start([this, &connections, place] {
    peers_.Leave((*place)->peer());
    connections.erase(place);
  });
}

// First those that never asked for anything: a client may be about to use one that it keeps.
bool HttpServer::MakeRoom(Lane* lane, const std::string& peer) {
  for (const bool has_asked : {false, true}) {
    for (const ConnectionPtr& connection : lane->connections) {
      if (!connection->is_waiting() || connection->has_asked() != has_asked) continue;
      if (!peer.empty() && connection->peer() != peer) continue;
      connection->Close();
      return true;
    }
  }
  return false;
}

void HttpServer::Resume(int, short, void* endpoint) {
  // Null once the server drains.
  if (evconnlistener* listener = static_cast<Endpoint*>(endpoint)->listener; listener != nullptr)
    evconnlistener_enable(listener);
}

// Without file descriptors left, nothing is accepted for a moment: else the loop would spin.
void HttpServer::OnAcceptError(evconnlistener* listener, void* argument) {
  for (int i = 0; i < 16 && MakeRoom(static_cast<Endpoint*>(argument)->lane, ""); ++i) continue;
  evconnlistener_disable(listener);
  const timeval moment = {0, 10'000};
  event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, Resume, argument, &moment);
}

void HttpServer::Start() {
  for (const auto& lane : lanes_) lane->loop->Start();
}

void HttpServer::Drain() {
  draining_ = true;
  for (const auto& endpoint : endpoints_) {
    endpoint->lane->loop->Post([e = endpoint.get()] {
      if (e->listener != nullptr) evconnlistener_free(std::exchange(e->listener, nullptr));
    });
  }
}

void HttpServer::Stop() {
  for (const auto& lane : lanes_) lane->loop->Stop();
  for (const auto& lane : lanes_) {
    while (!lane->connections.empty()) lane->connections.front()->Close();
  }
  for (const auto& endpoint : endpoints_) {
    if (endpoint->listener != nullptr) evconnlistener_free(endpoint->listener);
  }
  endpoints_.clear();
  lanes_.clear();
}

}  // namespace micrort::serve
