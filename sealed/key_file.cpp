#include "sealed/key_file.h"

#include <sodium.h>

#include <filesystem>

#include "tools/io/file.h"
#include "tools/io/temporary_file.h"

namespace micrort::sealed {

Result<Key> ReadKey(const std::string& path) {
  std::vector<uint8_t> text;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(path, &text));
  Key key;
  size_t bytes = 0;
  const char* end = nullptr;
  const char* const begin = reinterpret_cast<const char*>(text.data());
  const int failed = sodium_hex2bin(key.data(), key.size(), begin, text.size(), "\r\n", &bytes, &end);
  const bool is_key = failed == 0 && bytes == key.size() && end == begin + text.size();
  sodium_memzero(text.data(), text.size());
  if (!is_key) {
    return MICRORT_ERROR(kInvalidArgument, "%s: expected a key of %zu hexadecimal digits", path.c_str(),
                         2 * key.size());
  }
  return key;
}

Status WriteKey(const std::string& path, const Key& key, bool is_secret) {
  if (std::filesystem::exists(std::filesystem::symlink_status(path))) {
    return MICRORT_ERROR(kIo, "%s: it exists, and keys are not replaced", path.c_str());
  }
  char text[2 * MICRORT_SEAL_KEY_BYTES + 1];
  sodium_bin2hex(text, sizeof text, key.data(), key.size());
  text[sizeof text - 1] = '\n';
  io::TemporaryFile file(path);
  MICRORT_RETURN_IF_ERROR(file.Create(is_secret ? 0600 : 0644));
  const Status written = file.Write({reinterpret_cast<const uint8_t*>(text), sizeof text});
  sodium_memzero(text, sizeof text);
  MICRORT_RETURN_IF_ERROR(written);
  return file.Commit();
}

}  // namespace micrort::sealed
