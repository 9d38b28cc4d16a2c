#include "kernels/winograd/winograd_tiles.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/cold.h"
#include "kernels/base/target.h"

namespace micrort {
namespace {

// Elements from point to point: whole cache lines, but no multiple of large powers of two, which would put
// all points into one set of the cache.
size_t PointStride(int64_t elements, size_t element_bytes) {
  const size_t line = kAlignment / element_bytes;
  return (AlignUp(static_cast<size_t>(elements), line) | line);
}

}  // namespace

WinogradTiles::WinogradTiles(const Conv2DParams& p, const WinogradGemm& kernel, int outputs)
    : m(outputs),
      out_h(m),
      out_w(is_1d() ? 2 : m),
      in_h(is_1d() ? 1 : m + kWinogradTaps - 1),
      in_w(out_w + kWinogradTaps - 1),
      points(in_h * in_w),
      taps(is_1d() ? kWinogradTaps : 1),
      gemm(kernel),
      tiles_h(CeilDiv(p.out_h, out_h)),
      tiles_w(CeilDiv(p.out_w, out_w)),
      tiles(p.batch * tiles_h * tiles_w),
      panels(CeilDiv(p.out_c, static_cast<int64_t>(gemm.nr))),
      panel_elements(static_cast<size_t>(taps * p.in_c) * gemm.nr),
      packed_bytes(points * panels * static_cast<int64_t>(panel_elements * gemm.element_bytes)) {}

WinogradMemory::WinogradMemory(const Conv2DParams& p, const ConvTarget& target, const WinogradTiles& t,
                               int64_t block)
    // In one dimension zeros lie behind the last tile, for rows outside the image.
    : input_stride(PointStride((t.inputs(p, block) + (t.is_1d() ? 1 : 0)) * p.in_c, t.gemm.element_bytes)),
      product_stride(PointStride(block * p.out_c, t.gemm.element_bytes)),
      padding_bytes(AlignUp(static_cast<size_t>(p.in_c) * t.gemm.element_bytes, kAlignment)),
      pointer_bytes(AlignUp(CeilDiv(static_cast<size_t>(block), t.gemm.mr) * t.gemm.mr *
                                static_cast<size_t>(t.taps) * PointerBytes(target.features),
                            kAlignment)),
      input_bytes(static_cast<size_t>(t.points) * input_stride * t.gemm.element_bytes),
      product_bytes(static_cast<size_t>(t.points) * product_stride * t.gemm.element_bytes) {}

MICRORT_COLD uint64_t WinogradScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                           const ConvPlan& plan, const WinogradTiles& tiles) {
  const auto bytes = [&](bool by_worker) {
    return WinogradMemory(p, target, tiles, tiles.in_block(plan.blocks, by_worker)).bytes();
  };
  const size_t shared = bytes(false);
  if (tiles.is_1d()) return shared;
  const size_t of_workers = bytes(true) * static_cast<size_t>(target.workers);
  return plan.blocks.by_worker || of_workers > shared ? of_workers : shared;
}

}  // namespace micrort
