#include "tools/io/tensor_proto.h"

#include <gtest/gtest.h>

#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"

namespace micrort::io {
namespace {

using testing::BytesOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::Values;

// Protocol Buffers' wire format, as much as a TensorProto needs.
class Message {
 public:
  Message& Varint(int field, uint64_t value) {
    Raw(static_cast<uint64_t>(field) << 3);
    return Raw(value);
  }
  Message& Bytes(int field, const std::string& value) {
    Raw(static_cast<uint64_t>(field) << 3 | 2);
    Raw(value.size());
    text_ += value;
    return *this;
  }
  Message& Fixed32(int field, const std::string& four_bytes) {
    Raw(static_cast<uint64_t>(field) << 3 | 5);
    text_ += four_bytes;
    return *this;
  }
  // A varint without a key, as packed fields hold them.
  Message& Raw(uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Field numbers and element types of onnx.proto.
constexpr int kDims = 1, kDataType = 2, kFloatData = 4, kInt32Data = 5, kInt64Data = 7, kName = 8,
              kRawData = 9, kExternalData = 13, kDataLocation = 14;
constexpr uint64_t kFloat = 1, kUInt8 = 2, kInt8 = 3, kInt64 = 7, kString = 8, kBool = 9, kFloat16 = 10,
                   kComplex64 = 14;

Status Parse(const Message& message, NamedArray* out) {
  return ParseTensorProto("some.pb", BytesOf(message.text()), out);
}

std::string FloatBytes(const std::vector<float>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

TEST(TensorProto, ReadsRawData) {
  NamedArray array;
  ASSERT_THAT(Parse(Message()
                        .Varint(kDims, 1)
                        .Varint(kDims, 2)
                        .Varint(kDataType, kFloat)
                        .Bytes(kName, "x")
                        .Bytes(kRawData, FloatBytes({1.5f, -2})),
                    &array),
              IsOk());
  EXPECT_EQ(array.name, "x");
  EXPECT_EQ(array.dtype, DType::kFloat32);
  EXPECT_EQ(array.shape, (std::vector<int64_t>{1, 2}));
  EXPECT_THAT(Values<float>(array), ElementsAre(1.5f, -2));
}

TEST(TensorProto, ReadsPackedAndUnpackedFloats) {
  const std::string one = FloatBytes({1}), two = FloatBytes({2});
  for (const Message& data : {Message().Bytes(kFloatData, one + two),
                              Message().Fixed32(kFloatData, one).Fixed32(kFloatData, two)}) {
    NamedArray array;
    const std::string text = Message().Varint(kDims, 2).Varint(kDataType, kFloat).text() + data.text();
    ASSERT_THAT(ParseTensorProto("some.pb", BytesOf(text), &array), IsOk());
    EXPECT_THAT(Values<float>(array), ElementsAre(1, 2));
  }
}

TEST(TensorProto, ReadsIntegersStoredAsVarints) {
  NamedArray array;
  const uint64_t minus_three = ~uint64_t{2};
  ASSERT_THAT(Parse(Message()
                        .Varint(kDims, 2)
                        .Varint(kDataType, kInt64)
                        .Bytes(kInt64Data, Message().Raw(minus_three).Raw(300).text()),
                    &array),
              IsOk());
  EXPECT_THAT(Values<int64_t>(array), ElementsAre(-3, 300));
  ASSERT_THAT(Parse(Message()
                        .Varint(kDims, 2)
                        .Varint(kDataType, kInt8)
                        .Varint(kInt32Data, minus_three)
                        .Varint(kInt32Data, 7),
                    &array),
              IsOk());
  EXPECT_THAT(Values<int8_t>(array), ElementsAre(-3, 7));
  ASSERT_THAT(Parse(Message()
                        .Varint(kDims, 2)
                        .Varint(kDataType, kBool)
                        .Bytes(kInt32Data, Message().Raw(1).Raw(0).text()),
                    &array),
              IsOk());
  EXPECT_EQ(array.dtype, DType::kBool);
  EXPECT_THAT(Values<uint8_t>(array), ElementsAre(1, 0));
  ASSERT_THAT(
      Parse(Message().Varint(kDims, 1).Varint(kDataType, kFloat16).Varint(kInt32Data, 0x3c00), &array),
      IsOk());
  EXPECT_EQ(array.dtype, DType::kFloat16);
  EXPECT_THAT(Values<uint16_t>(array), ElementsAre(0x3c00));
}

TEST(TensorProto, ReadsScalarsAndEmptyTensors) {
  NamedArray array;
  ASSERT_THAT(Parse(Message().Varint(kDataType, kUInt8).Bytes(kRawData, "a"), &array), IsOk());
  EXPECT_TRUE(array.shape.empty());
  ASSERT_THAT(Parse(Message().Varint(kDims, 0).Varint(kDims, 3).Varint(kDataType, kUInt8), &array), IsOk());
  EXPECT_EQ(array.elements(), 0u);
}

TEST(TensorProto, RefusesWhatItCannotHold) {
  const std::vector<std::pair<Message, std::string>> messages = {
      {Message(), "element type 0"},
      {Message().Varint(kDataType, kString), "element type 8"},
      {Message().Varint(kDataType, kComplex64), "element type 14"},
      {Message().Varint(kDataType, 1000), "element type 1000"},
      {Message().Varint(kDataType, ~uint64_t{0}), "not supported"},
      {Message().Varint(kDataType, kFloat).Bytes(kExternalData, "").Varint(kDataLocation, 1),
       "external data"},
      {Message().Varint(kDataType, kFloat).Varint(kDims, ~uint64_t{0}), "not a possible array"},
      {Message().Varint(kDataType, kFloat).Varint(kDims, 1ull << 33).Varint(kDims, 1ull << 33),
       "not a possible array"},
      {Message().Varint(kDataType, kFloat).Varint(kDims, 2).Bytes(kRawData, "1234"),
       "needs 8 bytes of data, found 4"},
      {Message().Varint(kDataType, kFloat).Bytes(kFloatData, "123"), "needs 4 bytes of data, found 3"},
      {Message().Bytes(kDataType, "x"), "not a TensorProto"},
      {Message().Varint(kRawData, 1), "not a TensorProto"},
  };
  for (const auto& [message, text] : messages) {
    NamedArray array;
    EXPECT_THAT(Parse(message, &array),
                IsError(StatusCode::kInvalidArgument, AllOf(HasSubstr("some.pb"), HasSubstr(text))));
  }
}

TEST(TensorProto, NeverReadsBehindATruncatedMessage) {
  const std::string whole = Message()
                                .Varint(kDims, 300)
                                .Varint(kDataType, kUInt8)
                                .Bytes(kName, "name")
                                .Bytes(kRawData, std::string(300, 'x'))
                                .text();
  for (size_t n = 0; n < whole.size(); ++n) {
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    NamedArray array;
    EXPECT_THAT(ParseTensorProto("some.pb", BytesOf(part), &array), IsError(StatusCode::kInvalidArgument))
        << n;
  }
}

}  // namespace
}  // namespace micrort::io
