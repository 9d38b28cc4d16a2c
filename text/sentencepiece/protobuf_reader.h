#pragma once
// Reads messages of protocol buffers field by field; nothing is copied.

#include <cstdint>
#include <cstring>
#include <string_view>

namespace micrort::text {

class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view bytes) : bytes_(bytes) {}

  // The next field; false at the end and where the message is malformed, which ok() tells apart.
  bool Next() {
    if (!ok_ || bytes_.empty()) return false;
    const uint64_t key = Varint();
    field_ = key >> 3;
    data_ = {};
    number_ = 0;
    switch (key & 7) {
      case kVarint:
        number_ = Varint();
        break;
      case kFixed64:
        data_ = Take(8);
        break;
      case kBytes:
        data_ = Take(Varint());
        break;
      case kFixed32:
        data_ = Take(4);
        break;
      default:
        ok_ = false;
    }
    return ok_;
  }
  bool ok() const { return ok_; }

  uint64_t field() const { return field_; }
  uint64_t number() const { return number_; }
  std::string_view data() const { return data_; }  // of strings, bytes and messages
  float real() const {
    float value = 0;
    if (data_.size() == sizeof value) std::memcpy(&value, data_.data(), sizeof value);
    return value;
  }

 private:
  enum Wire { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes_[0]);
      bytes_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::string_view Take(uint64_t count) {
    if (count > bytes_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, static_cast<size_t>(count));
    bytes_.remove_prefix(static_cast<size_t>(count));
    return taken;
  }

  std::string_view bytes_, data_;
  uint64_t field_ = 0, number_ = 0;
  bool ok_ = true;
};

}  // namespace micrort::text
