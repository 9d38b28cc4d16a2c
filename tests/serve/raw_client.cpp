#include "tests/serve/raw_client.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace micrort::test {
namespace {

std::string BigEndian(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

// HPACK's length of a string without Huffman's code.
std::string Length(size_t length) {
  if (length < 127) return std::string(1, static_cast<char>(length));
  std::string bytes(1, '\x7f');
  size_t left = length - 127;
  for (; left >= 128; left /= 128) bytes += static_cast<char>(left % 128 + 128);
  return bytes + static_cast<char>(left);
}

}  // namespace

RawClient::RawClient(int port) : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  is_closed_ = connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0;
}

RawClient::~RawClient() { close(descriptor_); }

bool RawClient::Send(const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t sent = send(descriptor_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += static_cast<size_t>(sent);
  }
  return true;
}

void RawClient::EndSending() { shutdown(descriptor_, SHUT_WR); }

std::string RawClient::ReadUntil(const std::string& end, int milliseconds) {
  std::string text;
  while (end.empty() || text.find(end) == std::string::npos) {
    pollfd wait = {descriptor_, POLLIN, 0};
    if (poll(&wait, 1, milliseconds) <= 0) break;
    char block[4096];
    const ssize_t got = recv(descriptor_, block, sizeof block, 0);
    is_closed_ = got <= 0;
    if (is_closed_) break;
    text.append(block, static_cast<size_t>(got));
  }
  return text;
}

std::string RawClient::ReadAll(int milliseconds) { return ReadUntil("", milliseconds); }

std::string Http2Frame(int type, int flags, uint32_t stream, const std::string& payload) {
  return BigEndian(static_cast<uint32_t>(payload.size())).substr(1) + static_cast<char>(type) +
         static_cast<char>(flags) + BigEndian(stream) + payload;
}

std::string Http2Field(const std::string& name, const std::string& value) {
  return std::string(1, '\0') + Length(name.size()) + name + Length(value.size()) + value;
}

std::string Http2Preface() { return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + Http2Frame(4, 0, 0, ""); }

std::string GrpcHeaders(const std::string& call) {
  return Http2Field(":method", "POST") + Http2Field(":scheme", "http") +
         Http2Field(":path", "/inference.GRPCInferenceService/" + call) + Http2Field(":authority", "x") +
         Http2Field("content-type", "application/grpc") + Http2Field("te", "trailers");
}

std::string GrpcMessage(uint32_t stream, const std::string& message) {
  return Http2Frame(0, 1, stream,
                    std::string(1, '\0') + BigEndian(static_cast<uint32_t>(message.size())) + message);
}

}  // namespace micrort::test
