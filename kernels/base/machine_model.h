#pragma once
// What cost functions and block sizes assume of a CPU: its caches, and how fast it moves data beside how fast
// it multiplies. One table (machine_model.cpp) has the figures of every class of cores, with their sources;
// the algorithms have none of their own.
//
// A device and the converter that plans for it must choose the same algorithms, so the model follows from the
// features alone.

#include <cstdint>

#include "kernels/base/cpu_features.h"

namespace micrort {

struct MachineModel {
  const char* core;  // "Cortex-A76 and later"

  // Floats of the depth of a GEMM's panel, 16 columns wide, that stay in the first-level cache.
  int64_t panel_depth;
  // How much an algorithm has at a time, in bytes, so that it stays in a cache.
  // Limits of a GEMM's left-hand side while all panels pass by: the second-level cache, shared with them;
  // beside panels of vectors over 8 floats, which are read faster, more. And at most so many tiles.
  int64_t rows_bytes, rows_bytes_16_lanes;
  int64_t rows_tiles, rows_tiles_16_lanes;
  // The size of a whole left-hand side beyond which no cache near the core holds it: the rows of the next
  // tile are fetched while one is multiplied.
  int64_t streamed_rows_bytes;
  int64_t query_rows;         // of attention: every panel of keys and values that is loaded is used often
  int64_t window_bytes;       // of rows that a layer keeps while it works in place: the second-level cache
  int64_t small_block_bytes;  // of a float Winograd block: the least
  int64_t block_bytes;        // and the most, where packed weights are streamed
  int64_t near_block_bytes;   // and the most, where packed weights stay in the second-level cache
  int64_t near_weight_bytes;  // which they do up to this size
  int64_t s8_block_bytes;     // of an int8 Winograd block
  int64_t s8_block_tiles;     // and at most so many tiles
  int64_t row_image_bytes;    // of a whole transformed image of 1-D Winograd

  int64_t slide_elements;  // of the pixels that a depthwise kernel slides over at a time: the first-level
                           // cache, for all rows under a filter
  // Limits of layers that are fused by stripes of rows (kernels/conv_call/conv_chain.h): windows beside
  // weights in the second-level cache; and what makes it pay, more bytes between two layers and between all
  // of them than a cache of a few MiB holds, and few weights, which every stripe reads.
  int64_t stripe_window_bytes, stripe_between_bytes, stripe_all_bytes, stripe_weight_bytes;

  // Costs in the unit of kernels/conv/cost.h.
  double byte_moved;            // from or to memory that no cache near the core holds
  double weight_byte_streamed;  // of packed Winograd weights, which are read in order
  double weight_byte_near;      // of those in the second-level cache
  double element_combined;      // into Strassen's sums, which mostly fit into no cache near the core

  // For the converter: what becomes of the unit on this core.
  double units_per_microsecond;
  double int8_products;  // of an int8 product, over the cost that its algorithm states
};

// The model for the strongest set of instructions among the features.
const MachineModel& MachineModelOf(CpuFeatures features);

}  // namespace micrort
