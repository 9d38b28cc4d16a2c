#include "converter/frontend/torchscript/ops/scattered.h"

namespace micrort::frontend::torchscript {

ir::ValueId PartFor(OpContext& c, ir::ValueId index, ir::ValueId source) {
  for (int i = 0; i < c.rank(index) && c.rank(source) == c.rank(index); ++i) {
    const int64_t size = c.dim(index, i);
    if (size != ir::kDynamic && c.dim(source, i) > size) source = c.build.Slice(source, i, 0, size);
  }
  return source;
}

}  // namespace micrort::frontend::torchscript
