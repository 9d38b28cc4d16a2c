// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND, of [N,spatial...,rest...].

#include "converter/frontend/common/blocks.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

namespace {

template <Result<ir::ValueId> (*Move)(ir::Builder&, ir::ValueId, const SpatialBlocks&)>
Status ImportBatch(OpContext& c) {
  if (c.subgraph.dilated_convs().HandsOn(c.op.stated())) return c.Return(c.input(0));
  std::vector<int64_t> borders;
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, c.ConstantIntegers(1));
  SpatialBlocks blocks;
  if (c.value(c.stored(2)).is_constant()) {
    MICRORT_ASSIGN_OR_RETURN(borders, c.ConstantIntegers(2));
    MICRORT_RETURN_IF_ERROR(ReadSpatialBlocks(c.x(), std::move(sizes), borders, &blocks));
  } else {
    MICRORT_RETURN_IF_ERROR(c.CheckRank(2, 2));
    MICRORT_RETURN_IF_ERROR(ReadSpatialBlocks(c.x(), std::move(sizes), c.Int64(2), &blocks));
  }
  return c.Return(Move(c.build, c.input(0), blocks));
}

constexpr OpSupport kBlockSupport = Types(kAllTypes).Without("block sizes that are not constant");

}  // namespace

const ImporterList SpaceBatchImporters = {
    {"BATCH_TO_SPACE_ND", 3, 3, ImportBatch<BatchToSpace>, kBlockSupport},
    {"SPACE_TO_BATCH_ND", 3, 3, ImportBatch<SpaceToBatch>, kBlockSupport},
};

}  // namespace micrort::frontend::tflite
