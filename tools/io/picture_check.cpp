#include "tools/io/picture_check.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "stb/stb_image.h"
#include "tools/io/jpeg_check.h"

namespace micrort::io {
namespace {

// What the decoder allocates at once, about: the file's elements, twice, and the wanted ones.
constexpr int64_t kMaxDecodedBytes = int64_t{3} << 28;
// Deflate makes of a byte at most 1032, of eight pixels each; JPEG's codes have at least a bit for 64 pixels
// of a component, of which another one may have a sixteenth.
constexpr int64_t kMaxPixelsPerByte = 8256;

struct Header {
  int width = 0, height = 0, channels = 0;
  int element_bytes = 1;
};

Status Broken(const std::string& what, const char* why) {
  return MICRORT_ERROR(kInvalidArgument, "%s: broken picture: %s", what.c_str(), why);
}

int64_t LittleEndian(Span<const uint8_t> bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= uint64_t{bytes[at + i]} << (8 * i);
  return static_cast<int64_t>(value);
}

bool StartsWith(Span<const uint8_t> bytes, const char* magic, size_t size) {
  return bytes.size() >= size && std::memcmp(bytes.data(), magic, size) == 0;
}

// A bitmap's rows lie in the file as they are: it must hold them. Its sides are signed, the height of rows
// from the top below 0.
Status CheckBitmap(const std::string& what, Span<const uint8_t> bytes) {
  constexpr size_t kShortHeader = 26, kHeader = 54;
  if (bytes.size() < kShortHeader) return Broken(what, "its header is cut short");
  const bool is_old = LittleEndian(bytes, 14, 4) == 12;
  if (!is_old && bytes.size() < kHeader) return Broken(what, "its header is cut short");
  const size_t side = is_old ? 2 : 4;
  const auto as_signed = [](int64_t v) { return v > INT32_MAX ? v - (int64_t{1} << 32) : v; };
  const int64_t width = as_signed(LittleEndian(bytes, 18, side));
  const int64_t height = as_signed(LittleEndian(bytes, 18 + side, side));
  const int64_t bits = LittleEndian(bytes, is_old ? 24 : 28, 2), pixels = LittleEndian(bytes, 10, 4);
  const int64_t rows = height < 0 ? -height : height;
  if (width <= 0 || width > kMaxPictureSide || rows <= 0 || rows > kMaxPictureSide)
    return Broken(what, "a side of no pixels, or of too many");
  const int64_t row_bytes = (width * bits + 31) / 32 * 4;
  if (pixels + rows * row_bytes > static_cast<int64_t>(bytes.size()))
    return Broken(what, "the file is too short for its pixels");
  return Status();
}

// The first part of a PNG's pixels holds some: for none the decoder has no memory.
Status CheckPng(const std::string& what, Span<const uint8_t> bytes) {
  constexpr size_t kSignature = 8, kChunkHeader = 8, kChecksum = 4;
  for (size_t at = kSignature; at + kChunkHeader <= bytes.size();) {
    size_t length = 0;
    for (size_t i = 0; i < 4; ++i) length = length << 8 | bytes[at + i];
    if (std::memcmp(bytes.data() + at + 4, "IDAT", 4) == 0)
      return length == 0 ? Broken(what, "its pixels begin with a part of none") : Status();
    at += kChunkHeader + length + kChecksum;
  }
  return Status();
}

bool ReadHeader(Span<const uint8_t> bytes, bool is_bitmap, Header* header) {
  const auto size = static_cast<int>(bytes.size());
  if (!stbi_info_from_memory(bytes.data(), size, &header->width, &header->height, &header->channels))
    return false;
  if (is_bitmap) header->height = std::abs(header->height);  // below 0 where the first row is the upper one
  header->element_bytes = stbi_is_16_bit_from_memory(bytes.data(), size) != 0 ? 2 : 1;
  return true;
}

// The decoder doubles a block that has no room: for the file's parts one after the other, and for what these
// are unpacked into, with a byte for each row of each of seven passes.
size_t MostBlock(const Header& header, size_t file_bytes) {
  constexpr size_t kPasses = 7, kSome = 4096;
  const auto width = static_cast<size_t>(header.width), height = static_cast<size_t>(header.height);
  const size_t row = width * static_cast<size_t>(header.channels * header.element_bytes) + kPasses;
  return 2 * std::max(file_bytes, height * row) + kSome;
}

}  // namespace

Status CheckPicture(const std::string& what, Span<const uint8_t> bytes, int channels, size_t* most_block) {
  const bool is_jpeg = StartsWith(bytes, "\xff\xd8", 2), is_bitmap = StartsWith(bytes, "BM", 2);
  const bool is_png = StartsWith(bytes, "\x89PNG", 4);
  const bool is_known = bytes.size() < INT32_MAX && (is_png || is_jpeg || is_bitmap);
  if (!is_known)
    return MICRORT_ERROR(kInvalidArgument, "%s: expected a .png, .jpg or .bmp picture, found other content",
                         what.c_str());
  if (is_bitmap) MICRORT_RETURN_IF_ERROR(CheckBitmap(what, bytes));
  if (is_png) MICRORT_RETURN_IF_ERROR(CheckPng(what, bytes));
  JpegScans jpeg;
  if (is_jpeg && !ReadJpegScans(bytes, &jpeg))
    return Broken(what, "a table of codes for more than 256 symbols");
  Header header;
  if (!ReadHeader(bytes, is_bitmap, &header)) return Broken(what, stbi_failure_reason());
  const int64_t pixels = int64_t{header.width} * header.height;
  const int64_t held = (jpeg.is_progressive ? 3 : 2) * header.element_bytes * header.channels;
  if (header.width < 1 || header.height < 1) return Broken(what, "a side of no pixels");
  if (header.width > kMaxPictureSide || header.height > kMaxPictureSide ||
      pixels * (held + channels) > kMaxDecodedBytes) {
    return MICRORT_ERROR(kInvalidArgument,
                         "%s: expected a picture of at most %d pixels a side and %lld bytes to decode it",
                         what.c_str(), kMaxPictureSide, static_cast<long long>(kMaxDecodedBytes));
  }
  if (pixels / kMaxPixelsPerByte > static_cast<int64_t>(bytes.size()))
    return Broken(what, "the file is too short for its pixels");
  if (pixels * jpeg.scans > kMaxScannedPixels) return Broken(what, "too many scans for its size");
  *most_block = MostBlock(header, bytes.size());
  return Status();
}

}  // namespace micrort::io
