#pragma once
// What a message of protobuf takes in memory, before it is made: two bytes may become an object.

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <cstddef>

namespace micrort::serve {

// Bytes that a message of `type` takes when it has been read from `stream`, at most; or a number above `most`
// as soon as that is known. Bytes that are no message count as far as they can be read.
size_t MessageBytes(const google::protobuf::Descriptor& type,
                    google::protobuf::io::ZeroCopyInputStream* stream, size_t most);

}  // namespace micrort::serve
