#pragma once
// HTTP/1.1 requests from bytes, read strictly (RFC 9112): what could be understood in two ways is refused, so
// that this server and a proxy before it never disagree about where a request ends.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/base/span.h"

namespace micrort::serve {

struct HttpHead {
  std::string method, target;
  int minor_version = 1;
  std::vector<std::pair<std::string, std::string>> fields;  // names in lower case

  // "" if there is none. `name` in lower case.
  std::string_view field(std::string_view name) const;
  size_t count(std::string_view name) const;
  // Whether the client takes more answers on the connection.
  bool keeps_alive() const;
};

struct HttpParserLimits {
  size_t max_header_bytes = 16 * 1024;
  size_t max_body_bytes = 64 * 1024 * 1024;
  size_t max_fields = 100;
};

// Parses one request.
class HttpParser {
 public:
  enum class State { kHead, kBody, kDone, kError };

  explicit HttpParser(const HttpParserLimits& limits) : limits_(limits) {}

  // Takes what belongs to the request, and returns how many bytes that were. It pauses behind the head, so
  // that the caller may look at it before the body is taken.
  size_t Feed(const char* bytes, size_t count);

  State state() const { return state_; }
  bool has_begun() const { return has_begun_; }
  const HttpHead& head() const { return head_; }
  bool is_chunked() const { return is_chunked_; }
  // The length that the head declares; 0 where the body is chunked.
  size_t content_length() const { return content_length_; }
  std::string& body() { return body_; }
  // For kError.
  int error_status() const { return error_status_; }
  const std::string& error() const { return error_; }

 private:
  enum class Chunk { kSize, kData, kDataEnd, kTrailer };

  void Fail(int status, std::string message);
  // A line without its end; false while it is not whole.
  bool TakeLine(const char** at, const char* end);
  void TakeHeadLine();
  void ParseRequestLine();
  bool ParseField(std::string_view line, std::pair<std::string, std::string>* field);
  void FinishHead();
  void ReadHost();
  void ReadLength();
  void TakeChunkLine();
  void TakeChunkSize();
  void TakeBody(const char** at, const char* end);
  void TakeData(const char** at, const char* end);

  const HttpParserLimits limits_;
  State state_ = State::kHead;
  bool has_begun_ = false, is_chunked_ = false;
  HttpHead head_;
  std::string line_;
  size_t line_bytes_ = 0;  // of the head, and of the lines between chunks
  size_t content_length_ = 0;
  size_t data_left_ = 0;  // of the body, or of the chunk
  Chunk chunk_ = Chunk::kSize;
  std::string body_;
  int error_status_ = 0;
  std::string error_;
};

}  // namespace micrort::serve
