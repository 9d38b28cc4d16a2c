#pragma once
// Changes of a message's fields, found by reflection.

#include <google/protobuf/message.h>

#include "tests/fuzz/byte_mutator.h"

namespace micrort::fuzz {

void MutateMessage(::google::protobuf::Message* message, Random& random);

// Whether it is such a message, in bytes or as text.
bool ReadMessage(const std::string& bytes, ::google::protobuf::Message* message);

// The same on bytes; those that are no MessageT, and a tenth of the others, are changed as bytes.
template <typename MessageT>
std::string MutateMessageBytes(const std::string& bytes, Random& random) {
  MessageT message;
  if (Below(10, random) == 0 || !ReadMessage(bytes, &message)) return MutateBytes(bytes, random);
  MutateMessage(&message, random);
  return message.SerializePartialAsString();
}

}  // namespace micrort::fuzz
