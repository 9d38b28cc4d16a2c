#include "serve/http/http_request.h"

#include <algorithm>
#include <utility>

#include "serve/http/event_loop.h"
#include "serve/http/free_later.h"
#include "serve/http/http_connection.h"

namespace micrort::serve {
namespace {

HttpMethod MethodOf(const std::string& name) {
  if (name == "GET" || name == "HEAD") return HttpMethod::kGet;
  if (name == "POST") return HttpMethod::kPost;
  return name == "OPTIONS" ? HttpMethod::kOptions : HttpMethod::kOther;
}

// -1 if it is none.
int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "%41" is 'A'; a '%' that is no such escape stays.
std::string Decoded(const std::string& text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 && HexDigit(text[i + 2]) >= 0;
    decoded += is_escape ? static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2])) : text[i];
    if (is_escape) i += 2;
  }
  return decoded;
}

}  // namespace

HttpExchange::HttpExchange(std::weak_ptr<HttpConnection> connection, EventLoop* loop, std::string peer,
                           HttpHead head, std::string body, ByteBudget::Share share)
    : connection_(std::move(connection)),
      loop_(loop),
      peer_(std::move(peer)),
      head_(std::move(head)),
      method_(MethodOf(head_.method)),
      body_(std::move(body)),
      share_(std::move(share)) {
  ParsePath(head_.target);
}

void HttpExchange::ParsePath(const std::string& target) {
  raw_path_ = target.substr(0, target.find_first_of("?#"));
  // As proxies are asked: "http://host/path".
  if (const size_t scheme = raw_path_.find("://"); raw_path_[0] != '/' && scheme != std::string::npos) {
    const size_t slash = raw_path_.find('/', scheme + 3);
    raw_path_ = slash == std::string::npos ? "/" : raw_path_.substr(slash);
  }
  for (size_t at = 1; at <= raw_path_.size();) {
    const size_t end = std::min(raw_path_.find('/', at), raw_path_.size());
    path_.push_back(Decoded(raw_path_.substr(at, end - at)));
    at = end + 1;
  }
  while (!path_.empty() && path_.back().empty()) path_.pop_back();
}

std::string HttpExchange::header(const char* name) const {
  std::string lower = name;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::string(head_.field(lower));
}

void HttpExchange::ForgetBody() {
  FreeLater(&body_);
  share_.Release();
}

void HttpExchange::WhenClosed(std::function<void()> closed) {
  if (!loop_->is_current()) {
    loop_->Post([self = shared_from_this(), closed = std::move(closed)] { self->WhenClosed(closed); });
    return;
  }
  if (is_answered_) return;
  if (is_closed_) return closed();
  closed_ = std::move(closed);
}

void HttpExchange::NoteClosed() {
  is_closed_ = true;
  if (const std::function<void()> closed = std::exchange(closed_, nullptr)) closed();
}

void HttpExchange::Reply(HttpResponse response) {
  if (loop_->is_current()) return Send(std::move(response));
  loop_->Post([self = shared_from_this(), kept = std::make_shared<HttpResponse>(std::move(response))] {
    self->Send(std::move(*kept));
  });
}

void HttpExchange::WithConnection(std::function<void(HttpConnection*)> task) {
  auto run = [self = shared_from_this(), task = std::move(task)] {
    if (const auto connection = self->connection_.lock()) task(connection.get());
  };
  if (loop_->is_current()) return run();
  loop_->Post(std::move(run));
}

void HttpExchange::BeginStream(HttpResponse head) {
  head.is_streamed = true;
  const auto kept = std::make_shared<HttpResponse>(std::move(head));
  WithConnection([this, kept](HttpConnection* connection) { connection->Answer(*this, std::move(*kept)); });
}

void HttpExchange::Push(std::string piece) {
  unsent_ += piece.size();
  const auto kept = std::make_shared<std::string>(std::move(piece));
  WithConnection([kept](HttpConnection* connection) { connection->Stream(*kept); });
}

void HttpExchange::EndStream() {
  WithConnection([this](HttpConnection* connection) {
    is_answered_ = true;
    closed_ = nullptr;
    connection->EndStream(*this);
  });
}

double HttpExchange::milliseconds() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
}

void HttpExchange::Send(HttpResponse response) {
  if (std::exchange(is_answered_, true)) return;
  closed_ = nullptr;
  ForgetBody();
  if (const auto connection = connection_.lock()) connection->Answer(*this, std::move(response));
}

}  // namespace micrort::serve
