#include "kernels/copy/move_bytes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/task_sizes.h"

namespace micrort {

void RunMoveCall(const MoveCall& call, const void* src, void* dst, const Parallel& parallel) {
  if (src == dst || call.bytes == 0) return;
  const size_t most = parallel.workers() == 1 ? 1 : static_cast<size_t>(kTasksPerWorker * parallel.workers());
  const size_t chunk = CeilDiv(call.bytes, std::clamp<size_t>(call.bytes / kTaskCopyBytes, 1, most));
  const auto* from = static_cast<const uint8_t*>(src);
  auto* to = static_cast<uint8_t*>(dst);
  ParallelFor(parallel, CeilDiv(call.bytes, chunk), [=](size_t tile, int) {
    const size_t begin = tile * chunk;
    std::memcpy(to + begin, from + begin, std::min(chunk, call.bytes - begin));
  });
}

}  // namespace micrort
