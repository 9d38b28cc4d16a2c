#include "text/pipeline/char_map.h"

#include <utf8proc.h>

#include "text/pipeline/stages.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

uint32_t LittleEndian32(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  return value;
}

// A unit of the double array.
bool HasLeaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
uint32_t LeafValue(uint32_t unit) { return unit & 0x7FFFFFFF; }
uint32_t LabelOf(uint32_t unit) { return unit & 0x800000FF; }
uint32_t OffsetOf(uint32_t unit) { return (unit >> 10) << ((unit & 0x200) >> 6); }

// Where the cluster of characters that begins at `at` ends.
size_t ClusterEnd(std::string_view text, size_t at) {
  CodePoint c = DecodeUtf8(text, at);
  utf8proc_int32_t state = 0;
  size_t end = at + c.length;
  while (end < text.size()) {
    const CodePoint next = DecodeUtf8(text, end);
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(c.value),
                                         static_cast<utf8proc_int32_t>(next.value), &state) != 0)
      break;
    c = next;
    end += c.length;
  }
  return end;
}

}  // namespace

Result<CharMap> CharMap::Parse(std::string_view bytes) {
  const size_t header = sizeof(uint32_t);
  const size_t units = bytes.size() < header ? 0 : LittleEndian32(bytes, 0);
  if (bytes.size() < header || units % header != 0 || units > bytes.size() - header || units == 0)
    return MICRORT_ERROR(kInvalidModel, "a table of characters is cut off after %zu bytes", bytes.size());
  CharMap map;
  for (size_t at = header; at < header + units; at += sizeof(uint32_t))
    map.units_.push_back(LittleEndian32(bytes, at));
  map.replacements_ = bytes.substr(header + units);
  map.replacements_.push_back('\0');
  if (!IsValidUtf8(map.replacements_)) return MICRORT_ERROR(kInvalidModel, "replacements that are no UTF-8");
  return map;
}

CharMap::Match CharMap::Find(std::string_view text, bool longest) const {
  Match match;
  size_t node = OffsetOf(units_[0]);
  for (size_t i = 0; i < text.size() && (longest || match.length == 0); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    node ^= byte;
    if (node >= units_.size() || LabelOf(units_[node]) != byte) break;
    const uint32_t unit = units_[node];
    node ^= OffsetOf(unit);
    if (!HasLeaf(unit)) continue;
    if (node >= units_.size()) break;
    const size_t at = LeafValue(units_[node]);
    if (at >= replacements_.size()) break;
    // From the middle of a character it would be no text.
    if ((static_cast<uint8_t>(replacements_[at]) & 0xC0) == 0x80) break;
    match.length = i + 1;
    match.replacement = replacements_.c_str() + at;
  }
  return match;
}

CharMap::Match CharMap::Longest(std::string_view text) const { return Find(text, true); }
CharMap::Match CharMap::Shortest(std::string_view text) const { return Find(text, false); }

Status ReplaceClusters(const CharMap& map, std::string* text, size_t limit) {
  constexpr size_t kWholeCluster = 6;
  std::string replaced;
  for (size_t at = 0; at < text->size();) {
    const size_t end = ClusterEnd(*text, at);
    const std::string_view cluster = std::string_view(*text).substr(at, end - at);
    const CharMap::Match whole = cluster.size() < kWholeCluster ? map.Shortest(cluster) : CharMap::Match{};
    if (whole.length > 0) {
      replaced += whole.replacement;
    } else {
      for (size_t i = 0; i < cluster.size();) {
        const size_t length = DecodeUtf8(cluster, i).length;
        const CharMap::Match match = map.Shortest(cluster.substr(i, length));
        replaced += match.length > 0 ? match.replacement : cluster.substr(i, length);
        i += length;
      }
    }
    MICRORT_RETURN_IF_ERROR(CheckGrowth(replaced.size(), limit));
    at = end;
  }
  text->swap(replaced);
  return Status();
}

}  // namespace micrort::text
