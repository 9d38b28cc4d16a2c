#pragma once
// Rings in the place of caches that attention looks back in no further than a window (mnnconvert --kv-cache).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Rows of a ring for runs that append `chunk` rows at most.
int64_t RingRows(int64_t window, int64_t chunk);

// Makes rings of the caches that Attention with one window alone reads, where they are smaller so. `chunk`:
// how many rows a run appends at most, where the graph leaves that open; absent: these stay caches of all
// rows.
Status MakeRings(std::optional<int64_t> chunk, Graph* graph, std::vector<std::string>* notes);

}  // namespace micrort::ir
