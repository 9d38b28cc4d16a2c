#pragma once
// The index of a checkpoint of tests, byte by byte: pairs of keys and values in blocks, as LevelDB writes it.

#include <cstdint>
#include <string>

namespace micrort::testing {

inline void AppendVarint(uint64_t v, std::string* out) {
  for (; v >= 0x80; v >>= 7) out->push_back(static_cast<char>(v | 0x80));
  out->push_back(static_cast<char>(v));
}

inline void AppendLittle(uint64_t v, size_t bytes, std::string* out) {
  for (size_t i = 0; i < bytes; ++i) out->push_back(static_cast<char>(v >> (8 * i)));
}

// CRC-32C, rotated and offset as LevelDB's tables hold it.
inline uint32_t MaskedChecksum(const std::string& bytes) {
  uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
  }
  crc = ~crc;
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

// `shared`: how many bytes the key has in common with the one before; these are not in `key`.
inline std::string TableEntry(const std::string& key, const std::string& value, uint64_t shared = 0) {
  std::string entry;
  AppendVarint(shared, &entry);
  AppendVarint(key.size(), &entry);
  AppendVarint(value.size(), &entry);
  return entry + key + value;
}

// Entries of which the first shares nothing.
inline std::string TableEntries(std::string entries) {
  AppendLittle(0, 4, &entries);  // where keys do not share
  AppendLittle(1, 4, &entries);
  return entries;
}

// What follows a block's bytes in a file: how they are compressed, and a checksum.
inline std::string TableBlock(std::string bytes, char compression = '\0') {
  bytes.push_back(compression);
  AppendLittle(MaskedChecksum(bytes), 4, &bytes);
  return bytes;
}

inline std::string TableHandle(uint64_t offset, uint64_t size) {
  std::string handle;
  AppendVarint(offset, &handle);
  AppendVarint(size, &handle);
  return handle;
}

inline std::string TableFooter(std::string handles) {
  handles.resize(40, '\0');
  AppendLittle(0xdb4775248b80fb57u, 8, &handles);
  return handles;
}

// Blocks, and what an index says of them.
inline std::string TableFile(const std::string& blocks, const std::string& index_entries) {
  const std::string index = TableEntries(index_entries);
  const std::string no_block_about_it(2, '\0');
  return blocks + TableBlock(index) +
         TableFooter(no_block_about_it + TableHandle(blocks.size(), index.size()));
}

// A file of one block.
inline std::string TableOf(const std::string& bytes, char compression = '\0') {
  return TableFile(TableBlock(bytes, compression), TableEntry("z", TableHandle(0, bytes.size())));
}

}  // namespace micrort::testing
