// What messages take in memory, counted before they are made.

#include "serve/protocol/message_size.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "serve/protocol/open_inference.pb.h"

namespace micrort::serve {
namespace {

using Request = inference::ModelInferRequest;

size_t BytesOf(const std::string& bytes, size_t most = SIZE_MAX) {
  // In parts, as they come from a network.
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()), 1000);
  return MessageBytes(*Request::descriptor(), &stream, most);
}

std::string Many(int count, const std::string& part) {
  std::string all;
  for (int i = 0; i < count; ++i) all += part;
  return all;
}

TEST(MessageBytes, AreAtLeastThoseOfTheMessage) {
  Request numbers, parameters;
  auto* contents = numbers.add_inputs()->mutable_contents();
  for (int i = 0; i < 5000; ++i) {
    contents->add_bool_contents(true);
    contents->add_int_contents(i % 3 == 0 ? -i : i);
    contents->add_int64_contents(i);
    contents->add_uint64_contents(UINT64_MAX - static_cast<uint64_t>(i));
    contents->add_fp32_contents(1);
    contents->add_fp64_contents(2);
    contents->add_bytes_contents("");
    (*parameters.mutable_parameters())[std::to_string(i)].set_string_param(std::string(i % 50, 'a'));
  }
  const std::string empty(1, '\0');
  for (const std::string& bytes :
       {numbers.SerializeAsString(), parameters.SerializeAsString(), Many(5000, "\x2a" + empty),  // inputs
        Many(5000, "\x32" + empty),                                                               // outputs
        Many(5000, "\x3a" + empty),  // raw_input_contents
        Many(5000,
             "\x7a\x03"
             "abc"),  // not known
        Many(5000, "\x78\x01"), Many(5000, "\x7b\x7c")}) {
    Request message;
    ASSERT_TRUE(message.ParseFromString(bytes));
    EXPECT_GE(BytesOf(bytes), message.SpaceUsedLong());
  }
}

TEST(MessageBytes, AreHardlyMoreThanThoseOfRawTensors) {
  Request message;
  message.add_inputs()->set_name("x");
  message.add_raw_input_contents(std::string(1000000, 'a'));
  EXPECT_LT(BytesOf(message.SerializeAsString()), 1002000U);
}

TEST(MessageBytes, AreCountedNoFurtherThanAsked) {
  const std::string inputs = Many(100000, std::string("\x2a\0", 2));
  EXPECT_GT(BytesOf(inputs, 1000), 1000U);
  EXPECT_LT(BytesOf(inputs, 1000), 3000U);
}

TEST(MessageBytes, OfWhatIsNoMessageAreSome) {
  for (const char* bytes : {"\x2a\x7f", "\x2a", "\x22\xff\xff\xff\xff\x0f", "\xff", "\x09\x01"})
    EXPECT_GT(BytesOf(bytes), 0U);
}

}  // namespace
}  // namespace micrort::serve
