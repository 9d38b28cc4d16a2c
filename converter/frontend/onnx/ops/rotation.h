#pragma once
// Rotary position embedding: pairs of numbers of each head are turned by angles that grow with the position.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// x, and cosines and sines with a head dimension of 1, so that they broadcast.
struct Rotation {
  ir::ValueId x;             // [B,S,N,D] or [B,N,S,D]
  ir::ValueId cos, sin;      // [B,S,1,R/2] or [B,1,S,R/2]
  int64_t size = 0;          // R: numbers of a head that turn
  bool interleaved = false;  // pairs are neighbours; else they are R/2 apart
};

ir::ValueId Rotate(NodeContext& c, const Rotation& r);

// Rows [B,S,R/2] of a table for the positions, or the table itself, with a head dimension at `head_axis`.
ir::ValueId Angles(NodeContext& c, ir::ValueId table, ir::ValueId positions, int head_axis);

}  // namespace micrort::frontend::onnx
