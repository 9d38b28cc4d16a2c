#pragma once
// Fields of a protobuf message as bytes (protobuf.dev/programming-guides/encoding), for messages that are
// written once and never read here.

#include <cstdint>
#include <string>

namespace micrort {

class ProtobufWriter {
 public:
  void Integer(unsigned field, int64_t value) {
    Key(field, kVarint);
    Varint(static_cast<uint64_t>(value));
  }
  // A string, bytes or a message.
  void Bytes(unsigned field, const void* data, size_t size) {
    Key(field, kLengthDelimited);
    Varint(size);
    bytes_.append(static_cast<const char*>(data), size);
  }
  void Text(unsigned field, const std::string& text) { Bytes(field, text.data(), text.size()); }
  void Message(unsigned field, const ProtobufWriter& message) { Text(field, message.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  enum WireType : unsigned { kVarint = 0, kLengthDelimited = 2 };

  void Key(unsigned field, WireType type) { Varint(uint64_t{field} << 3 | type); }
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace micrort
