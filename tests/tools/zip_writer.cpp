#include "tests/tools/zip_writer.h"

#include <cstdlib>
#include <memory>

// Of stb_image_write.h, which declares it only where it is implemented: a zlib stream, to be freed.
extern "C" unsigned char* stbi_zlib_compress(unsigned char* data, int data_len, int* out_len, int quality);

namespace micrort::testing {
namespace {

void Append(uint64_t value, int count, std::string* out) {
  for (int i = 0; i < count; ++i) *out += static_cast<char>(value >> (8 * i));
}

// Without zlib's header of 2 bytes and its checksum of 4.
std::string Deflate(std::string content) {
  int size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> zlib(
      stbi_zlib_compress(reinterpret_cast<unsigned char*>(content.data()), static_cast<int>(content.size()),
                         &size, 8),
      std::free);
  return std::string(reinterpret_cast<const char*>(zlib.get()) + 2, static_cast<size_t>(size) - 6);
}

// The fields that local header and central directory entry share. Readers of NumPy files need no checksum.
void AppendCommon(const ZipMember& member, size_t packed_bytes, std::string* out) {
  Append(0, 2, out);                        // flags
  Append(member.deflated ? 8 : 0, 2, out);  // method
  Append(0, 4, out);                        // time and date
  Append(0, 4, out);                        // checksum
  Append(packed_bytes, 4, out);
  Append(member.content.size(), 4, out);
  Append(member.name.size(), 2, out);
}

}  // namespace

void Zip::Set(size_t at, uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes[at + static_cast<size_t>(i)] = static_cast<char>(value >> (8 * i));
}

Zip WriteZip(const std::vector<ZipMember>& members) {
  Zip zip;
  std::string directory;
  for (const ZipMember& member : members) {
    const std::string packed = member.deflated ? Deflate(member.content) : member.content;
    const std::string extra = "extra!";  // only in the local header, as tools that align data write it
    const size_t header_at = zip.bytes.size();
    Append(0x04034b50, 4, &zip.bytes);
    Append(20, 2, &zip.bytes);
    AppendCommon(member, packed.size(), &zip.bytes);
    Append(extra.size(), 2, &zip.bytes);
    zip.bytes += member.name + extra + packed;

    Append(0x02014b50, 4, &directory);
    Append(20, 2, &directory);
    Append(20, 2, &directory);
    AppendCommon(member, packed.size(), &directory);
    Append(0, 2, &directory);  // extra
    Append(0, 2, &directory);  // comment
    Append(0, 8, &directory);  // disk, attributes
    Append(header_at, 4, &directory);
    directory += member.name;
  }
  zip.directory_at = zip.bytes.size();
  zip.bytes += directory;
  zip.end_at = zip.bytes.size();
  Append(0x06054b50, 4, &zip.bytes);
  Append(0, 4, &zip.bytes);  // disks
  Append(members.size(), 2, &zip.bytes);
  Append(members.size(), 2, &zip.bytes);
  Append(directory.size(), 4, &zip.bytes);
  Append(zip.directory_at, 4, &zip.bytes);
  Append(0, 2, &zip.bytes);  // comment
  return zip;
}

}  // namespace micrort::testing
