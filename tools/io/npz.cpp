// The part of the ZIP format that NumPy writes. Source: PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12
// and 4.3.16.

#include <algorithm>
#include <cstring>

#include "stb/stb_image.h"
#include "tools/io/npy.h"

namespace micrort::io {
namespace {

constexpr uint32_t kCentralSignature = 0x02014b50, kLocalSignature = 0x04034b50, kEndSignature = 0x06054b50;
constexpr size_t kEndBytes = 22, kCentralBytes = 46, kLocalBytes = 30;
// Deflate cannot shrink by more than about 1032; a claim beyond that is a malformed file.
constexpr size_t kMaxDeflateRatio = 1040;

uint32_t Read(Span<const uint8_t> bytes, size_t at, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= static_cast<uint32_t>(bytes[at + static_cast<size_t>(i)]) << (8 * i);
  return value;
}

struct Member {
  std::string name;
  size_t method = 0, packed_bytes = 0, bytes = 0, header_at = 0;
};

Status Broken(const std::string& what) {
  return MICRORT_ERROR(kInvalidArgument, "%s: broken .npz archive", what.c_str());
}

Status ReadDirectory(const std::string& what, Span<const uint8_t> file, std::vector<Member>* members) {
  if (file.size() < kEndBytes) return Broken(what);
  size_t end = file.size() - kEndBytes;
  const size_t lowest = end > 0xffff ? end - 0xffff : 0;  // a comment of up to 64 KiB may follow
  while (Read(file, end, 4) != kEndSignature) {
    if (end == lowest) return Broken(what);
    --end;
  }
  const size_t count = Read(file, end + 10, 2);
  size_t at = Read(file, end + 16, 4), packed_bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    if (at > file.size() || file.size() - at < kCentralBytes || Read(file, at, 4) != kCentralSignature)
      return Broken(what);
    Member m;
    m.method = Read(file, at + 10, 2);
    m.packed_bytes = Read(file, at + 20, 4);
    m.bytes = Read(file, at + 24, 4);
    m.header_at = Read(file, at + 42, 4);
    const size_t name_bytes = Read(file, at + 28, 2);
    // Members have bytes of their own: else a small archive would hold one thousands of times.
    packed_bytes += m.packed_bytes;
    if (file.size() - at - kCentralBytes < name_bytes || packed_bytes > file.size()) return Broken(what);
    m.name.assign(reinterpret_cast<const char*>(file.data()) + at + kCentralBytes, name_bytes);
    at += kCentralBytes + name_bytes + Read(file, at + 30, 2) + Read(file, at + 32, 2);
    members->push_back(std::move(m));
  }
  return Status();
}

Status Extract(const std::string& what, Span<const uint8_t> file, const Member& m,
               std::vector<uint8_t>* out) {
  if (m.header_at > file.size() || file.size() - m.header_at < kLocalBytes ||
      Read(file, m.header_at, 4) != kLocalSignature) {
    return Broken(what);
  }
  const size_t at =
      m.header_at + kLocalBytes + Read(file, m.header_at + 26, 2) + Read(file, m.header_at + 28, 2);
  if (at > file.size() || file.size() - at < m.packed_bytes) return Broken(what);
  const auto* packed = file.data() + at;
  if (m.method == 0) {
    out->assign(packed, packed + m.packed_bytes);
    return Status();
  }
  if (m.method != 8)
    return MICRORT_ERROR(kInvalidArgument, "%s: compression method %zu not supported", what.c_str(),
                         m.method);
  // Nothing is no array, and the decoder wants a place to write to.
  if (m.bytes == 0 || m.bytes > (m.packed_bytes + 64) * kMaxDeflateRatio || m.bytes > INT32_MAX ||
      m.packed_bytes > INT32_MAX - 2) {
    return Broken(what);
  }
  out->resize(m.bytes);
  // The decoder looks for up to two bytes more than the stream has; in an archive something follows.
  constexpr size_t kReadAhead = 2;
  const size_t readable = m.packed_bytes + std::min(kReadAhead, file.size() - at - m.packed_bytes);
  const int n =
      stbi_zlib_decode_noheader_buffer(reinterpret_cast<char*>(out->data()), static_cast<int>(m.bytes),
                                       reinterpret_cast<const char*>(packed), static_cast<int>(readable));
  return n == static_cast<int>(m.bytes) ? Status() : Broken(what);
}

}  // namespace

Status ParseNpz(const std::string& what, Span<const uint8_t> bytes, std::vector<NamedArray>* out) {
  std::vector<Member> members;
  MICRORT_RETURN_IF_ERROR(ReadDirectory(what, bytes, &members));
  for (const Member& m : members) {
    constexpr size_t kSuffix = 4;
    if (m.name.size() <= kSuffix || m.name.compare(m.name.size() - kSuffix, kSuffix, ".npy") != 0) continue;
    const std::string member_name = what + ":" + m.name;
    std::vector<uint8_t> npy;
    NamedArray array;
    MICRORT_RETURN_IF_ERROR(Extract(member_name, bytes, m, &npy));
    MICRORT_RETURN_IF_ERROR(ParseNpy(member_name, Span<const uint8_t>(npy.data(), npy.size()), &array));
    array.name = m.name.substr(0, m.name.size() - kSuffix);
    out->push_back(std::move(array));
  }
  return Status();
}

}  // namespace micrort::io
