#pragma once
// Changes of a flatbuffer's fields in place, found through its schema.

#include <flatbuffers/flatbuffers.h>

#include "tests/fuzz/byte_mutator.h"

namespace micrort::fuzz {

struct FlatbufferFormat {
  const char* schema_file;  // as `flatc --binary --schema` writes it
  // Whether offsets can be followed.
  bool (*is_sound)(const uint8_t* bytes, size_t size);
};

// Numbers get other values, vectors other lengths, elements become those beside them, fields go away. Bytes
// that are not sound, and a tenth of the others, are changed as bytes.
std::string MutateFlatbuffer(const FlatbufferFormat& format, const std::string& bytes, Random& random);

}  // namespace micrort::fuzz
