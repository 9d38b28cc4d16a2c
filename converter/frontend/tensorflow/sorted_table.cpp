#include "converter/frontend/tensorflow/sorted_table.h"

#include <snappy.h>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/tensorflow/crc32c.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr size_t kFooterBytes = 48, kTrailerBytes = 5, kMaxBytes = size_t{256} << 20;
constexpr uint64_t kMagic = 0xdb4775248b80fb57u;
enum Compression : uint8_t { kNone = 0, kSnappy = 1 };

uint32_t Little32(const uint8_t* p) {
  return uint32_t{p[0]} | uint32_t{p[1]} << 8 | uint32_t{p[2]} << 16 | uint32_t{p[3]} << 24;
}

class Reader {
 public:
  explicit Reader(Span<const uint8_t> bytes) : bytes_(bytes) {}
  bool done() const { return at_ == bytes_.size(); }

  bool Varint(uint64_t* out) {
    *out = 0;
    for (unsigned shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
      const uint8_t byte = bytes_[at_++];
      *out |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }
  bool Take(uint64_t n, std::string* append_to) {
    if (n > bytes_.size() - at_) return false;
    append_to->append(reinterpret_cast<const char*>(bytes_.data()) + at_, static_cast<size_t>(n));
    at_ += static_cast<size_t>(n);
    return true;
  }

 private:
  Span<const uint8_t> bytes_;
  size_t at_ = 0;
};

class TableReader {
 public:
  TableReader(Span<const uint8_t> bytes, std::map<std::string, std::string>* out)
      : bytes_(bytes), out_(*out) {}

  Status Read() {
    if (bytes_.size() < kFooterBytes) return Broken("it is too short");
    const uint8_t* footer = bytes_.data() + bytes_.size() - kFooterBytes;
    const uint64_t magic = Little32(footer + kFooterBytes - 8) | uint64_t{Little32(footer + kFooterBytes - 4)}
                                                                     << 32;
    if (magic != kMagic) return Broken("it does not end as a table does");
    Reader handles({footer, kFooterBytes - 8});
    uint64_t offset = 0, size = 0;
    for (int handle = 0; handle < 2; ++handle) {  // of the blocks about the table, then of the index
      if (!handles.Varint(&offset) || !handles.Varint(&size)) return Broken("its footer");
    }
    std::map<std::string, std::string> index;
    MICRORT_RETURN_IF_ERROR(ReadBlock(offset, size, &index));
    for (const auto& entry : index) {
      Reader handle({reinterpret_cast<const uint8_t*>(entry.second.data()), entry.second.size()});
      if (!handle.Varint(&offset) || !handle.Varint(&size)) return Broken("its index");
      MICRORT_RETURN_IF_ERROR(ReadBlock(offset, size, &out_));
    }
    return Status();
  }

 private:
  static Status Broken(const char* what) { return Invalid("the checkpoint's index is no table: {}", what); }

  Status ReadBlock(uint64_t offset, uint64_t size, std::map<std::string, std::string>* out) {
    if (offset > bytes_.size() || size > bytes_.size() - offset ||
        bytes_.size() - offset - size < kTrailerBytes) {
      return Broken("a block reaches over the end");
    }
    const uint8_t* data = bytes_.data() + offset;
    const auto n = static_cast<size_t>(size);
    if (Crc32c().Add(data, n + 1).Masked() != Little32(data + n + 1)) return Broken("a block's checksum");
    total_ += n;
    if (data[n] == kNone) return total_ > kMaxBytes ? TooLarge() : ReadEntries({data, n}, out);
    if (data[n] != kSnappy) return Unsupported("a checkpoint compressed by method {}", data[n]);
    size_t plain = 0;
    const auto* compressed = reinterpret_cast<const char*>(data);
    if (!snappy::GetUncompressedLength(compressed, n, &plain)) return Broken("a block's plain size");
    total_ += plain;
    if (total_ > kMaxBytes) return TooLarge();
    std::string text(plain, '\0');
    if (!snappy::RawUncompress(compressed, n, &text[0])) return Broken("a compressed block");
    return ReadEntries({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, out);
  }

  static Status TooLarge() { return Unsupported("a checkpoint's index of more than {} bytes", kMaxBytes); }

  // Each key shares its beginning with the one before. At the end, offsets of keys that do not, and their
  // count.
  Status ReadEntries(Span<const uint8_t> block, std::map<std::string, std::string>* out) {
    if (block.size() < 4) return Broken("an empty block");
    const uint64_t restarts = Little32(block.data() + block.size() - 4);
    if (restarts > (block.size() - 4) / 4) return Broken("a block's restarts");
    Reader entries({block.data(), block.size() - 4 - static_cast<size_t>(restarts) * 4});
    std::string key;
    while (!entries.done()) {
      uint64_t shared = 0, rest = 0, length = 0;
      if (!entries.Varint(&shared) || !entries.Varint(&rest) || !entries.Varint(&length) ||
          shared > key.size()) {
        return Broken("an entry");
      }
      key.resize(static_cast<size_t>(shared));
      std::string value;
      if (!entries.Take(rest, &key) || !entries.Take(length, &value)) return Broken("an entry");
      // What keys share takes no room in the block.
      total_ += key.size() + value.size();
      if (total_ > kMaxBytes) return TooLarge();
      (*out)[key] = std::move(value);
    }
    return Status();
  }

  Span<const uint8_t> bytes_;
  std::map<std::string, std::string>& out_;
  size_t total_ = 0;
};

}  // namespace

Status ReadSortedTable(Span<const uint8_t> bytes, std::map<std::string, std::string>* out) {
  return TableReader(bytes, out).Read();
}

}  // namespace micrort::frontend::tensorflow
