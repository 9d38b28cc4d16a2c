#pragma once
// A connection to a server on which a test sends what it likes.

#include <cstdint>
#include <string>

namespace micrort::test {

class RawClient {
 public:
  explicit RawClient(int port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // False once the server has closed the connection.
  bool Send(const std::string& bytes);
  // No more will be sent; the answer is still read.
  void EndSending();
  // What came until `end` was in it, the server closed the connection, or nothing came for so long.
  std::string ReadUntil(const std::string& end, int milliseconds = 10000);
  std::string ReadAll(int milliseconds = 10000);
  // Whether the server closed the connection when the last read ended.
  bool is_closed() const { return is_closed_; }

 private:
  int descriptor_;
  bool is_closed_ = false;
};

// An HTTP/2 frame.
std::string Http2Frame(int type, int flags, uint32_t stream, const std::string& payload);
// A field of a header block, as HPACK writes a name and value that are in no table; at most 16,383 bytes
// each.
std::string Http2Field(const std::string& name, const std::string& value);
// The preface of a connection, and the header block of a gRPC call of the protocol.
std::string Http2Preface();
std::string GrpcHeaders(const std::string& call);
// A message in a frame of the call, which it ends.
std::string GrpcMessage(uint32_t stream, const std::string& message);

}  // namespace micrort::test
