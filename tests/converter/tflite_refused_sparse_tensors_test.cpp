// Sparse tensors of TFLite files whose parts do not fit each other, and what is said of elements and their
// quantization.

#include <functional>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_sparse_tensors {
namespace {

using Type = fb::TensorType;

constexpr auto kUnsupported = StatusCode::kUnsupported;

std::unique_ptr<fb::DimensionMetadataT> Dense(int size) {
  auto level = std::make_unique<fb::DimensionMetadataT>();
  level->dense_size = size;
  return level;
}

// [2,4] with elements 0 of its first row, 1 and 3 of its second.
std::unique_ptr<fb::SparsityParametersT> ThreeOfEight() {
  auto sparsity = std::make_unique<fb::SparsityParametersT>();
  sparsity->traversal_order = {0, 1};
  auto rows = std::make_unique<fb::DimensionMetadataT>();
  rows->format = fb::DimensionType::SparseCsr;
  fb::Uint8VectorT segments, indices;
  segments.values = {0, 1, 3};
  indices.values = {0, 1, 3};
  rows->array_segments.Set(segments);
  rows->array_indices.Set(indices);
  sparsity->dim_metadata.push_back(Dense(2));
  sparsity->dim_metadata.push_back(std::move(rows));
  return sparsity;
}

using Change = std::function<void(fb::SparsityParametersT&)>;

Status Imported(OneOp* op, const Change& change) {
  auto sparsity = ThreeOfEight();
  if (change) change(*sparsity);
  op->builder().tensor(op->op().inputs.back()).sparsity = std::move(sparsity);
  return op->Import();
}

Status SparseFloats(const Floats& elements, const Change& change = {}) {
  OneOp op("ABS");
  op.Numbers({2, 4}, elements);
  return Imported(&op, change);
}

Status SparseBytes(Type type, const Quantized& q) {
  OneOp op("ABS");
  op.op().inputs.push_back(op.builder().Constant<int8_t>("x", {2, 4}, type, {1, 2, 3}, q));
  return Imported(&op, {});
}

const Refusal kSparse[] = {
    {"TooFewElements", MICRORT_STATUS(SparseFloats({1, 2})), "sparsity: its data has only 8 bytes"},
    {"ElementsThatAreLeft", MICRORT_STATUS(SparseFloats({1, 2, 3, 4})),
     "sparsity: 3 elements are placed, its data has 16 bytes"},
    {"MoreLevelsThanDimensions",
     [] {
       return SparseFloats({1, 2, 3}, [](auto& s) { s.dim_metadata.push_back(Dense(1)); });
     },
     "sparsity: expected 2 dimensions and blocks"},
    {"AnotherSize",
     [] {
       return SparseFloats({1, 2, 3}, [](auto& s) { s.dim_metadata[0] = Dense(3); });
     },
     "sparsity: dimension 0 of size 3"},
    {"BlocksThatDoNotDivideTheSize",
     [] {
       return SparseFloats({1, 2, 3}, [](auto& s) {
         s.block_map = {1};
         s.traversal_order = {0, 1, 2};
         s.dim_metadata.push_back(Dense(3));
       });
     },
     "sparsity: block 0 of dimension 1"},
    {"BlocksLargerThanNothing",
     [] {
       OneOp op("ABS");
       op.Numbers({2, 0}, {});
       return Imported(&op, [](auto& s) {
         s.block_map = {1};
         s.traversal_order = {0, 1, 2};
         s.dim_metadata.push_back(Dense(2));
       });
     },
     "sparsity: block 0 of dimension 1"},
    {"BlocksOfBlocks",
     [] {
       return SparseFloats({1, 2, 3}, [](auto& s) {
         s.block_map.assign(200000, 0);
         for (int i = 0; i < 200000; ++i) s.traversal_order.push_back(i + 2);
       });
     },
     "sparsity: 200000 blocks of 2 dimensions"},
    {"FourBits", MICRORT_STATUS(SparseBytes(Type::Int4, {})), "sparse int4", kUnsupported},
    {"SeveralZeroPoints", MICRORT_STATUS(SparseBytes(Type::Int8, {{1, 1}, {1, 2}})),
     "sparse with zero points", kUnsupported},
};

Status QuantizedInput(const Quantized& q) { return OneOp("ABS").In({2}, Type::Int8, q).Import(); }

const Refusal kElements[] = {
    {"InputOfText", MICRORT_STATUS(OneOp("ABS").In({2}, Type::String).Import()),
     "input 't0': element type String", kUnsupported},
    {"OutputOfText", MICRORT_STATUS(OneOp("ABS").In({2}).Out({2}, Type::String).Import()),
     "output 0: element type String", kUnsupported},
    {"MoreZeroPointsThanScales", MICRORT_STATUS(QuantizedInput({{1}, {0, 0}})), "1 scales, 2 zero points"},
    {"ZeroPointOfManyBits", MICRORT_STATUS(QuantizedInput({{1}, {65536}})), "input 't0': zero point 65536"},
    {"ComputedWithSeveralScales",
     MICRORT_STATUS(OneOp("ABS").In({2}).Out({2}, Type::Int8, {{1, 2}, {}}).Import()),
     "output 0: computed values with several scales", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(TfliteRefusedSparseTensors, kSparse);
MICRORT_EXPECT_REFUSALS(TfliteRefusedElements, kElements);

}  // namespace
}  // namespace micrort::testing::tflite_refused_sparse_tensors
