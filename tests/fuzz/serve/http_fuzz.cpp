// What comes over connections: HTTP/1.1, and the frames of HTTP/2 before gRPC sees them. However the network
// cuts it, it is the same request.

#include <algorithm>
#include <cstdlib>

#include "serve/grpc/http2_guard.h"
#include "serve/http/http_parser.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

using serve::Http2Guard;
using serve::HttpParser;

constexpr size_t kMaxHeader = 512, kMaxBody = 1024;

// How many bytes were taken, in parts of at most `part`.
size_t Feed(const std::string& bytes, size_t part, HttpParser* parser) {
  size_t at = 0;
  while (at < bytes.size() && parser->state() != HttpParser::State::kDone &&
         parser->state() != HttpParser::State::kError)
    at += parser->Feed(bytes.data() + at, std::min(part, bytes.size() - at));
  return at;
}

Status RunHttp(const std::string& bytes) {
  serve::HttpParserLimits limits;
  limits.max_header_bytes = kMaxHeader;
  limits.max_body_bytes = kMaxBody;
  HttpParser whole(limits), parts(limits);
  const size_t taken = Feed(bytes, bytes.size(), &whole), taken_in_parts = Feed(bytes, 1, &parts);
  if (whole.state() != parts.state() || whole.error_status() != parts.error_status() ||
      whole.body() != parts.body() || whole.body().size() > kMaxBody)
    std::abort();
  if (whole.state() == HttpParser::State::kDone && taken != taken_in_parts) std::abort();
  if (whole.state() == HttpParser::State::kDone) return Status();
  return Refused(whole.error().empty() ? "not whole" : whole.error());
}

Status RunHttp2(const std::string& bytes) {
  const serve::TokenBucket::Clock::time_point now = serve::TokenBucket::Clock::now();
  Http2Guard::Verdict verdicts[2];
  for (const bool in_parts : {false, true}) {
    serve::TokenBucket resets(1000, 1000);
    Http2Guard guard(kMaxHeader, &resets);
    Http2Guard::Verdict& verdict = verdicts[in_parts];
    verdict = Http2Guard::Verdict::kGoOn;
    for (size_t at = 0; at < bytes.size() && verdict == Http2Guard::Verdict::kGoOn;) {
      const size_t part = in_parts ? 1 : bytes.size();
      size_t passed = 0;
      verdict = guard.Feed(reinterpret_cast<const uint8_t*>(bytes.data()) + at,
                           std::min(part, bytes.size() - at), now, &passed);
      at += passed;
    }
    for (size_t at = 0, part = in_parts ? 1 : bytes.size(); at < bytes.size(); at += part)
      guard.FeedAnswers(reinterpret_cast<const uint8_t*>(bytes.data()) + at, part);
  }
  if (verdicts[0] != verdicts[1]) std::abort();
  return verdicts[0] == Http2Guard::Verdict::kRefuse ? Refused("no call") : Status();
}

}  // namespace

std::vector<std::string> HttpSeeds() {
  return {
      "GET /v2/models/m HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
      "POST /v2/models/m/infer HTTP/1.1\r\nHost: h:1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n"};
}

std::vector<std::string> Http2Seeds() {
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  const std::string settings(std::string("\0\0\0\4\0\0\0\0\0", 9));
  const std::string headers =
      std::string("\0\0\1\1\0\0\0\0\1", 9) + 'h' + std::string("\0\0\1\x9\4\0\0\0\1", 9) + 'h';
  return {preface + settings + headers + std::string("\0\0\4\3\0\0\0\0\1", 9) + std::string(4, '\0')};
}

const Harness kHttp = {"http", RunHttp, MutateBytes};
const Harness kHttp2 = {"http2", RunHttp2, MutateBytes};

}  // namespace micrort::fuzz
