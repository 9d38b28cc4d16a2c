#include "runtime/ops/kept_ring.h"

#include <algorithm>
#include <cstring>

#include "schema/micrort_generated.h"

namespace micrort {

namespace {

// Positions [first, first + in_front + behind) of a ring, of which those `behind` lie at its start.
struct Pieces {
  size_t row, in_front, behind;

  Pieces(const KeptRing& ring, int64_t length) {
    const int64_t seen = ring.seen(length), first = (length - seen) % ring.rows;
    const int64_t rows = std::min(seen, ring.rows - first);
    row = static_cast<size_t>(first);
    in_front = static_cast<size_t>(rows);
    behind = static_cast<size_t>(seen - rows);
  }
};

void Copy(void* to, const void* from, size_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

}  // namespace

// Files that are verified have an Append with inputs.
KeptRing RingOf(const schema::Subgraph& graph, int32_t cache, int64_t rows) {
  for (const schema::Operator* op : *graph.operators()) {
    if (op->code() != schema::OpCode::Append || op->inputs()->Get(0) != cache) continue;
    const schema::AppendOptions* const options = op->options_as_AppendOptions();
    if (options != nullptr) return {options->window(), rows, 0};
  }
  return {};
}

Status CheckRing(const KeptRing& ring, const char* name, int64_t length) {
  const int64_t first = length - ring.seen(length);
  if (first == length || first >= ring.oldest) return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "state '%.80s': its ring of %lld rows has positions from %lld on, and position %lld "
                       "sees those from %lld on",
                       name, static_cast<long long>(ring.rows), static_cast<long long>(ring.oldest),
                       static_cast<long long>(length), static_cast<long long>(first));
}

void SaveRing(const KeptRing& ring, int64_t length, size_t row_bytes, const void* rows, void* to) {
  const Pieces pieces(ring, length);
  const auto* const from = static_cast<const uint8_t*>(rows);
  Copy(to, from + pieces.row * row_bytes, pieces.in_front * row_bytes);
  Copy(static_cast<uint8_t*>(to) + pieces.in_front * row_bytes, from, pieces.behind * row_bytes);
}

void RestoreRing(const KeptRing& ring, int64_t length, size_t row_bytes, const void* from, void* rows) {
  const Pieces pieces(ring, length);
  auto* const to = static_cast<uint8_t*>(rows);
  Copy(to + pieces.row * row_bytes, from, pieces.in_front * row_bytes);
  Copy(to, static_cast<const uint8_t*>(from) + pieces.in_front * row_bytes, pieces.behind * row_bytes);
}

}  // namespace micrort
