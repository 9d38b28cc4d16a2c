// Signed and encrypted files: opened with the right keys, refused with all others.

#include <gtest/gtest.h>

#include <cstring>

#include "sealed/format.h"
#include "sealed/seal.h"

namespace micrort::sealed {
namespace {

// A file of a caller, aligned as one that is mapped.
class File {
 public:
  explicit File(const std::vector<uint8_t>& bytes) : size_(bytes.size()), memory_(bytes.size() / 64 + 1) {
    std::memcpy(memory_.data(), bytes.data(), bytes.size());
  }
  uint8_t* data() { return memory_[0].bytes; }
  size_t size() const { return size_; }

 private:
  struct alignas(64) Block {
    uint8_t bytes[64];
  };
  size_t size_;
  std::vector<Block> memory_;
};

struct Opened {
  micrort_status status;
  std::vector<uint8_t> model;
  std::string message;
  bool is_aligned;
};

Opened Open(File& file, const Key* public_key, const Key* secret_key, size_t bytes) {
  const micrort_seal_keys keys = {public_key == nullptr ? nullptr : public_key->data(),
                                  secret_key == nullptr ? nullptr : secret_key->data()};
  void* model = nullptr;
  size_t model_bytes = 0;
  char message[MICRORT_MESSAGE_BYTES] = "?";
  const micrort_status status =
      micrort_unseal(file.data(), bytes, &keys, &model, &model_bytes, message, sizeof message);
  const auto* begin = static_cast<const uint8_t*>(model);
  return {status, {begin, begin + model_bytes}, message, reinterpret_cast<uintptr_t>(model) % 64 == 0};
}

class Sealed : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = MakeKeys(), others = MakeKeys();
    ASSERT_TRUE(made.ok() && others.ok());
    keys_ = *made;
    others_ = *others;
    for (size_t i = 0; i < 1000; ++i) model_.push_back(static_cast<uint8_t>(i * 7));
  }
  std::vector<uint8_t> Make(const Key* signing_key, const Key* secret_key) {
    auto file = Seal({model_.data(), model_.size()}, signing_key, secret_key);
    EXPECT_TRUE(file.ok()) << file.status().message();
    return *file;
  }
  static Opened OpenBytes(const std::vector<uint8_t>& bytes, const Key* public_key, const Key* secret_key) {
    File file(bytes);
    return Open(file, public_key, secret_key, file.size());
  }

  NewKeys keys_, others_;
  std::vector<uint8_t> model_;
};

TEST_F(Sealed, IsOpenedByItsKeys) {
  for (const bool is_signed : {true, false}) {
    for (const bool is_encrypted : {true, false}) {
      if (!is_signed && !is_encrypted) continue;
      const auto file =
          Make(is_signed ? &keys_.signing_key : nullptr, is_encrypted ? &keys_.secret_key : nullptr);
      const Opened opened = OpenBytes(file, is_signed ? &keys_.public_key : nullptr,
                                      is_encrypted ? &keys_.secret_key : nullptr);
      EXPECT_EQ(opened.status, MICRORT_OK) << opened.message;
      EXPECT_EQ(opened.model, model_);
      EXPECT_TRUE(opened.is_aligned);
      EXPECT_EQ(file.size(), model_.size() + MICRORT_SEAL_HEADER_BYTES);
    }
  }
}

TEST_F(Sealed, EncryptedBytesAreNotTheModels) {
  const auto file = Make(nullptr, &keys_.secret_key);
  const std::string text(file.begin(), file.end());
  EXPECT_EQ(text.find(std::string(model_.begin(), model_.begin() + 16)), std::string::npos);
  EXPECT_NE(Make(nullptr, &keys_.secret_key), file);  // another nonce
}

TEST_F(Sealed, OtherKeysAreRefused) {
  const auto is_signed = Make(&keys_.signing_key, nullptr);
  EXPECT_EQ(OpenBytes(is_signed, &others_.public_key, nullptr).status, MICRORT_INVALID_MODEL);
  const auto encrypted = Make(nullptr, &keys_.secret_key);
  EXPECT_EQ(OpenBytes(encrypted, nullptr, &others_.secret_key).status, MICRORT_INVALID_MODEL);
}

TEST_F(Sealed, WhatAKeyIsGivenForMustBeThere) {
  const auto is_signed = Make(&keys_.signing_key, nullptr);
  const auto encrypted = Make(nullptr, &keys_.secret_key);
  Opened opened = OpenBytes(encrypted, &keys_.public_key, &keys_.secret_key);
  EXPECT_EQ(opened.status, MICRORT_INVALID_MODEL);
  EXPECT_NE(opened.message.find("expected a signature, found none"), std::string::npos);
  opened = OpenBytes(is_signed, &keys_.public_key, &keys_.secret_key);
  EXPECT_EQ(opened.status, MICRORT_INVALID_MODEL);
  EXPECT_NE(opened.message.find("expected an encrypted model"), std::string::npos);
  opened = OpenBytes(Make(&keys_.signing_key, &keys_.secret_key), &keys_.public_key, nullptr);
  EXPECT_EQ(opened.status, MICRORT_INVALID_MODEL);
  EXPECT_NE(opened.message.find("expected a secret key, found none"), std::string::npos);
  EXPECT_EQ(OpenBytes(is_signed, nullptr, nullptr).status, MICRORT_INVALID_ARGUMENT);
}

// Flags and sizes of the header included.
TEST_F(Sealed, EveryChangedByteIsNoticed) {
  const auto file = Make(&keys_.signing_key, &keys_.secret_key);
  for (size_t i = 0; i < file.size(); ++i) {
    auto changed = file;
    changed[i] ^= 1;
    const Opened opened = OpenBytes(changed, &keys_.public_key, &keys_.secret_key);
    EXPECT_NE(opened.status, MICRORT_OK) << "byte " << i;
    EXPECT_TRUE(opened.model.empty());
    EXPECT_FALSE(opened.message.empty());
  }
  // By one of the two alone, the places of what is not there included.
  const auto encrypted = Make(nullptr, &keys_.secret_key), is_signed = Make(&keys_.signing_key, nullptr);
  for (size_t i = 0; i < file.size(); ++i) {
    auto changed = encrypted;
    changed[i] ^= 1;
    EXPECT_NE(OpenBytes(changed, nullptr, &keys_.secret_key).status, MICRORT_OK) << "byte " << i;
    changed = is_signed;
    changed[i] ^= 1;
    EXPECT_NE(OpenBytes(changed, &keys_.public_key, nullptr).status, MICRORT_OK) << "byte " << i;
  }
}

TEST_F(Sealed, FilesThatAreCutOffAreRefused) {
  const auto bytes = Make(&keys_.signing_key, &keys_.secret_key);
  for (size_t size = 0; size < bytes.size(); ++size) {
    File file(bytes);
    EXPECT_EQ(Open(file, &keys_.public_key, &keys_.secret_key, size).status, MICRORT_INVALID_MODEL) << size;
  }
}

TEST_F(Sealed, LaterVersionsAreUnsupported) {
  auto file = Make(&keys_.signing_key, nullptr);
  file[offsetof(Header, version)] = 2;
  EXPECT_EQ(OpenBytes(file, &keys_.public_key, nullptr).status, MICRORT_UNSUPPORTED);
}

TEST_F(Sealed, MisalignedBytesAreTheCallersMistake) {
  const auto bytes = Make(&keys_.signing_key, nullptr);
  std::vector<uint8_t> longer(1, 0);
  longer.insert(longer.end(), bytes.begin(), bytes.end());
  File file(longer);
  const micrort_seal_keys keys = {keys_.public_key.data(), nullptr};
  void* model = nullptr;
  size_t model_bytes = 0;
  EXPECT_EQ(micrort_unseal(file.data() + 1, bytes.size(), &keys, &model, &model_bytes, nullptr, 0),
            MICRORT_INVALID_ARGUMENT);
}

TEST_F(Sealed, ThePublicKeyFollowsFromTheSigningKey) {
  auto key = PublicKeyOf(keys_.signing_key);
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(*key, keys_.public_key);
  EXPECT_NE(*key, others_.public_key);
}

}  // namespace
}  // namespace micrort::sealed
