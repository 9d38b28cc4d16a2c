#include "sealed/key_file.h"

#include <sodium.h>

#include <cstdio>
#include <filesystem>

#include "tools/io/file.h"
#include "tools/io/platform/files.h"
#include "tools/io/temporary_file.h"

namespace micrort::sealed {

Result<Key> ReadKey(const std::string& path) {
  std::vector<uint8_t> text;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(path, &text, io::kMostText));
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

namespace {

struct NewFile {
  std::string path;
  const Key& key;
  unsigned permissions;
  io::TemporaryFile file{path};
};

Status Write(NewFile* to) {
  if (std::filesystem::exists(std::filesystem::symlink_status(std::filesystem::u8path(to->path)))) {
    return MICRORT_ERROR(kIo, "%s: it exists, and keys are not replaced", to->path.c_str());
  }
  MICRORT_RETURN_IF_ERROR(to->file.Create(to->permissions));
  char text[2 * MICRORT_SEAL_KEY_BYTES + 1];
  sodium_bin2hex(text, sizeof text, to->key.data(), to->key.size());
  text[sizeof text - 1] = '\n';
  const Status written = to->file.Write({reinterpret_cast<const uint8_t*>(text), sizeof text});
  sodium_memzero(text, sizeof text);
  return written;
}

}  // namespace

Status WriteKeys(const std::string& name, const NewKeys& keys) {
  NewFile files[] = {{name + ".sign", keys.signing_key, io::kForOwner},
                     {name + ".secret", keys.secret_key, io::kForOwner},
                     {name + ".public", keys.public_key, io::kReadableByAll}};
  for (NewFile& file : files) MICRORT_RETURN_IF_ERROR(Write(&file));
  for (NewFile& file : files) {
    const Status committed = file.file.Commit();
    if (committed.ok()) continue;
    for (const NewFile* done = files; done != &file; ++done) std::remove(done->path.c_str());
    return committed;
  }
  return Status();
}

}  // namespace micrort::sealed
