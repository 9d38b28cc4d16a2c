#include "kernels/winograd/winograd_blocks.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/cold.h"
#include "kernels/base/machine_model.h"

namespace micrort {
namespace {

// Transformed inputs and products of one block of tiles together take about as much as input, output and
// weights of the layer, within these bounds: less would stream the weights more often, more would only cost
// memory. Beside weights that stay in the cache a block is smaller, to stay there too. Blocks of several
// workers share what two may have.
constexpr int64_t kBlocksOfWorkers = 2;

int64_t BlockBytes(const Conv2DParams& p, const ConvTarget& target, int64_t element_bytes,
                   bool cached_weights) {
  const MachineModel& model = MachineModelOf(target.features);
  const int64_t elements = p.in_h * p.in_w * p.in_c + p.out_h * p.out_w * p.out_c + p.depth() * p.out_c;
  const int64_t bytes = elements * element_bytes;
  const int64_t most = cached_weights ? model.near_block_bytes : model.block_bytes;
  return bytes < model.small_block_bytes ? model.small_block_bytes : bytes > most ? most : bytes;
}

int64_t Least(int64_t a, int64_t b) { return a < b ? a : b; }

class Cutter {
 public:
  Cutter(const Conv2DParams& p, const ConvTarget& target, const WinogradTiles& tiles)
      : tiles_(tiles), workers_(target.workers), cached_weights_(HasNearWeights(tiles, target)) {
    const auto element_bytes = static_cast<int64_t>(tiles.gemm.element_bytes);
    const int64_t tile_bytes = tiles.points * (p.in_c + p.out_c) * element_bytes;
    const int64_t block_bytes = BlockBytes(p, target, element_bytes, cached_weights_);
    fitting_ = WholeTiles(CeilDiv(block_bytes, tile_bytes));
    const auto mr = static_cast<int64_t>(tiles.gemm.mr);
    const int64_t of_worker = kBlocksOfWorkers * block_bytes / (workers_ * tile_bytes);
    fitting_worker_ = Least(fitting_, WholeTiles(of_worker / mr * mr));
    // What other workers have transformed, where all work on one block.
    exchanged_ = tiles.tiles * tile_bytes * (workers_ - 1) / (workers_ * workers_);
  }

  ConvBlocks Cut() const {
    ConvBlocks result;
    const int64_t count = CeilDiv(tiles_.tiles, fitting_);
    const int64_t for_workers = CeilDiv(CeilDiv(tiles_.tiles, fitting_worker_), workers_) * workers_;
    // What a worker reads from afar: its share of the weights or all of them, for each of its blocks.
    const int64_t turns = cached_weights_ ? 1 : count;
    const int64_t worker_turns = cached_weights_ ? 1 : for_workers / workers_;
    result.by_worker =
        workers_ > 1 && tiles_.tiles >= for_workers * static_cast<int64_t>(tiles_.gemm.mr) &&
        worker_turns * tiles_.packed_bytes <= turns * tiles_.packed_bytes / workers_ + exchanged_;
    result.columns = BlockSize(result.by_worker ? for_workers : count);
    // Memory is for the largest block of up to so many tiles, and for both ways to use workers: a layer that
    // is planned for a bound asks for no more when fewer tiles, cut evenly, make larger blocks.
    result.rows = BlockSize(Least(WholeTiles(CeilDiv<int64_t>(tiles_.tiles, workers_)), fitting_worker_));
    result.room = BlockSize(Least(WholeTiles(tiles_.tiles), fitting_));
    return result;
  }

 private:
  // At least one of mr rows.
  int64_t WholeTiles(int64_t count) const {
    const auto mr = static_cast<int64_t>(tiles_.gemm.mr);
    return count == 0 ? mr : CeilDiv(count, mr) * mr;
  }

  const WinogradTiles& tiles_;
  const int64_t workers_;
  const bool cached_weights_;
  int64_t fitting_, fitting_worker_, exchanged_;
};

}  // namespace

MICRORT_COLD bool HasNearWeights(const WinogradTiles& tiles, const ConvTarget& target) {
  return tiles.packed_bytes <= MachineModelOf(target.features).near_weight_bytes;
}

MICRORT_COLD double WinogradStreamingCost(const ConvTarget& target, const WinogradTiles& tiles,
                                          int64_t times) {
  const MachineModel& model = MachineModelOf(target.features);
  return static_cast<double>(tiles.packed_bytes) *
         (HasNearWeights(tiles, target) ? model.weight_byte_near
                                        : model.weight_byte_streamed * static_cast<double>(times));
}

MICRORT_COLD ConvBlocks CutWinograd(const Conv2DParams& p, const ConvTarget& target,
                                    const WinogradTiles& tiles) {
  if (!tiles.is_1d()) return Cutter(p, target, tiles).Cut();
  ConvBlocks all;
  all.columns = 1;
  return all;
}

}  // namespace micrort
