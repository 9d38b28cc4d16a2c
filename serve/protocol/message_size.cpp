#include "serve/protocol/message_size.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <cstdint>

namespace micrort::serve {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;

// Of a field of any kind, an unknown one included, and what an object or an entry of a map takes beyond that.
constexpr size_t kWireFieldBytes = 80, kMessageBytes = 256;
// A list grows by doubling: at most three times what is in it.
constexpr size_t kGrowth = 3;
constexpr uint8_t kContinues = 0x80;  // of a byte of a number: another one follows

// The bytes of a number in memory.
size_t NumberBytes(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return sizeof(bool);
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_FLOAT:
    case FieldDescriptor::CPPTYPE_ENUM:
      return sizeof(int32_t);
    default:
      return sizeof(int64_t);
  }
}

bool HasFixedSize(const FieldDescriptor& field) {
  switch (field.type()) {
    case FieldDescriptor::TYPE_FLOAT:
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_SFIXED32:
    case FieldDescriptor::TYPE_DOUBLE:
    case FieldDescriptor::TYPE_FIXED64:
    case FieldDescriptor::TYPE_SFIXED64:
      return true;
    default:
      return false;
  }
}

class MessageSizer {
 public:
  MessageSizer(google::protobuf::io::ZeroCopyInputStream* stream, size_t most)
      : input_(stream), most_(most) {}

  // Of the fields up to the end or the current limit. Fields of groups count as if they were the message's.
  void AddFields(const Descriptor& type) {
    for (uint32_t tag = input_.ReadTag(); tag != 0 && bytes_ <= most_; tag = input_.ReadTag()) {
      bytes_ += kWireFieldBytes;
      if (!AddValue(type, tag)) return;
    }
  }

  size_t bytes() const { return bytes_; }

 private:
  bool AddValue(const Descriptor& type, uint32_t tag) {
    uint64_t number = 0;
    switch (WireFormatLite::GetTagWireType(tag)) {
      case WireFormatLite::WIRETYPE_VARINT:
        return input_.ReadVarint64(&number);
      case WireFormatLite::WIRETYPE_FIXED64:
        return input_.Skip(sizeof(uint64_t));
      case WireFormatLite::WIRETYPE_FIXED32:
        return input_.Skip(sizeof(uint32_t));
      case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
        return AddDelimited(type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag)));
      case WireFormatLite::WIRETYPE_START_GROUP:
      case WireFormatLite::WIRETYPE_END_GROUP:
        return true;
    }
    return false;
  }

  // `field`: null if it is unknown.
  bool AddDelimited(const FieldDescriptor* field) {
    int length = 0;
    if (!input_.ReadVarintSizeAsInt(&length)) return false;
    if (field != nullptr && field->message_type() != nullptr) {
      bytes_ += kMessageBytes;
      const auto limit = input_.PushLimit(length);
      AddFields(*field->message_type());
      const bool is_whole = input_.BytesUntilLimit() == 0;
      input_.PopLimit(limit);
      return is_whole;
    }
    const bool is_list = field != nullptr && field->is_packable();
    if (is_list && !HasFixedSize(*field)) return AddNumbers(length, kGrowth * NumberBytes(*field));
    bytes_ += static_cast<size_t>(length) * (is_list ? kGrowth : 1);
    return input_.Skip(length);
  }

  // Each has a last byte.
  bool AddNumbers(int length, size_t bytes_a_number) {
    while (length > 0 && bytes_ <= most_) {
      const void* data = nullptr;
      int available = 0;
      if (!input_.GetDirectBufferPointer(&data, &available)) return false;
      available = std::min(available, length);
      const auto* from = static_cast<const uint8_t*>(data);
      const auto count = std::count_if(from, from + available, [](uint8_t b) { return b < kContinues; });
      bytes_ += static_cast<size_t>(count) * bytes_a_number;
      if (!input_.Skip(available)) return false;
      length -= available;
    }
    return length == 0;
  }

  google::protobuf::io::CodedInputStream input_;
  const size_t most_;
  size_t bytes_ = kMessageBytes;
};

}  // namespace

size_t MessageBytes(const Descriptor& type, google::protobuf::io::ZeroCopyInputStream* stream, size_t most) {
  MessageSizer sizer(stream, most);
  sizer.AddFields(type);
  return sizer.bytes();
}

}  // namespace micrort::serve
