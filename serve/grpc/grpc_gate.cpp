#include "serve/grpc/grpc_gate.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <exception>
#include <future>
#include <utility>

#include "serve/http/listening_socket.h"

namespace micrort::serve {
namespace {

// What may wait for one side before the other one is not read any more.
constexpr size_t kMostWaiting = 256 * 1024;
// How long what has to wait does.
constexpr timeval kGatePause = {0, 50'000};

}  // namespace

// A client's socket and gRPC's end of a pair of sockets.
class GrpcGate::Connection : public std::enable_shared_from_this<GrpcGate::Connection> {
 public:
  Connection(GrpcGate* gate, std::string peer)
      : gate_(gate), peer_(std::move(peer)), guard_(gate->limits_.max_header_bytes, &gate->resets_) {}
  ~Connection() {
    if (timer_ != nullptr) event_free(timer_);
    if (client_ != nullptr) bufferevent_free(client_);
    if (server_ != nullptr) bufferevent_free(server_);
  }

  // Takes both descriptors. `closed` is called once, at the end.
  void Start(int client, int server, std::function<void()> closed) {
    when_closed_ = std::move(closed);
    event_base* base = gate_->loop_.base();
    client_ = bufferevent_socket_new(base, client, BEV_OPT_CLOSE_ON_FREE);
    server_ = bufferevent_socket_new(base, server, BEV_OPT_CLOSE_ON_FREE);
    timer_ = event_new(base, -1, 0, OnTimer, this);
    for (bufferevent* side : {client_, server_}) {
      bufferevent_setcb(side, OnRead, OnWritten, OnEvent, this);
      bufferevent_enable(side, EV_READ | EV_WRITE);
    }
    const timeval time = {gate_->limits_.header_seconds, 0};
    event_add(timer_, &time);
  }

  const std::string& peer() const { return peer_; }
  bool has_called() const { return guard_.has_called(); }

  void Close() {
    if (when_closed_) std::exchange(when_closed_, nullptr)();
  }

 private:
  // Holds the connection while its event is handled.
  static std::shared_ptr<Connection> Self(void* argument) {
    return static_cast<Connection*>(argument)->shared_from_this();
  }
  static void OnRead(bufferevent* from, void* argument) {
    const auto self = Self(argument);
    from == self->client_ ? self->PassGuarded() : self->PassAnswers();
  }
  static void OnWritten(bufferevent* to, void* argument) {
    const auto self = Self(argument);
    if (self->ends_) return self->Close();
    if (to == self->client_) {
      bufferevent_enable(self->server_, EV_READ);
    } else if (!self->is_paused_) {
      bufferevent_enable(self->client_, EV_READ);
    }
  }
  static void OnEvent(bufferevent* side, short, void* argument) {
    const auto self = Self(argument);
    // What one side said last is still sent to the other.
    bufferevent* other = side == self->client_ ? self->server_ : self->client_;
    if (self->ends_ || evbuffer_get_length(bufferevent_get_output(other)) == 0) return self->Close();
    self->ends_ = true;
    bufferevent_disable(side, EV_READ | EV_WRITE);
    bufferevent_disable(other, EV_READ);
  }
  static void OnTimer(int, short, void* argument) {
    const auto self = Self(argument);
    if (!self->guard_.has_called()) return self->Close();
    if (!std::exchange(self->is_paused_, false)) return;
    bufferevent_enable(self->client_, EV_READ);
    self->PassGuarded();
  }

  static void StopAtMost(bufferevent* from, bufferevent* to) {
    if (evbuffer_get_length(bufferevent_get_output(to)) > kMostWaiting) bufferevent_disable(from, EV_READ);
  }
  void PassAnswers() {
    evbuffer *input = bufferevent_get_input(server_), *output = bufferevent_get_output(client_);
    for (size_t left = evbuffer_get_length(input); left != 0; left = evbuffer_get_length(input)) {
      evbuffer_iovec block;
      evbuffer_peek(input, -1, nullptr, &block, 1);
      guard_.FeedAnswers(static_cast<const uint8_t*>(block.iov_base), block.iov_len);
      evbuffer_remove_buffer(input, output, block.iov_len);
    }
    StopAtMost(server_, client_);
  }

  void PassGuarded() {
    evbuffer* input = bufferevent_get_input(client_);
    while (!is_paused_ && evbuffer_get_length(input) != 0) {
      evbuffer_iovec block;
      evbuffer_peek(input, -1, nullptr, &block, 1);
      size_t passed = 0;
      const auto verdict = guard_.Feed(static_cast<const uint8_t*>(block.iov_base), block.iov_len,
                                       TokenBucket::Clock::now(), &passed);
      if (verdict == Http2Guard::Verdict::kRefuse) return Close();
      evbuffer_remove_buffer(input, bufferevent_get_output(server_), passed);
      if (verdict == Http2Guard::Verdict::kPause) Pause();
    }
    if (!is_paused_) StopAtMost(client_, server_);
  }

  void Pause() {
    is_paused_ = true;
    bufferevent_disable(client_, EV_READ);
    event_add(timer_, &kGatePause);
  }

  GrpcGate* const gate_;
  const std::string peer_;
  Http2Guard guard_;
  bufferevent *client_ = nullptr, *server_ = nullptr;
  event* timer_ = nullptr;
  std::function<void()> when_closed_;
  bool is_paused_ = false, ends_ = false;
};

GrpcGate::GrpcGate(const GrpcLimits& limits, Accepted accepted)
    : limits_(limits),
      accepted_(std::move(accepted)),
      peers_(static_cast<size_t>(limits.max_connections), static_cast<size_t>(limits.max_peer_connections)) {}

GrpcGate::~GrpcGate() { Stop(); }

Error GrpcGate::Listen(const std::string& host, int port) {
  std::string why;
  const int descriptor = ListenOn(host, port, &why);
  if (descriptor < 0)
    return {ErrorKind::kInternal, "cannot listen on " + host + ":" + std::to_string(port) + ": " + why};
  // Backlog 0: it listens already.
  listener_ = evconnlistener_new(loop_.base(), OnAccept, this, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC,
                                 0, descriptor);
  evconnlistener_set_error_cb(listener_, OnAcceptError);
  loop_.Start();
  is_listening_ = true;
  return {};
}

void GrpcGate::OnAccept(evconnlistener*, int descriptor, sockaddr* address, int length, void* gate) {
  try {
    static_cast<GrpcGate*>(gate)->Accept(descriptor, PeerOf(address, length));
  } catch (const std::exception&) {
    close(descriptor);
  }
}

void GrpcGate::OnAcceptError(evconnlistener* listener, void* gate) {
  evconnlistener_disable(listener);
  const timeval moment = {0, 100'000};
  event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, Resume, gate, &moment);
}

void GrpcGate::Resume(int, short, void* gate) {
  if (evconnlistener* listener = static_cast<GrpcGate*>(gate)->listener_; listener != nullptr)
    evconnlistener_enable(listener);
}

bool GrpcGate::MakeRoom(const std::string& peer) {
  for (const ConnectionPtr& connection : connections_) {
    if (connection->has_called() || (!peer.empty() && connection->peer() != peer)) continue;
    connection->Close();
    return true;
  }
  return false;
}

void GrpcGate::Accept(int descriptor, const std::string& peer) {
  const auto connection = std::make_shared<Connection>(this, peer);
  int pair[2];
  PeerLimits::Room room = peers_.Enter(peer);
  if (room != PeerLimits::Room::kYes && MakeRoom(room == PeerLimits::Room::kTooMany ? "" : peer))
    room = peers_.Enter(peer);
  if (room != PeerLimits::Room::kYes) {
    close(descriptor);
    return;
  }
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
    peers_.Leave(peer);
    close(descriptor);
    return;
  }
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto place = connections_.insert(connections_.end(), connection);
  connection->Start(descriptor, pair[0], [this, place] {
    peers_.Leave((*place)->peer());
    connections_.erase(place);
  });
  accepted_(pair[1]);
}

void GrpcGate::Close() {
  if (!is_listening_) return;
  is_listening_ = false;
  std::promise<void> closed;
  loop_.Post([this, &closed] {
    evconnlistener_free(std::exchange(listener_, nullptr));
    closed.set_value();
  });
  closed.get_future().wait();
}

void GrpcGate::Stop() {
  loop_.Stop();
  while (!connections_.empty()) connections_.front()->Close();
  if (listener_ != nullptr) evconnlistener_free(std::exchange(listener_, nullptr));
}

}  // namespace micrort::serve
