#include <sodium.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "kernels/base/status.h"
#include "sealed/format.h"

static_assert(MICRORT_SEAL_KEY_BYTES == crypto_sign_PUBLICKEYBYTES, "");
static_assert(MICRORT_SEAL_KEY_BYTES == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "");

namespace micrort::sealed {
namespace {

constexpr size_t kAlignment = 64;

Status CheckArguments(const void* data, const micrort_seal_keys* keys) {
  if (keys == nullptr || (keys->public_key == nullptr && keys->secret_key == nullptr)) {
    return MICRORT_ERROR(kInvalidArgument, "expected a public key, a secret key or both, found none");
  }
  if (reinterpret_cast<uintptr_t>(data) % kAlignment != 0) {
    return MICRORT_ERROR(kInvalidArgument, "expected the file's bytes aligned to %zu bytes", kAlignment);
  }
  if (sodium_init() < 0) return MICRORT_ERROR(kInternal, "libsodium cannot be initialized");
  return Status();
}

template <size_t kBytes>
bool IsZero(const uint8_t (&field)[kBytes]) {
  return std::all_of(field, field + kBytes, [](uint8_t byte) { return byte == 0; });
}

// No byte of a file may be changed unnoticed, those of fields that it does not use included.
Status CheckUnusedFields(const Header& header) {
  const bool is_signed = (header.flags & kSigned) != 0, is_encrypted = (header.flags & kEncrypted) != 0;
  if ((is_signed || IsZero(header.signature)) &&
      (is_encrypted || (IsZero(header.nonce) && IsZero(header.tag)))) {
    return Status();
  }
  return MICRORT_ERROR(kInvalidModel,
                       "sealed model: its bytes have changed: a field that it does not use is not zero");
}

Status ReadHeader(const void* data, size_t bytes, Header* header) {
  if (bytes < sizeof(kMagic) || std::memcmp(data, kMagic, sizeof(kMagic)) != 0) {
    return MICRORT_ERROR(kInvalidModel, "not a sealed model; micrort-seal makes one");
  }
  if (bytes < sizeof(Header)) {
    return MICRORT_ERROR(kInvalidModel, "sealed model: expected a header of %zu bytes, found %zu bytes",
                         sizeof(Header), bytes);
  }
  std::memcpy(header, data, sizeof(Header));
  if (header->version != kVersion || (header->flags & ~uint32_t{kSigned | kEncrypted}) != 0) {
    return MICRORT_ERROR(kUnsupported,
                         "sealed model: expected version %u with flags up to 3, found version %u, flags %u",
                         kVersion, header->version, header->flags);
  }
  if (header->model_bytes != bytes - sizeof(Header)) {
    return MICRORT_ERROR(kInvalidModel, "sealed model: expected %llu bytes after the header, found %zu",
                         static_cast<unsigned long long>(header->model_bytes), bytes - sizeof(Header));
  }
  return CheckUnusedFields(*header);
}

Status CheckSignature(const Header& header, const uint8_t* data, size_t bytes, const uint8_t* public_key) {
  if ((header.flags & kSigned) == 0) {
    return MICRORT_ERROR(kInvalidModel, "sealed model: expected a signature, found none");
  }
  crypto_sign_state state;
  crypto_sign_init(&state);
  crypto_sign_update(&state, data, kSignedBytes);
  crypto_sign_update(&state, data + sizeof(Header), bytes - sizeof(Header));
  if (crypto_sign_final_verify(&state, header.signature, public_key) != 0) {
    return MICRORT_ERROR(kInvalidModel,
                         "sealed model: the signature is not that of this public key and these bytes");
  }
  return Status();
}

Status Decrypt(const Header& header, uint8_t* data, size_t bytes, const uint8_t* secret_key) {
  if ((header.flags & kEncrypted) == 0) {
    return MICRORT_ERROR(kInvalidModel, "sealed model: expected an encrypted model, found a plain one");
  }
  uint8_t* const model = data + sizeof(Header);
  if (crypto_aead_xchacha20poly1305_ietf_decrypt_detached(model, nullptr, model, bytes - sizeof(Header),
                                                          header.tag, data, kAuthenticatedBytes, header.nonce,
                                                          secret_key) != 0) {
    return MICRORT_ERROR(kInvalidModel,
                         "sealed model: it was encrypted with another secret key, or its bytes have changed");
  }
  return Status();
}

Status Unseal(uint8_t* data, size_t bytes, const micrort_seal_keys* keys) {
  MICRORT_RETURN_IF_ERROR(CheckArguments(data, keys));
  Header header;
  MICRORT_RETURN_IF_ERROR(ReadHeader(data, bytes, &header));
  if (keys->public_key != nullptr) {
    MICRORT_RETURN_IF_ERROR(CheckSignature(header, data, bytes, keys->public_key));
  }
  if (keys->secret_key != nullptr) return Decrypt(header, data, bytes, keys->secret_key);
  if ((header.flags & kEncrypted) != 0) {
    return MICRORT_ERROR(kInvalidModel, "sealed model: it is encrypted; expected a secret key, found none");
  }
  return Status();
}

}  // namespace
}  // namespace micrort::sealed

extern "C" micrort_status micrort_unseal(void* data, size_t bytes, const micrort_seal_keys* keys,
                                         void** model, size_t* model_bytes, char* message,
                                         size_t message_bytes) {
  using micrort::sealed::Header;
  const micrort::Status status = micrort::sealed::Unseal(static_cast<uint8_t*>(data), bytes, keys);
  if (message != nullptr && message_bytes > 0) {
    std::snprintf(message, message_bytes, "%s", status.message());
  }
  *model = status.ok() ? static_cast<uint8_t*>(data) + sizeof(Header) : nullptr;
  *model_bytes = status.ok() ? bytes - sizeof(Header) : 0;
  return static_cast<micrort_status>(status.code());
}
