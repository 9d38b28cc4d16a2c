#include "converter/frontend/torchscript/zip_archive.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/text.h"
#include "stb/stb_image.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr uint32_t kCentral = 0x02014b50, kLocal = 0x04034b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                   kLocator64 = 0x07064b50;
constexpr uint64_t kEndBytes = 22, kCentralBytes = 46, kLocalBytes = 30, kEnd64Bytes = 56, kLocatorBytes = 20;
constexpr uint64_t kMaxComment = 0xffff, kIsIn64 = 0xffffffff, kIsIn64Short = 0xffff;
constexpr uint32_t kStored = 0, kDeflated = 8, kEncrypted = 1;
// Deflate cannot shrink by more than about 1032: what claims more is no deflated data.
constexpr uint64_t kMaxDeflateRatio = 1040;

}  // namespace

uint64_t ZipArchive::Number(uint64_t at, int count) const {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= uint64_t{bytes_[static_cast<size_t>(at) + static_cast<size_t>(i)]} << (8 * i);
  return value;
}

Status ZipArchive::Open(Span<const uint8_t> bytes) {
  bytes_ = bytes;
  Directory directory;
  MICRORT_RETURN_IF_ERROR(FindDirectory(&directory));
  uint64_t at = directory.at;
  const uint64_t end = directory.at + directory.bytes;
  for (uint64_t i = 0; i < directory.count; ++i) {
    std::string name;
    Entry entry;
    MICRORT_RETURN_IF_ERROR(ReadEntry(&at, end, &name, &entry));
    MICRORT_RETURN_IF_ERROR(CheckLocalHeader(name, &entry));
    if (!entries_.emplace(name, entry).second)
      return Invalid("the archive has two entries '{}'", Shown(name));
  }
  MICRORT_RETURN_IF_ERROR(CheckApart(directory.at));
  DropCommonFolder();
  return Status();
}

Status ZipArchive::FindDirectory(Directory* out) const {
  if (bytes_.size() < kEndBytes) return Invalid("the archive is cut short");
  uint64_t end = bytes_.size() - kEndBytes;
  const uint64_t lowest = end - std::min(end, kMaxComment);
  while (Number(end, 4) != kEnd) {
    if (end == lowest)
      return Invalid("the archive has no directory: it is cut short; download or copy it again");
    --end;
  }
  *out = {Number(end + 16, 4), Number(end + 12, 4), Number(end + 10, 2)};
  const bool is_64 = out->at == kIsIn64 || out->bytes == kIsIn64 || out->count == kIsIn64Short;
  if (is_64) MICRORT_RETURN_IF_ERROR(Take(ReadZip64(end), out));
  if (Fits(out->at, out->bytes) && out->count <= out->bytes / kCentralBytes) return Status();
  return Invalid("the archive's directory reaches beyond the file");
}

// The locator stands before the end record, at `end`.
Result<ZipArchive::Directory> ZipArchive::ReadZip64(uint64_t end) const {
  if (end < kLocatorBytes || Number(end - kLocatorBytes, 4) != kLocator64)
    return Invalid("the archive's ZIP64 record is missing");
  const uint64_t at = Number(end - kLocatorBytes + 8, 8);
  if (!Fits(at, kEnd64Bytes) || Number(at, 4) != kEnd64)
    return Invalid("the archive's ZIP64 record is broken");
  return Directory{Number(at + 48, 8), Number(at + 40, 8), Number(at + 32, 8)};
}

Status ZipArchive::ReadEntry(uint64_t* at, uint64_t end, std::string* name, Entry* out) const {
  if (end - *at < kCentralBytes || Number(*at, 4) != kCentral)
    return Invalid("the archive's directory is broken");
  const uint64_t name_bytes = Number(*at + 28, 2), extra_bytes = Number(*at + 30, 2);
  const uint64_t all = kCentralBytes + name_bytes + extra_bytes + Number(*at + 32, 2);
  if (end - *at < all) return Invalid("the archive's directory is broken");
  name->assign(reinterpret_cast<const char*>(bytes_.data()) + *at + kCentralBytes,
               static_cast<size_t>(name_bytes));
  if ((Number(*at + 8, 2) & kEncrypted) != 0) return Unsupported("the archive is encrypted");
  out->method = static_cast<uint32_t>(Number(*at + 10, 2));
  out->packed_bytes = Number(*at + 20, 4);
  out->bytes = Number(*at + 24, 4);
  out->header_at = Number(*at + 42, 4);
  // ZIP64's numbers stand for those that are all ones, in this order.
  uint64_t extra = *at + kCentralBytes + name_bytes;
  const uint64_t extra_end = extra + extra_bytes;
  while (extra_end - extra >= 4) {
    const uint64_t id = Number(extra, 2), size = Number(extra + 2, 2);
    extra += 4;
    if (extra_end - extra < size) return Invalid("the archive's directory is broken");
    uint64_t field = extra, field_end = extra + size;
    for (uint64_t* value : {&out->bytes, &out->packed_bytes, &out->header_at}) {
      if (id != 1 || *value != kIsIn64 || field_end - field < 8) continue;
      *value = Number(field, 8);
      field += 8;
    }
    extra += size;
  }
  *at += all;
  return Status();
}

Status ZipArchive::CheckLocalHeader(const std::string& name, Entry* entry) const {
  if (!IsText(name)) return Invalid("the archive has a name that is no text");
  const uint64_t at = entry->header_at;
  if (!Fits(at, kLocalBytes) || Number(at, 4) != kLocal)
    return Invalid("entry '{}' of the archive is not where its directory says", Shown(name));
  const uint64_t name_bytes = Number(at + 26, 2);
  entry->data_at = at + kLocalBytes + name_bytes + Number(at + 28, 2);
  if (!Fits(entry->data_at, entry->packed_bytes))
    return Invalid("entry '{}' of the archive reaches beyond the file", Shown(name));
  const auto* stored = reinterpret_cast<const char*>(bytes_.data()) + at + kLocalBytes;
  const bool same = name.size() == name_bytes && std::equal(name.begin(), name.end(), stored) &&
                    Number(at + 8, 2) == entry->method &&
                    (entry->method != kStored || entry->packed_bytes == entry->bytes);
  return same ? Status() : Invalid("entry '{}' of the archive is another one where it stands", Shown(name));
}

// Entries that share bytes are how small archives become large ones.
Status ZipArchive::CheckApart(uint64_t directory_at) const {
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  for (const auto& [name, entry] : entries_)
    ranges.emplace_back(entry.header_at, entry.data_at + entry.packed_bytes);
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 0; i < ranges.size(); ++i) {
    const uint64_t next = i + 1 < ranges.size() ? ranges[i + 1].first : directory_at;
    if (ranges[i].second > next) return Invalid("entries of the archive overlap");
  }
  return Status();
}

void ZipArchive::DropCommonFolder() {
  if (entries_.empty()) return;
  const std::string first = entries_.begin()->first;
  const size_t slash = first.find('/');
  if (slash == std::string::npos) return;
  const std::string folder = first.substr(0, slash + 1);
  std::map<std::string, Entry> inside;
  for (const auto& [name, entry] : entries_) {
    if (name.compare(0, folder.size(), folder) != 0) return;
    inside.emplace(name.substr(folder.size()), entry);
  }
  entries_ = std::move(inside);
}

Status ZipArchive::Find(const std::string& name, const Entry** out) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return Invalid("the archive has no entry '{}'", Shown(name));
  *out = &found->second;
  return Status();
}

const std::string* ZipArchive::FirstBelow(const std::string& folder) const {
  const auto found = entries_.lower_bound(folder);
  const bool is_below = found != entries_.end() && found->first.compare(0, folder.size(), folder) == 0;
  return is_below ? &found->first : nullptr;
}

Result<Span<const uint8_t>> ZipArchive::View(const std::string& name) const {
  const Entry* entry = nullptr;
  MICRORT_RETURN_IF_ERROR(Find(name, &entry));
  if (entry->method != kStored)
    return Unsupported("entry '{}' of the archive is compressed, PyTorch stores it plainly", Shown(name));
  return Span<const uint8_t>(bytes_.data() + entry->data_at, static_cast<size_t>(entry->bytes));
}

Status ZipArchive::Read(const std::string& name, size_t max_bytes, std::string* out) const {
  const Entry* entry = nullptr;
  MICRORT_RETURN_IF_ERROR(Find(name, &entry));
  if (entry->bytes > max_bytes)
    return Invalid("entry '{}' of the archive has {} bytes, at most {} are expected", Shown(name),
                   entry->bytes, max_bytes);
  const auto* packed = reinterpret_cast<const char*>(bytes_.data()) + entry->data_at;
  if (entry->method == kStored) {
    out->assign(packed, static_cast<size_t>(entry->bytes));
    return Status();
  }
  if (entry->method != kDeflated)
    return Unsupported("entry '{}' of the archive is compressed by method {}, not by deflate", Shown(name),
                       entry->method);
  constexpr uint64_t kMaxInt = std::numeric_limits<int>::max();
  if (entry->packed_bytes < kMaxInt - 2 && entry->bytes <= (entry->packed_bytes + 64) * kMaxDeflateRatio) {
    out->resize(static_cast<size_t>(entry->bytes));
    // The decoder wants two bytes more than it needs; the directory, at least, follows.
    const uint64_t read_ahead = std::min<uint64_t>(2, bytes_.size() - entry->data_at - entry->packed_bytes);
    const int count = stbi_zlib_decode_noheader_buffer(out->data(), static_cast<int>(entry->bytes), packed,
                                                       static_cast<int>(entry->packed_bytes + read_ahead));
    if (count == static_cast<int>(entry->bytes)) return Status();
  }
  return Invalid("entry '{}' of the archive is broken", Shown(name));
}

}  // namespace micrort::frontend::torchscript
