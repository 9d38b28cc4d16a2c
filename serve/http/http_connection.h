#pragma once
// A connection of a client: one request after the other, each answered before the next is read.

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "serve/http/http_parser.h"
#include "serve/http/http_request.h"

struct bufferevent;
struct event;

namespace micrort::serve {

class EventLoop;
class HttpServer;

// Used by the loop's thread alone.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  // `handler` outlives it.
  HttpConnection(HttpServer* server, EventLoop* loop, const HttpHandler* handler, int descriptor,
                 std::string peer);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // `closed` is called once, at the end.
  void Start(std::function<void()> closed);
  const std::string& peer() const { return peer_; }
  // Whether it waits for a request, so that another client could have its place; and whether it has had one.
  bool is_waiting() const;
  bool has_asked() const { return has_asked_; }
  void Close();
  // The answer to its request, or the head of one whose pieces follow.
  void Answer(const HttpExchange& exchange, HttpResponse response);
  void Stream(const std::string& piece);
  void EndStream(const HttpExchange& exchange);

 private:
  enum class State { kReading, kAnswering, kStreaming, kWriting, kLingering, kClosed };

  static void OnRead(bufferevent*, void* self);
  static void OnWritten(bufferevent*, void* self);
  static void OnEvent(bufferevent*, short what, void* self);
  static void OnTimer(int, short, void* self);

  void Read();
  void BeginBody();
  // False if there is no room for what has been read; then the request is refused.
  bool CountBody();
  void Handle();
  // An answer to what is no request; the last one of the connection.
  void Refuse(int status, const std::string& message);
  void Write(const HttpHead& head, HttpResponse* response, bool closes);
  void FinishAnswer();
  void Linger();
  void SetTimer(double seconds);
  void SetReadTimer();
  void LookForClient();

  HttpServer* const server_;
  EventLoop* const loop_;
  const HttpHandler* const handler_;
  const std::string peer_;
  bufferevent* events_ = nullptr;
  event* timer_ = nullptr;
  event* watch_ = nullptr;  // of the client's end, while it is answered
  State state_ = State::kReading;
  std::unique_ptr<HttpParser> parser_;
  ByteBudget::Share share_;  // of the body that is read, then of the answer
  std::chrono::steady_clock::time_point began_;
  std::weak_ptr<HttpExchange> exchange_;
  std::function<void()> when_closed_;
  int streamed_status_ = 0;
  std::string filler_;  // of the stream
  size_t unsent_ = 0;   // of the pieces of a stream
  bool has_asked_ = false, closes_ = false, is_half_closed_ = false, is_probed_ = false, is_chunked_ = false;
};

}  // namespace micrort::serve
