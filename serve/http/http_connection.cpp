#include "serve/http/http_connection.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "serve/http/event_loop.h"
#include "serve/http/free_later.h"
#include "serve/http/http_server.h"
#include "serve/http/http_text.h"

namespace micrort::serve {
namespace {

// Up to so many, copying a body takes less time than handing it over.
constexpr size_t kCopiedBytes = 4096;
// A client that sends or takes fewer bytes a second gets no more time.
constexpr double kSlowestBytes = 65536;
// Bodies are counted in steps, beyond what any connection may take.
constexpr size_t kCountedBytes = 65536, kUncountedBytes = 16384;
// Up to so many, a body may be copied as it grows.
constexpr size_t kGrownBytes = size_t{1} << 20;
// How long what a refused client still sends is thrown away, so that it reads why.
constexpr double kLingerSeconds = 1;
// When and how often it is looked whether a client that has sent its last byte is still there.
constexpr double kProbeSeconds = 0.25, kLookSeconds = 0.05, kFillSeconds = 0.5;

constexpr char kContinue[] = "HTTP/1.1 100 Continue\r\n\r\n", kLastChunk[] = "0\r\n\r\n";

void FreeBody(const void*, size_t, void* owner) {
  const std::unique_ptr<std::string> body(static_cast<std::string*>(owner));
  FreeLater(body.get());
}

// Appends a piece of a stream. An empty chunk would be its end.
void AppendPiece(const std::string& piece, bool is_chunk, evbuffer* output) {
  if (is_chunk) evbuffer_add_printf(output, "%zx\r\n", piece.size());
  evbuffer_add(output, piece.data(), piece.size());
  if (is_chunk) evbuffer_add(output, "\r\n", 2);
}

// Holds the connection while its event is handled.
std::shared_ptr<HttpConnection> Self(void* argument) {
  return static_cast<HttpConnection*>(argument)->shared_from_this();
}

}  // namespace

HttpConnection::HttpConnection(HttpServer* server, EventLoop* loop, const HttpHandler* handler,
                               int descriptor, std::string peer)
    : server_(server),
      loop_(loop),
      handler_(handler),
      peer_(std::move(peer)),
      parser_(std::make_unique<HttpParser>(server->limits().parser)) {
  events_ = bufferevent_socket_new(loop->base(), descriptor, BEV_OPT_CLOSE_ON_FREE);
  timer_ = event_new(loop->base(), -1, 0, OnTimer, this);
}

HttpConnection::~HttpConnection() {
  FreeLater(&parser_->body());
  if (watch_ != nullptr) event_free(watch_);
  if (timer_ != nullptr) event_free(timer_);
  if (events_ != nullptr) bufferevent_free(events_);
}

void HttpConnection::Start(std::function<void()> closed) {
  when_closed_ = std::move(closed);
  if (events_ == nullptr || timer_ == nullptr) return Close();
  bufferevent_setcb(events_, OnRead, OnWritten, OnEvent, this);
  const timeval silence = {server_->limits().idle_seconds, 0};
  bufferevent_set_timeouts(events_, nullptr, &silence);
  began_ = std::chrono::steady_clock::now();
  SetReadTimer();
  bufferevent_enable(events_, EV_READ | EV_WRITE);
}

bool HttpConnection::is_waiting() const {
  return state_ == State::kReading && parser_->state() == HttpParser::State::kHead;
}

void HttpConnection::Close() {
  if (state_ == State::kClosed) return;
  const bool was_asked =
      state_ == State::kAnswering || state_ == State::kStreaming || state_ == State::kWriting;
  state_ = State::kClosed;
  const auto self = shared_from_this();
  if (const Exchange exchange = exchange_.lock()) exchange->NoteClosed();
  if (watch_ != nullptr) event_del(watch_);
  if (timer_ != nullptr) event_del(timer_);
  if (events_ != nullptr) bufferevent_free(std::exchange(events_, nullptr));
  share_.Release();
  if (was_asked) server_->Ended();
  if (when_closed_) std::exchange(when_closed_, nullptr)();
}

void HttpConnection::OnRead(bufferevent*, void* self) { Self(self)->Read(); }
void HttpConnection::OnWritten(bufferevent*, void* argument) {
  const auto self = Self(argument);
  const size_t sent = std::exchange(self->unsent_, 0);
  if (const Exchange exchange = self->exchange_.lock(); exchange != nullptr && sent != 0)
    exchange->unsent_ -= sent;
  if (self->state_ == State::kWriting) self->FinishAnswer();
}

void HttpConnection::OnEvent(bufferevent*, short what, void* argument) {
  const auto self = Self(argument);
  // A client that has sent its last byte may still read its answer.
  const bool is_written = self->state_ == State::kWriting || self->state_ == State::kStreaming;
  const bool only_sends_no_more = (what & BEV_EVENT_EOF) != 0 && is_written;
  if (only_sends_no_more) return;
  // Thousands may go at once, and closing takes most of the time.
  if (self->state_ != State::kReading) return self->Close();
  self->loop_->Defer([left = self->weak_from_this()] {
    if (const auto connection = left.lock()) connection->Close();
  });
}

void HttpConnection::OnTimer(int, short, void* argument) {
  const auto self = Self(argument);
  if (self->state_ == State::kAnswering || self->state_ == State::kStreaming) return self->LookForClient();
  if (self->state_ == State::kReading && self->parser_->has_begun())
    return self->Refuse(408, "the request took too long");
  self->Close();
}

void HttpConnection::SetTimer(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const timeval time = {whole, static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1e6)};
  event_add(timer_, &time);
}

// Silence ends any connection; a header has a time of its own, and so has a request, slow bodies included.
void HttpConnection::SetReadTimer() {
  const HttpLimits& limits = server_->limits();
  const double silence = limits.idle_seconds;
  if (!parser_->has_begun()) return SetTimer(silence);
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const bool is_head = parser_->state() == HttpParser::State::kHead;
  const double most =
      is_head ? std::min(limits.header_seconds, limits.idle_seconds)
              : limits.request_seconds + static_cast<double>(parser_->body().size()) / kSlowestBytes;
  SetTimer(std::max(std::min(silence, most - passed), 0.001));
}

void HttpConnection::Read() {
  evbuffer* input = bufferevent_get_input(events_);
  if (state_ == State::kLingering) {
    evbuffer_drain(input, evbuffer_get_length(input));
    return;
  }
  while (state_ == State::kReading && evbuffer_get_length(input) != 0) {
    evbuffer_iovec block;
    evbuffer_peek(input, -1, nullptr, &block, 1);
    if (!parser_->has_begun()) began_ = std::chrono::steady_clock::now();
    const auto before = parser_->state();
    try {
      evbuffer_drain(input, parser_->Feed(static_cast<const char*>(block.iov_base), block.iov_len));
      if (before == HttpParser::State::kHead && parser_->state() == HttpParser::State::kBody) BeginBody();
    } catch (const std::exception&) {
      return Refuse(503, "out of memory");
    }
    if (state_ != State::kReading) return;
    if (parser_->state() == HttpParser::State::kError)
      return Refuse(parser_->error_status(), parser_->error());
    if (!CountBody()) return;
    if (parser_->state() == HttpParser::State::kDone) return Handle();
  }
  if (state_ == State::kReading) SetReadTimer();
}

void HttpConnection::BeginBody() {
  const std::string_view expected = parser_->head().field("expect");
  if (!expected.empty() && !IsContinue(expected)) return Refuse(417, "expected no Expect but 100-continue");
  if (!expected.empty() && parser_->head().minor_version >= 1)
    bufferevent_write(events_, kContinue, sizeof kContinue - 1);
}

bool HttpConnection::CountBody() {
  std::string& body = parser_->body();
  const size_t whole =
      parser_->is_chunked() ? server_->limits().parser.max_body_bytes : parser_->content_length();
  // A large one gets its place at once: growing would copy it, and pages that are not written take no memory.
  // The system may give 2 MB for the first byte, so that one has to be large already.
  if (body.size() > (whole > kGrownBytes ? kGrownBytes : kCountedBytes)) body.reserve(whole);
  const size_t bytes = body.capacity() < whole ? body.capacity() : body.size();
  if (bytes <= share_.bytes() || bytes <= kUncountedBytes) return true;
  const size_t steps = (bytes - share_.bytes() + kCountedBytes - 1) / kCountedBytes;
  const Error error = server_->budget()->Take(steps * kCountedBytes, &share_);
  if (error.ok()) return true;
  Refuse(error.kind() == ErrorKind::kTooLarge ? 413 : 503, error.message());
  return false;
}

void HttpConnection::Handle() {
  state_ = State::kAnswering;
  has_asked_ = true;
  event_del(timer_);
  bufferevent_disable(events_, EV_READ);
  server_->Began();
  const auto self = shared_from_this();
  const auto exchange = std::make_shared<HttpExchange>(weak_from_this(), loop_, peer_, parser_->head(),
                                                       std::move(parser_->body()), std::move(share_));
  exchange_ = exchange;
  try {
    (*handler_)(exchange);
  } catch (const std::exception&) {
    if (!exchange->is_answered()) exchange->Reply(ErrorText(503, "out of memory"));
  }
  if (state_ != State::kAnswering) return;
  // Reading is off while a request is answered, so that nothing else would tell of the client's end.
  const auto on_half_closed = [](int, short, void* argument) {
    const auto connection = Self(argument);
    const bool is_answering =
        connection->state_ == State::kAnswering || connection->state_ == State::kStreaming;
    if (!is_answering || std::exchange(connection->is_half_closed_, true)) return;
    connection->SetTimer(kProbeSeconds);
  };
  if (watch_ != nullptr) event_free(watch_);
  watch_ = event_new(loop_->base(), bufferevent_getfd(events_), EV_CLOSED, on_half_closed, this);
  event_add(watch_, nullptr);
}

// It sends nothing more. An interim answer tells whether it still reads, or a piece of a stream: else its
// system says that there is nobody.
void HttpConnection::LookForClient() {
  const bool may_probe = state_ == State::kAnswering && parser_->head().minor_version >= 1;
  if (!std::exchange(is_probed_, true) && may_probe)
    bufferevent_write(events_, kContinue, sizeof kContinue - 1);
  pollfd look = {bufferevent_getfd(events_), 0, 0};
  if (poll(&look, 1, 0) > 0 && (look.revents & (POLLERR | POLLHUP)) != 0) {
    // The request goes on until its answer comes, which nobody gets.
    if (const Exchange exchange = exchange_.lock()) exchange->NoteClosed();
    return;
  }
  if (state_ == State::kStreaming && !filler_.empty())
    AppendPiece(filler_, is_chunked_, bufferevent_get_output(events_));
  SetTimer(state_ == State::kStreaming ? kFillSeconds : kLookSeconds);
}

void HttpConnection::Refuse(int status, const std::string& message) {
  const bool is_begun = state_ == State::kReading;
  if (!is_begun) return Close();
  state_ = State::kAnswering;
  event_del(timer_);
  bufferevent_disable(events_, EV_READ);
  server_->Began();
  HttpResponse response = ErrorText(status, message);
  const HttpHead head = parser_->head();
  FreeLater(&parser_->body());
  parser_ = std::make_unique<HttpParser>(server_->limits().parser);
  share_.Release();
  Write(head, &response, true);
}

void HttpConnection::Answer(const HttpExchange& exchange, HttpResponse response) {
  if (state_ != State::kAnswering) return;
  const HttpHead& head = exchange.head_;
  const bool closes = !head.keeps_alive() || server_->is_draining() || is_half_closed_;
  if (response.is_streamed) {
    state_ = State::kStreaming;
    streamed_status_ = response.status;
    filler_ = response.filler;
    is_chunked_ = head.minor_version >= 1;
    // Without chunks, the end of the connection is that of the answer.
    closes_ = !is_chunked_ || closes;
    const std::string text = ResponseHead(head, response, closes_);
    evbuffer_add(bufferevent_get_output(events_), text.data(), text.size());
    return;
  }
  event_del(timer_);
  if (watch_ != nullptr) event_free(std::exchange(watch_, nullptr));
  server_->Finished(exchange, response.status);
  Write(head, &response, closes);
}

void HttpConnection::Stream(const std::string& piece) {
  if (state_ != State::kStreaming || piece.empty()) return;
  unsent_ += piece.size();
  AppendPiece(piece, is_chunked_, bufferevent_get_output(events_));
}

void HttpConnection::EndStream(const HttpExchange& exchange) {
  if (state_ != State::kStreaming) return;
  event_del(timer_);
  if (watch_ != nullptr) event_free(std::exchange(watch_, nullptr));
  server_->Finished(exchange, streamed_status_);
  state_ = State::kWriting;
  evbuffer* output = bufferevent_get_output(events_);
  if (is_chunked_) evbuffer_add(output, kLastChunk, sizeof kLastChunk - 1);
  if (evbuffer_get_length(output) == 0) return FinishAnswer();
  SetTimer(server_->limits().request_seconds);
}

void HttpConnection::Write(const HttpHead& head, HttpResponse* response, bool closes) {
  state_ = State::kWriting;
  closes_ = closes;
  share_ = std::move(response->share);
  const std::string text = ResponseHead(head, *response, closes);
  evbuffer* output = bufferevent_get_output(events_);
  const size_t bytes = head.method == "HEAD" ? 0 : response->body.size();
  evbuffer_add(output, text.data(), text.size());
  if (bytes != 0 && bytes <= kCopiedBytes) {
    evbuffer_add(output, response->body.data(), bytes);
  } else if (bytes != 0) {
    auto* body = new std::string(std::move(response->body));
    evbuffer_add_reference(output, body->data(), body->size(), FreeBody, body);
  }
  SetTimer(server_->limits().request_seconds + static_cast<double>(bytes) / kSlowestBytes);
}

void HttpConnection::FinishAnswer() {
  server_->Ended();
  share_.Release();
  state_ = State::kReading;
  if (closes_) return Linger();
  parser_ = std::make_unique<HttpParser>(server_->limits().parser);
  SetReadTimer();
  bufferevent_enable(events_, EV_READ);
  // Requests may have come with the one before.
  Read();
}

// Closing at once would lose the answer where the client still sends.
void HttpConnection::Linger() {
  state_ = State::kLingering;
  shutdown(bufferevent_getfd(events_), SHUT_WR);
  SetTimer(kLingerSeconds);
  bufferevent_enable(events_, EV_READ);
  Read();
}

}  // namespace micrort::serve
