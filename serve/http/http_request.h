#pragma once
// One HTTP request, and the way its answer takes back to the connection.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/base/span.h"
#include "serve/http/http_parser.h"
#include "serve/protocol/byte_budget.h"

namespace micrort::serve {

class EventLoop;
class HttpConnection;

enum class HttpMethod {
  kGet,
  kPost,
  kOptions,
  kOther
};  // HEAD is a GET whose answer goes out without its body

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  ByteBudget::Share share;   // what the body takes; until it is sent
  bool is_streamed = false;  // the body comes in pieces behind the head
  std::string filler;        // a piece that means nothing, to see whether the client still reads
};

struct AnsweringModel {
  std::string name, version;
};

// Lives until it is answered, which has to happen exactly once. Made and answered on its loop's thread.
class HttpExchange : public std::enable_shared_from_this<HttpExchange> {
 public:
  // `body` is counted in `share`.
  HttpExchange(std::weak_ptr<HttpConnection> connection, EventLoop* loop, std::string peer, HttpHead head,
               std::string body, ByteBudget::Share share);

  HttpMethod method() const { return method_; }
  const std::string& method_name() const { return head_.method; }
  // Segments of the path, decoded; those of "/v2/models" are "v2" and "models".
  const std::vector<std::string>& path() const { return path_; }
  const std::string& raw_path() const { return raw_path_; }
  // "" if there is none.
  std::string header(const char* name) const;
  bool is_answered() const { return is_answered_; }
  // Valid until the request is answered, or the body forgotten by the thread that reads it.
  Span<const uint8_t> body() const { return {reinterpret_cast<const uint8_t*>(body_.data()), body_.size()}; }
  void ForgetBody();
  const std::string& peer() const { return peer_; }
  EventLoop* loop() const { return loop_; }
  // The model that computed the answer, for the log; set by the thread that replies, before it does.
  void SetModel(AnsweringModel model) { model_ = std::move(model); }
  const AnsweringModel& model() const { return model_; }

  // By any thread: called once if the client goes away before the request is answered, by the loop's thread.
  void WhenClosed(std::function<void()> closed);
  // By any thread.
  void Reply(HttpResponse response);
  // The same in pieces, by any thread: the head of an answer that is streamed, its body piece by piece, and
  // the end. What comes after the client went away is dropped.
  void BeginStream(HttpResponse head);
  void Push(std::string piece);
  void EndStream();
  // Bytes of pieces that the system has not taken yet, since the client reads slowly.
  size_t unsent() const { return unsent_; }
  double milliseconds() const;  // since it arrived

 private:
  friend class HttpConnection;
  void ParsePath(const std::string& target);
  void Send(HttpResponse response);
  void NoteClosed();
  // Runs `task` with the connection, where it is still there, by the loop's thread.
  void WithConnection(std::function<void(HttpConnection*)> task);

  const std::weak_ptr<HttpConnection> connection_;
  EventLoop* const loop_;
  const std::string peer_;
  const HttpHead head_;
  HttpMethod method_;
  std::string raw_path_;
  AnsweringModel model_;
  std::vector<std::string> path_;
  std::string body_;
  ByteBudget::Share share_;
  bool is_answered_ = false, is_closed_ = false;
  std::atomic<size_t> unsent_{0};
  std::function<void()> closed_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

using Exchange = std::shared_ptr<HttpExchange>;
using HttpHandler = std::function<void(const Exchange&)>;

}  // namespace micrort::serve
