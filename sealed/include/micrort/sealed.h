#ifndef MICRORT_SEALED_H
#define MICRORT_SEALED_H
/*
 * Model files that are signed, encrypted or both, as micrort-seal makes them (docs/sealed-models.md). This is
 * a separate library, libmicrort_sealed.a, linked with libsodium, in C99 and C++. The cryptography is
 * libsodium's: Ed25519 over SHA-512 of the file (Ed25519ph, RFC 8032), XChaCha20-Poly1305
 * (draft-irtf-cfrg-xchacha-03).
 *
 *   micrort_seal_keys keys = {app_public_key, NULL};
 *   void* model;
 *   size_t bytes;
 *   if (micrort_unseal(file, file_bytes, &keys, &model, &bytes, message, sizeof message) != MICRORT_OK) ...
 *   micrort_model_from_buffer(model, bytes, ...);
 *
 * In C++: micrort::Model::FromBuffer(model, bytes).
 */

#include "micrort/micrort_c.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MICRORT_SEAL_KEY_BYTES 32
#define MICRORT_SEAL_HEADER_BYTES 128 /* a sealed file is longer than its model by this */

/* Keys of MICRORT_SEAL_KEY_BYTES each; one may be NULL. With a public key, a file that is not signed is
 * refused; with a secret key, a file that is not encrypted is refused. Without a public key, a signature is
 * ignored. */
typedef struct micrort_seal_keys {
  const uint8_t* public_key; /* of the signer */
  const uint8_t* secret_key; /* with which the model was encrypted */
} micrort_seal_keys;

/* Checks a sealed file in `data`, which must be aligned to 64 bytes, and returns where its model begins,
 * also aligned. An encrypted model is decrypted in place, so `data` changes, even if that fails.
 * Without a secret key, `data` is only read, and may be a mapped file. Allocates nothing. Any number of
 * threads may call it at once. MICRORT_INVALID_MODEL: not sealed, truncated, or with another signature or
 * key. MICRORT_UNSUPPORTED: made by a later version. MICRORT_INVALID_ARGUMENT: no key, or data that are not
 * aligned. */
micrort_status micrort_unseal(void* data, size_t bytes, const micrort_seal_keys* keys, void** model,
                              size_t* model_bytes, char* message, size_t message_bytes);

#ifdef __cplusplus
}
#endif
#endif
