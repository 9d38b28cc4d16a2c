#ifndef MICRORT_SEALED_H
#define MICRORT_SEALED_H
/*
 * Model files that are signed, encrypted or both, as micrort-seal makes them (docs/sealed-models.md). A
 * library of its own, libmicrort_sealed.a, linked with libsodium; C99 and C++. The cryptography is
 * libsodium's: Ed25519 over SHA-512 of the file (Ed25519ph, RFC 8032), XChaCha20-Poly1305
 * (draft-irtf-cfrg-xchacha-03).
 *
 *   micrort_seal_keys keys = {app_public_key, NULL};
 *   void* model; size_t model_bytes;
 *   if (micrort_unseal(file, file_bytes, &keys, &model, &model_bytes, message, sizeof message) != MICRORT_OK)
 * ... micrort_model_from_buffer(model, model_bytes, ...);      or micrort::Model::FromBuffer(model,
 * model_bytes)
 */

#include "micrort/micrort_c.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MICRORT_SEAL_KEY_BYTES 32
#define MICRORT_SEAL_HEADER_BYTES 128 /* a sealed file is so much longer than its model */

/* Each of MICRORT_SEAL_KEY_BYTES, or NULL; at least one is given. What a key is given for, the file must
 * have: one that is not signed is refused if there is a public key, one that is not encrypted if there is a
 * secret key. A signature without public key is not looked at. */
typedef struct micrort_seal_keys {
  const uint8_t* public_key; /* of the one who signs */
  const uint8_t* secret_key; /* that the model was encrypted with */
} micrort_seal_keys;

/* Checks a sealed file that lies in `data`, aligned to 64 bytes, and gives where the model in it begins,
 * aligned as well. An encrypted model is decrypted in place, so `data` changes, also where that fails;
 * without a secret key it is only read, and may be a mapped file. Allocates nothing. Any number of threads
 * may call it at once. MICRORT_INVALID_MODEL: not sealed, cut off, or its signature or key is another.
 * MICRORT_UNSUPPORTED: made by a later version. MICRORT_INVALID_ARGUMENT: no key, or data that are not
 * aligned. */
micrort_status micrort_unseal(void* data, size_t bytes, const micrort_seal_keys* keys, void** model,
                              size_t* model_bytes, char* message, size_t message_bytes);

#ifdef __cplusplus
}
#endif
#endif
