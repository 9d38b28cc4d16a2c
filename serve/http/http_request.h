#pragma once
// One HTTP request, and the way its answer takes back to the connection.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/base/span.h"

struct event;
struct evhttp_request;

namespace micrort::serve {

class EventLoop;
class HttpServer;

enum class HttpMethod { kGet, kPost, kOther };

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// Lives until it is answered, which has to happen exactly once. Made and answered on its loop's thread.
class HttpExchange : public std::enable_shared_from_this<HttpExchange> {
 public:
  HttpExchange(HttpServer* server, EventLoop* loop, evhttp_request* request);
  ~HttpExchange();

  HttpMethod method() const { return method_; }
  // Segments of the path, decoded; those of "/v2/models" are "v2" and "models".
  const std::vector<std::string>& path() const { return path_; }
  const std::string& raw_path() const { return raw_path_; }
  // "" if there is none.
  std::string header(const char* name) const;
  bool is_answered() const { return request_ == nullptr; }
  // Valid until the request is answered.
  Span<const uint8_t> body() const { return body_; }
  std::string peer() const;

  // By the loop's thread, and without effect once it is answered: called once if the client goes away before
  // it is answered.
  void WhenClosed(std::function<void()> closed);
  // By any thread.
  void Reply(HttpResponse response);
  // The same with an answer that the loop's thread makes.
  void ReplyWith(std::function<HttpResponse()> make);
  double milliseconds() const;  // since it arrived

 private:
  static void OnClosed(int descriptor, short what, void* self);
  void ParsePath();
  void Send(HttpResponse* response);
  void SendMade(const std::function<HttpResponse()>& make);

  HttpServer* server_;
  EventLoop* loop_;
  evhttp_request* request_;  // null once it is answered
  HttpMethod method_;
  std::string raw_path_;
  std::vector<std::string> path_;
  Span<const uint8_t> body_;
  event* closed_event_ = nullptr;
  std::function<void()> closed_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

using Exchange = std::shared_ptr<HttpExchange>;
using HttpHandler = std::function<void(const Exchange&)>;

}  // namespace micrort::serve
