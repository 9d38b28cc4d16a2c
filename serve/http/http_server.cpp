#include "serve/http/http_server.h"

#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>

#include "serve/http/event_loop.h"

namespace micrort::serve {
namespace {

// A listening socket of the first address of `host` that takes the port; -1 and `why` else.
int ListenOn(const std::string& host, int port, std::string* why) {
  addrinfo hints = {}, *addresses = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  const int failure = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &addresses);
  if (failure != 0) {
    *why = gai_strerror(failure);
    return -1;
  }
  int descriptor = -1;
  for (addrinfo* a = addresses; a != nullptr && descriptor < 0; a = a->ai_next) {
    descriptor = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
    const int on = 1;
    if (descriptor >= 0) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (descriptor >= 0 && bind(descriptor, a->ai_addr, a->ai_addrlen) == 0 && listen(descriptor, 1024) == 0)
      break;
    *why = std::strerror(errno);
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }
  freeaddrinfo(addresses);
  return descriptor;
}

int PortOf(int descriptor) {
  sockaddr_storage address = {};
  socklen_t length = sizeof address;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  char port[8] = "0";
  getnameinfo(reinterpret_cast<sockaddr*>(&address), length, nullptr, 0, port, sizeof port, NI_NUMERICSERV);
  return std::atoi(port);
}

void Resume(int, short, void* listener) { evconnlistener_enable(static_cast<evconnlistener*>(listener)); }

// Without file descriptors left, nothing is accepted for a moment: else the loop would spin.
void OnAcceptError(evconnlistener* listener, void*) {
  evconnlistener_disable(listener);
  const timeval moment = {0, 100'000};
  event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, Resume, listener, &moment);
}

}  // namespace

struct HttpServer::Endpoint {
  HttpServer* server;
  EventLoop* loop;
  evhttp* http;
  evhttp_bound_socket* socket;
  HttpHandler handler;
};

HttpServer::HttpServer(int threads, const HttpLimits& limits, AccessLog log)
    : limits_(limits), log_(std::move(log)) {
  for (int i = 0; i < threads; ++i) loops_.push_back(std::make_unique<EventLoop>());
}

HttpServer::~HttpServer() { Stop(); }

Error HttpServer::Listen(const std::string& host, int port, HttpHandler handler, int* bound) {
  std::string why;
  const int descriptor = ListenOn(host, port, &why);
  if (descriptor < 0)
    return {ErrorKind::kInternal, "cannot listen on " + host + ":" + std::to_string(port) + ": " + why};
  *bound = PortOf(descriptor);
  for (const auto& loop : loops_) {
    evhttp* http = evhttp_new(loop->base());
    evhttp_set_max_headers_size(http, static_cast<ev_ssize_t>(limits_.max_header_bytes));
    evhttp_set_max_body_size(http, static_cast<ev_ssize_t>(limits_.max_body_bytes));
    evhttp_set_timeout(http, limits_.idle_seconds);
    evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD);
    endpoints_.push_back(std::unique_ptr<Endpoint>(new Endpoint{this, loop.get(), http, nullptr, handler}));
    evhttp_set_gencb(http, OnRequest, endpoints_.back().get());
    endpoints_.back()->socket = evhttp_accept_socket_with_handle(http, dup(descriptor));
    evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(endpoints_.back()->socket), OnAcceptError);
  }
  close(descriptor);
  return {};
}

void HttpServer::OnRequest(evhttp_request* request, void* argument) {
  auto* endpoint = static_cast<Endpoint*>(argument);
  const auto exchange = std::make_shared<HttpExchange>(endpoint->server, endpoint->loop, request);
  try {
    endpoint->handler(exchange);
  } catch (const std::exception& e) {
    if (exchange->is_answered()) return;
    HttpResponse failure;
    failure.status = 500;
    failure.body = "{\"error\":\"out of memory\"}";
    exchange->Reply(std::move(failure));
  }
}

void HttpServer::Start() {
  for (const auto& loop : loops_) loop->Start();
}

void HttpServer::Drain() {
  draining_ = true;
  for (const auto& endpoint : endpoints_) {
    endpoint->loop->Post([e = endpoint.get()] {
      if (e->socket != nullptr) evhttp_del_accept_socket(e->http, e->socket);
      e->socket = nullptr;
    });
  }
}

void HttpServer::Stop() {
  for (const auto& loop : loops_) loop->Stop();
  for (const auto& endpoint : endpoints_) evhttp_free(endpoint->http);
  endpoints_.clear();
  loops_.clear();
}

}  // namespace micrort::serve
