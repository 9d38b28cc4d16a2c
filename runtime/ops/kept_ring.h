#pragma once
// Caches that are rings: position p lies in row p % rows, and rows stay until others take their places. A
// part (kernels/base/part.h) of programs that append to caches.

#include <cstddef>
#include <cstdint>

#include "kernels/base/status.h"

namespace micrort {

namespace schema {
struct Subgraph;
}

struct KeptRing {
  int64_t window = 0;  // of those that read it; 0: this is no ring
  int64_t rows = 0;
  int64_t oldest = 0;  // the first position that it still has, of those that are taken

  bool exists() const { return window != 0; }
  // Rows of `length` positions that the next one may see: those that are saved.
  int64_t seen(int64_t length) const { return length < window ? length : window - 1; }
};

// What the Append of a cache, an input of the graph, says of it.
KeptRing RingOf(const schema::Subgraph& graph, int32_t cache, int64_t rows);
// kInvalidArgument unless it has what the position behind `length` others may see.
Status CheckRing(const KeptRing& ring, const char* name, int64_t length);
// The rows seen(length), in order of position, out of the ring and back.
void SaveRing(const KeptRing& ring, int64_t length, size_t row_bytes, const void* rows, void* to);
void RestoreRing(const KeptRing& ring, int64_t length, size_t row_bytes, const void* from, void* rows);

}  // namespace micrort
