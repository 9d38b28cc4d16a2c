// Requests that could be understood in two ways, byte by byte and at once.

#include "serve/http/http_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::serve {
namespace {

using State = HttpParser::State;

constexpr char kPost[] = "POST /v2 HTTP/1.1\r\nHost: h\r\n";

// Takes `text` in parts of `part` bytes; returns how many were taken.
size_t Feed(const std::string& text, size_t part, HttpParser* parser) {
  size_t at = 0;
  while (at < text.size() && parser->state() != State::kDone && parser->state() != State::kError)
    at += parser->Feed(text.data() + at, std::min(part, text.size() - at));
  return at;
}

// The status of the error; 200 for a whole request, 0 for one that is not whole.
int StatusOf(const std::string& text, size_t part) {
  HttpParserLimits limits;
  limits.max_header_bytes = 1000;
  limits.max_body_bytes = 100;
  HttpParser parser(limits);
  Feed(text, part, &parser);
  if (parser.state() == State::kError) return parser.error_status();
  return parser.state() == State::kDone ? 200 : 0;
}

TEST(HttpParser, ReadsARequestAndLeavesTheNext) {
  const std::string first = std::string(kPost) + "Content-Length: 4\r\nX-A:  b c\t\r\n\r\nbody";
  for (const size_t part : {1, 3, 1000}) {
    HttpParser parser({});
    EXPECT_EQ(Feed(first + "GET / HTTP/1.1\r\n", part, &parser), first.size());
    EXPECT_EQ(parser.state(), State::kDone);
    EXPECT_EQ(parser.head().method, "POST");
    EXPECT_EQ(parser.head().target, "/v2");
    EXPECT_EQ(parser.head().field("x-a"), "b c");
    EXPECT_EQ(parser.body(), "body");
    EXPECT_TRUE(parser.head().keeps_alive());
  }
}

// The answer to HEAD has no body, that to a broken one neither.
TEST(HttpParser, KnowsTheMethodOfARequestThatIsRefused) {
  for (const char* line : {"HEAD / HTTP/2.0", "HEAD / HTTP/x", "HEAD / ", "HEAD /", "HEAD \x7f HTTP/1.1"}) {
    HttpParser parser({});
    Feed(std::string(line) + "\r\n", 1000, &parser);
    EXPECT_EQ(parser.state(), State::kError) << line;
    EXPECT_EQ(parser.head().method, "HEAD") << line;
  }
}

TEST(HttpParser, ReadsChunksWithExtensionsAndTrailers) {
  const std::string text =
      std::string(kPost) +
      "Transfer-Encoding: Chunked\r\n\r\n3;a=b ;c=\"d\"\r\nabc\r\n00A\r\n0123456789\r\n0\r\n"
      "X-T: 1\r\n\r\n";
  for (const size_t part : {1, 7, 1000}) {
    HttpParser parser({});
    EXPECT_EQ(Feed(text + "rest", part, &parser), text.size());
    EXPECT_EQ(parser.state(), State::kDone) << parser.error();
    EXPECT_EQ(parser.body(), "abc0123456789");
  }
}

TEST(HttpParser, RefusesWhatHasTwoMeanings) {
  const std::string chunked = std::string(kPost) + "Transfer-Encoding: chunked\r\n\r\n";
  const struct {
    std::string text;
    int status;
  } cases[] = {
      {std::string(kPost) + "Content-Length : 2\r\n\r\n{}", 400},
      {std::string(kPost) + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400},
      {std::string(kPost) + "Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}", 400},
      {std::string(kPost) + "Content-Length: +2\r\n\r\n{}", 400},
      {std::string(kPost) + "Content-Length: -2\r\n\r\n{}", 400},
      {std::string(kPost) + "Content-Length: 2, 2\r\n\r\n{}", 400},
      {std::string(kPost) + "Content-Length: 0x2\r\n\r\n{}", 400},
      {std::string(kPost) + "Content-Length:\r\n\r\n", 400},
      {std::string(kPost) + "Content-Length:\r\n 2\r\n\r\n{}", 400},
      {std::string(kPost) + "Content-Length: 101\r\n\r\n", 413},
      {std::string(kPost) + "Content-Length: 99999999999999999999\r\n\r\n", 413},
      {std::string(kPost) + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400},
      {std::string(kPost) + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n", 400},
      {std::string(kPost) + "Transfer-Encoding: chunked, identity\r\n\r\n", 400},
      {std::string(kPost) + "Transfer-Encoding: gzip\r\n\r\n", 400},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {chunked + "+2\r\n{}\r\n0\r\n\r\n", 400},
      {chunked + "-2\r\n{}\r\n0\r\n\r\n", 400},
      {chunked + "0x2\r\n{}\r\n0\r\n\r\n", 400},
      {chunked + " 2\r\n{}\r\n0\r\n\r\n", 400},
      {chunked + "2 \r\n{}\r\n0\r\n\r\n", 400},
      {chunked + "\r\n{}\r\n0\r\n\r\n", 400},
      {chunked + "2\n{}\r\n0\r\n\r\n", 400},
      {chunked + "2\r\n{}XX0\r\n\r\n", 400},
      {chunked + "2\r\n{}\r\n0\r\nX : y\r\n\r\n", 400},
      {chunked + "65\r\n", 413},
      {chunked + "ffffffffffffffffffff\r\n", 413},
      {chunked + "2;" + std::string(2000, 'a') + "\r\n", 431},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
      {"GET / HTTP/1.0\r\n\r\n", 200},
      {"GET / HTTP/1.1\r\nHost:\r\n\r\n", 200},
      {"\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", 200},
      {"GET / HTTP/1.1\nHost: h\n\n", 400},
      {"GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"GET /\r\n\r\n", 400},
      {"GET / HTTP/9.9\r\nHost: h\r\n\r\n", 505},
      {"GET / http/1.1\r\nHost: h\r\n\r\n", 400},
      {"G@T / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", 400},
      {std::string("GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n", 37), 400},
      {"GET / HTTP/1.1\r\nHost: h\r\n: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(2000, 'a'), 431},
      {"GET / HTTP/1.1\r\nHost: h\r\n", 0},
  };
  for (const auto& c : cases) {
    for (const size_t part : {1, 5, 100000}) EXPECT_EQ(StatusOf(c.text, part), c.status) << c.text;
  }
}

TEST(HttpParser, AHeaderHasSoManyFields) {
  std::string text = "GET / HTTP/1.1\r\nHost: h\r\n";
  for (int i = 0; i < 150; ++i) text += "a:\r\n";
  EXPECT_EQ(StatusOf(text + "\r\n", 1000), 431);
}

}  // namespace
}  // namespace micrort::serve
