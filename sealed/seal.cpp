#include "sealed/seal.h"

#include <sodium.h>

#include <cstring>

#include "sealed/format.h"

namespace micrort::sealed {
namespace {

static_assert(MICRORT_SEAL_KEY_BYTES == crypto_sign_SEEDBYTES, "");

// Ed25519's secret key as libsodium takes it: the seed and the public key.
struct KeyPair {
  Key public_key;
  std::array<uint8_t, crypto_sign_SECRETKEYBYTES> secret;

  explicit KeyPair(const Key& seed) {
    crypto_sign_seed_keypair(public_key.data(), secret.data(), seed.data());
  }
  ~KeyPair() { sodium_memzero(secret.data(), secret.size()); }
};

Status Initialize() {
  if (sodium_init() < 0) return MICRORT_ERROR(kInternal, "libsodium cannot be initialized");
  return Status();
}

void Encrypt(const Key& secret_key, Header* header, std::vector<uint8_t>* file) {
  randombytes_buf(header->nonce, sizeof(header->nonce));
  uint8_t* const model = file->data() + sizeof(Header);
  crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      model, header->tag, nullptr, model, file->size() - sizeof(Header),
      reinterpret_cast<const uint8_t*>(header), kAuthenticatedBytes, nullptr, header->nonce,
      secret_key.data());
}

void Sign(const Key& signing_key, const std::vector<uint8_t>& file, Header* header) {
  const KeyPair pair(signing_key);
  crypto_sign_state state;
  crypto_sign_init(&state);
  crypto_sign_update(&state, reinterpret_cast<const uint8_t*>(header), kSignedBytes);
  crypto_sign_update(&state, file.data() + sizeof(Header), file.size() - sizeof(Header));
  crypto_sign_final_create(&state, header->signature, nullptr, pair.secret.data());
}

}  // namespace

Result<NewKeys> MakeKeys() {
  MICRORT_RETURN_IF_ERROR(Initialize());
  NewKeys keys;
  randombytes_buf(keys.signing_key.data(), keys.signing_key.size());
  crypto_aead_xchacha20poly1305_ietf_keygen(keys.secret_key.data());
  keys.public_key = KeyPair(keys.signing_key).public_key;
  return keys;
}

Result<Key> PublicKeyOf(const Key& signing_key) {
  MICRORT_RETURN_IF_ERROR(Initialize());
  return KeyPair(signing_key).public_key;
}

Result<std::vector<uint8_t>> Seal(Span<const uint8_t> model, const Key* signing_key, const Key* secret_key) {
  if (signing_key == nullptr && secret_key == nullptr) {
    return MICRORT_ERROR(kInvalidArgument, "expected a signing key, a secret key or both, found none");
  }
  MICRORT_RETURN_IF_ERROR(Initialize());
  Header header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.flags = (signing_key == nullptr ? 0U : kSigned) | (secret_key == nullptr ? 0U : kEncrypted);
  header.model_bytes = model.size();
  std::vector<uint8_t> file(sizeof(Header) + model.size());
  std::memcpy(file.data() + sizeof(Header), model.data(), model.size());
  if (secret_key != nullptr) Encrypt(*secret_key, &header, &file);
  if (signing_key != nullptr) Sign(*signing_key, file, &header);
  std::memcpy(file.data(), &header, sizeof(Header));
  return file;
}

}  // namespace micrort::sealed
