#pragma once
// The maker's side: keys, and sealed files.

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "micrort/sealed.h"

namespace micrort::sealed {

using Key = std::array<uint8_t, MICRORT_SEAL_KEY_BYTES>;

struct NewKeys {
  Key signing_key;  // secret; from it follows the public key
  Key public_key;
  Key secret_key;
};
Result<NewKeys> MakeKeys();
Result<Key> PublicKeyOf(const Key& signing_key);

// `model` with a header; null keys: not signed, or not encrypted. At least one is given. Encrypted with a
// nonce that is drawn at random, so that no two files are the same.
Result<std::vector<uint8_t>> Seal(Span<const uint8_t> model, const Key* signing_key, const Key* secret_key);

}  // namespace micrort::sealed
