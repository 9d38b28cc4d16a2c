#include "converter/lower/gather.h"

#include <vector>

#include "converter/ir/dims.h"

namespace micrort::lower {

// The axis goes behind the batch, and each index becomes a list of one, as GatherND reads them; then what was
// before the axis goes before the indices again.
ir::ValueId GatherInBatches(ir::Builder& build, ir::ValueId x, ir::ValueId indices, int axis, int batch) {
  const int rank = build.graph().value(x).rank(), index_rank = build.graph().value(indices).rank();
  const int more = index_rank - batch;
  std::vector<int32_t> in, out;
  for (int i = 0; i < batch; ++i) in.push_back(i);
  in.push_back(axis);
  for (int i = batch; i < rank; ++i) {
    if (i != axis) in.push_back(i);
  }
  const ir::ValueId moved = axis == batch ? x : build.Transpose(x, in);
  const ir::ValueId y = build.GatherND({moved, build.InsertDim(indices, index_rank)}, batch);
  if (axis == batch) return y;
  for (int i = 0; i < batch; ++i) out.push_back(i);
  for (int i = batch; i < axis; ++i) out.push_back(i + more);
  for (int i = 0; i < more; ++i) out.push_back(batch + i);
  for (int i = axis; i + 1 < rank; ++i) out.push_back(i + more);
  return build.Transpose(y, out);
}

}  // namespace micrort::lower
