#include "kernels/elementwise/cast.h"

#include <cstring>

#include "kernels/base/part.h"
#include "kernels/elementwise/convert_elements.h"
#include "kernels/elementwise/elements.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

MICRORT_LINK(LoadElements);
MICRORT_LINK(StoreElements);

// Elements [first, first + n), n <= kChunkElements.
void CastChunk(const ElementFormat& from, const ElementFormat& to, const void* x, void* y, size_t first,
               size_t n, const ElementConverter& convert) {
  const ComputeType type = ComputeTypeOf(from);
  Chunk loaded, stored;
  const void* values = convert.Load(from, x, first, n, &loaded);
  void* target = ElementConverter::Target(to, type, y, first, &stored);
  if (target == stored.bytes) {
    convert.Store(to, type, values, n, y, first);
  } else if (target != values) {
    std::memcpy(target, values, n * SizeOf(to.dtype));
  }
}

}  // namespace

void Cast(DType from, DType to, const void* x, void* y, size_t n, KernelId kernel, const Parallel& parallel) {
  const ElementFormat from_format = {from, false, {}}, to_format = {to, false, {}};
  ForEachTile(parallel, n, [&](size_t begin, size_t end) {
    const ElementConverter convert(kernel);
    for (size_t first = begin; first < end; first += kChunkElements) {
      CastChunk(from_format, to_format, x, y, first,
                end - first < kChunkElements ? end - first : kChunkElements, convert);
    }
  });
}

}  // namespace micrort
