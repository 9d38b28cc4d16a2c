#pragma once
// RAM of several speeds: what is touched most lies in the fastest.

#include <cstdint>
#include <string>
#include <vector>

#include "converter/plan/fit_arena.h"

namespace micrort::plan {

// A part of a device's RAM. Offset and bytes are multiples of kAlignment.
struct MemoryRegion {
  std::string name;
  uint64_t bytes = 0;
  uint64_t offset = 0;  // of its begin from that of the first region
};

// The fastest comes first, each lies behind the one before. The arena begins with the first and ends where
// the last one is not used any more; what lies between them belongs to others.
struct RegionPlan {
  std::vector<MemoryRegion> regions;
  std::vector<uint64_t> used_bytes;     // result, by region: up to the end of what lies there
  std::vector<uint64_t> touched_bytes;  // result, by region: read or written in a run
};

// "fast=64K,slow=256K@16M": NAME=BYTES[@OFFSET], an offset being the end of the region before unless it is
// given. kInvalidArgument for any other text, and for regions that overlap.
Status ParseMemoryRegions(const std::string& text, std::vector<MemoryRegion>* regions);

// Places items, each in one region. touches: by item, how often a run reads or writes each of its bytes.
// Those touched most often come first. kUnsupported if they do not fit. The layout's arena_bytes count from
// the begin of the first region.
Status PlaceInRegions(Span<const PlanItem> items, const std::vector<uint64_t>& touches, RegionPlan* plan,
                      PlacedItems* placed);

}  // namespace micrort::plan
