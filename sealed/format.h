#pragma once
// The header of a sealed file, little-endian, before the model's bytes. What is signed is the header up to
// the signature, and the bytes as they lie in the file; what is authenticated beside an encrypted model, the
// header up to the nonce.

#include <cstddef>
#include <cstdint>

#include "micrort/sealed.h"

namespace micrort::sealed {

constexpr char kMagic[8] = {'M', 'C', 'R', 'T', 'S', 'E', 'A', 'L'};
constexpr uint32_t kVersion = 1;

enum Flags : uint32_t { kSigned = 1, kEncrypted = 2 };

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t flags;
  uint64_t model_bytes;
  uint8_t nonce[24];  // zero, as the tag, unless encrypted
  uint8_t tag[16];
  uint8_t signature[64];  // zero unless signed
};
constexpr size_t kAuthenticatedBytes = offsetof(Header, nonce);
constexpr size_t kSignedBytes = offsetof(Header, signature);
// A multiple of a model's alignment.
static_assert(sizeof(Header) == MICRORT_SEAL_HEADER_BYTES, "");
static_assert(kAuthenticatedBytes == 24 && kSignedBytes == 64, "");

}  // namespace micrort::sealed
