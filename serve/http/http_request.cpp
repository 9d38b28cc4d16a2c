#include "serve/http/http_request.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

#include "serve/http/event_loop.h"
#include "serve/http/http_server.h"

namespace micrort::serve {
namespace {

HttpMethod MethodOf(evhttp_request* request) {
  switch (evhttp_request_get_command(request)) {
    case EVHTTP_REQ_GET:
    case EVHTTP_REQ_HEAD:  // libevent leaves the body out
      return HttpMethod::kGet;
    case EVHTTP_REQ_POST:
      return HttpMethod::kPost;
    default:
      return HttpMethod::kOther;
  }
}

// Up to so many, copying a body takes less time than handing it over.
constexpr size_t kCopiedBytes = 4096;

void FreeBody(const void*, size_t, void* owner) { delete static_cast<std::string*>(owner); }

}  // namespace

HttpExchange::HttpExchange(HttpServer* server, EventLoop* loop, evhttp_request* request)
    : server_(server), loop_(loop), request_(request), method_(MethodOf(request)) {
  ParsePath();
  evbuffer* input = evhttp_request_get_input_buffer(request);
  const size_t length = evbuffer_get_length(input);
  if (length != 0) body_ = {evbuffer_pullup(input, -1), length};
  server_->Began();
}

HttpExchange::~HttpExchange() {
  if (closed_event_ != nullptr) event_free(closed_event_);
}

void HttpExchange::ParsePath() {
  const char* path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request_));
  raw_path_ = path == nullptr ? "" : path;
  for (size_t at = 1; at <= raw_path_.size();) {
    const size_t end = std::min(raw_path_.find('/', at), raw_path_.size());
    size_t length = 0;
    char* decoded = evhttp_uridecode(raw_path_.substr(at, end - at).c_str(), 0, &length);
    path_.emplace_back(decoded == nullptr ? "" : std::string(decoded, length));
    free(decoded);
    at = end + 1;
  }
  while (!path_.empty() && path_.back().empty()) path_.pop_back();
}

std::string HttpExchange::header(const char* name) const {
  const char* value = evhttp_find_header(evhttp_request_get_input_headers(request_), name);
  return value == nullptr ? "" : value;
}

std::string HttpExchange::peer() const {
  evhttp_connection* connection = evhttp_request_get_connection(request_);
  if (connection == nullptr) return "";
  char* address = nullptr;
  uint16_t port = 0;
  evhttp_connection_get_peer(connection, &address, &port);
  return address == nullptr ? "" : address;
}

void HttpExchange::WhenClosed(std::function<void()> closed) {
  if (request_ == nullptr) return;
  evhttp_connection* connection = evhttp_request_get_connection(request_);
  if (connection == nullptr) return;
  closed_ = std::move(closed);
  const int descriptor = bufferevent_getfd(evhttp_connection_get_bufferevent(connection));
  // Reading is off while a request is answered, so that nothing else would tell.
  closed_event_ = event_new(loop_->base(), descriptor, EV_CLOSED, OnClosed, this);
  event_add(closed_event_, nullptr);
}

void HttpExchange::OnClosed(int, short, void* self) {
  auto* exchange = static_cast<HttpExchange*>(self);
  if (exchange->closed_) exchange->closed_();
}

void HttpExchange::Reply(HttpResponse response) {
  if (loop_->is_current()) return Send(&response);
  loop_->Post(
      [self = shared_from_this(), response = std::move(response)]() mutable { self->Send(&response); });
}

void HttpExchange::SendMade(const std::function<HttpResponse()>& make) {
  HttpResponse response;
  try {
    response = make();
  } catch (const std::exception&) {
    response = HttpResponse();
    response.status = 500;
  }
  Send(&response);
}

void HttpExchange::ReplyWith(std::function<HttpResponse()> make) {
  if (loop_->is_current()) return SendMade(make);
  loop_->Post([self = shared_from_this(), make = std::move(make)] { self->SendMade(make); });
}

double HttpExchange::milliseconds() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
}

void HttpExchange::Send(HttpResponse* response) {
  if (closed_event_ != nullptr) event_free(closed_event_);
  closed_event_ = nullptr;
  closed_ = nullptr;
  evkeyvalq* headers = evhttp_request_get_output_headers(request_);
  evhttp_add_header(headers, "Content-Type", response->content_type.c_str());
  // Values that came from the client are refused if they hold the end of a line.
  for (const auto& [name, value] : response->headers) evhttp_add_header(headers, name.c_str(), value.c_str());
  // The trace that a client or proxy began goes back with the answer.
  if (const std::string trace = header("traceparent"); !trace.empty())
    evhttp_add_header(headers, "traceparent", trace.c_str());
  server_->Finished(*this, response->status);
  if (server_->is_draining()) evhttp_add_header(headers, "Connection", "close");
  evbuffer* output = evhttp_request_get_output_buffer(request_);
  if (response->body.size() <= kCopiedBytes) {
    evbuffer_add(output, response->body.data(), response->body.size());
  } else {
    auto* body = new std::string(std::move(response->body));
    evbuffer_add_reference(output, body->data(), body->size(), FreeBody, body);
  }
  body_ = {};
  evhttp_send_reply(std::exchange(request_, nullptr), response->status, nullptr, nullptr);
  server_->Ended();
}

}  // namespace micrort::serve
