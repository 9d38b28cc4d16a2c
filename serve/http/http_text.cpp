#include "serve/http/http_text.h"

#include <strings.h>

#include <algorithm>
#include <ctime>

#include "serve/service/model_json.h"
#include "serve/service/trace_context.h"

namespace micrort::serve {
namespace {

const char* ReasonOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

std::string Date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  char text[40];
  std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc);
  return text;
}

void AddField(const std::string& name, const std::string& value, std::string* text) {
  // A line that ends early would begin another field.
  const bool is_one_line =
      std::none_of(value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (is_one_line) *text += name + ": " + value + "\r\n";
}

}  // namespace

std::string ResponseHead(const HttpHead& request, const HttpResponse& response, bool closes) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + ' ' + ReasonOf(response.status) + "\r\n";
  AddField("Date", Date(), &text);
  AddField("Content-Type", response.content_type, &text);
  if (response.is_streamed) {
    if (request.minor_version >= 1) AddField("Transfer-Encoding", "chunked", &text);
  } else if (response.status != 204) {
    AddField("Content-Length", std::to_string(response.body.size()), &text);
  }
  for (const auto& [name, value] : response.headers) AddField(name, value, &text);
  // The trace that a client or proxy began goes back with the answer.
  if (const auto trace = request.field("traceparent"); IsTraceparent(trace))
    AddField("traceparent", std::string(trace), &text);
  if (closes) {
    AddField("Connection", "close", &text);
  } else if (request.minor_version == 0) {
    AddField("Connection", "keep-alive", &text);
  }
  return text + "\r\n";
}

HttpResponse ErrorText(int status, const std::string& message) {
  HttpResponse response;
  response.status = status;
  response.body = ErrorJson(message);
  if (status == 503) response.headers.push_back({"Retry-After", "1"});
  return response;
}

bool IsContinue(std::string_view text) {
  return text.size() == 12 && strncasecmp(text.data(), "100-continue", 12) == 0;
}

}  // namespace micrort::serve
