// TFLite operators that put values together, take them apart, pad and reshape them: parts, pads and shapes
// that do not fit.

#include <limits>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_joins {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

Status Split(const std::vector<int32_t>& x, int parts) {
  return OneOp("SPLIT").Scalar(0).In(x).Outs(parts).Import();
}

Status SplitInto(const std::vector<int32_t>& sizes, int outputs) {
  return OneOp("SPLIT_V").In({4}).Ints(sizes).Scalar(0).Outs(outputs).Import();
}

const Refusal kJoins[] = {
    {"AbsentPart", MICRORT_STATUS(OneOp("CONCATENATION").In({2}).Absent().In({2}).Import()),
     "input 1 is absent"},
    {"AbsentElement", MICRORT_STATUS(OneOp("PACK").In({2}).Absent().Import()), "input 1 is absent"},
    {"OtherNumberOfSlices", MICRORT_STATUS(OneOp("UNPACK").In({3, 2}).Outs(2).Import()),
     "2 outputs for 3 slices"},
    {"OpenDimension", MICRORT_STATUS(Split({-1, 2}, 2)), "a dimension that is not fixed is split",
     kUnsupported},
    {"PartsOfUnequalSize", MICRORT_STATUS(Split({5}, 2)), "2 parts of 5"},
    {"OtherNumberOfParts", MICRORT_STATUS(SplitInto({1, 3}, 3)), "3 outputs for 2 parts"},
    {"PartBehindTheEnd", MICRORT_STATUS(SplitInto({1, 4}, 2)), "part 1 of size 4"},
    {"PartsWhoseSumIsTooLarge",
     [] {
       constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
       OneOp op("SPLIT_V");
       TfliteBuilder& b = op.In({4}).builder();
       const std::vector<int64_t> sizes = {kHuge, kHuge, -1};
       op.op().inputs.push_back(b.Constant("sizes", {3}, fb::TensorType::Int64, sizes));
       return op.Scalar(0).Outs(3).Import();
     },
     "part 0 of size 9223372036854775807"},
    {"PartOfNegativeSize", MICRORT_STATUS(SplitInto({-2, 6}, 2)), "part 0 of size -2"},
    {"PartsThatLeaveSome", MICRORT_STATUS(SplitInto({1, 2}, 2)), "parts of 3, but the dimension has 4"},
};
MICRORT_EXPECT_REFUSALS(TfliteJoins, kJoins);

OneOp& Pads(OneOp& op, const std::vector<int32_t>& pairs) {
  const auto rows = static_cast<int32_t>(pairs.size() / 2);
  const int index = op.builder().Constant("pads", {rows, 2}, fb::TensorType::Int32, pairs);
  op.op().inputs.push_back(index);
  return op;
}

Status Pad(const std::vector<int32_t>& pairs) {
  OneOp op("PAD");
  return Pads(op.In({2, 3}), pairs).Import();
}

Status MirrorPad(std::vector<int32_t> x, const std::vector<int32_t>& pairs) {
  fb::MirrorPadOptionsT o;
  o.mode = fb::MirrorPadMode::Symmetric;
  OneOp op("MIRROR_PAD");
  return Pads(op.In(std::move(x)), pairs).With(o).Import();
}

const Refusal kPads[] = {
    {"PadsOfAnotherRank", MICRORT_STATUS(Pad({1, 1})), "expected 4 pads, found 2"},
    {"NegativePads", MICRORT_STATUS(Pad({0, 0, 0, -1})), "padding -1"},
    {"MirrorBeforeTheStart", MICRORT_STATUS(MirrorPad({3}, {4, 0})), "padding 4 and 0 of 3 in dimension 0"},
    {"MirrorBehindTheEnd", MICRORT_STATUS(MirrorPad({3}, {0, 4})), "padding 0 and 4 of 3 in dimension 0"},
};
MICRORT_EXPECT_REFUSALS(TflitePads, kPads);

const Refusal kShapes[] = {
    {"NegativeDimension", MICRORT_STATUS(OneOp("RESHAPE").In({2, 3}).Ints({6, -2}).Import()),
     "dimension -2 of the new shape"},
    {"SqueezedOpenShape", MICRORT_STATUS(OneOp("SQUEEZE").In({1, -1}).Import()),
     "all dimensions of size 1 of a shape that is not fixed", kUnsupported},
    {"ShapeOfOpenRank",
     [] {
       constexpr auto kInt32 = fb::TensorType::Int32;
       return OneOp("BROADCAST_ARGS").In({2}, kInt32).In({-1}, kInt32).Out({}, kInt32).Import();
     },
     "a shape of open rank", kUnsupported},
    {"ShapeOfManyDimensions",
     [] {
       constexpr auto kInt32 = fb::TensorType::Int32;
       OneOp op("BROADCAST_ARGS");
       return op.In({1}, kInt32).In({1 << 30}, kInt32).Out({}, kInt32).Import();
     },
     "a shape of open rank, or of more than 8 dimensions", kUnsupported},
    {"ShapeThatIsAMatrix",
     [] {
       constexpr auto kInt32 = fb::TensorType::Int32;
       return OneOp("BROADCAST_ARGS").In({2, 2}, kInt32).In({2}, kInt32).Out({}, kInt32).Import();
     },
     "a shape of open rank", kUnsupported},
    {"DiagonalThatIsANumber", MICRORT_STATUS(OneOp("MATRIX_DIAG").In({}).Import()),
     "the diagonal is a scalar"},
    {"DiagonalOfOpenSize", MICRORT_STATUS(OneOp("MATRIX_DIAG").In({-1}).Import()),
     "a matrix whose size is not fixed, or of more than 16777216 elements", kUnsupported},
    {"LongDiagonal", MICRORT_STATUS(OneOp("MATRIX_DIAG").In({5000}).Import()),
     "a matrix whose size is not fixed, or of more than 16777216 elements", kUnsupported},
    {"DiagonalOfAnotherRank", MICRORT_STATUS(OneOp("MATRIX_SET_DIAG").In({3, 3}).In({3, 3}).Import()),
     "matrices of 2 dimensions, and diagonals of 2"},
    {"DiagonalOfAVector", MICRORT_STATUS(OneOp("MATRIX_SET_DIAG").In({3}).In({}).Import()),
     "matrices of 1 dimensions, and diagonals of 0"},
    {"DiagonalOfAnotherSize", MICRORT_STATUS(OneOp("MATRIX_SET_DIAG").In({3, 4}).In({4}).Import()),
     "diagonals of 4 elements: expected 3"},
};
MICRORT_EXPECT_REFUSALS(TfliteRefusedShapes, kShapes);

const Refusal kNumbers[] = {
    {"TransformOfAVector", MICRORT_STATUS(OneOp("RFFT2D").In({4}).Ints({4, 4}).Import()),
     "2 lengths and 1 dimensions: expected two of both"},
    {"TransformOfOneLength", MICRORT_STATUS(OneOp("RFFT2D").In({4, 4}).Ints({4}).Import()),
     "1 lengths and 2 dimensions: expected two of both"},
    {"NormOfANumber", MICRORT_STATUS(OneOp("L2_NORMALIZATION").In({}).Import()), "the norm of a scalar"},
    {"NegativeRadius",
     [] {
       fb::LocalResponseNormalizationOptionsT o;
       o.radius = -1;
       return OneOp("LOCAL_RESPONSE_NORMALIZATION").In({1, 2, 2, 4}).With(o).Import();
     },
     "radius -1"},
    {"LargeRadius",
     [] {
       fb::LocalResponseNormalizationOptionsT o;
       o.radius = 4097;
       return OneOp("LOCAL_RESPONSE_NORMALIZATION").In({1, 2, 2, 4}).With(o).Import();
     },
     "radius 4097"},
    {"RangeWithoutZero",
     [] {
       fb::FakeQuantOptionsT o;
       o.num_bits = 8;
       o.min = 0.5f, o.max = 2;
       return OneOp("FAKE_QUANT").In({2}).With(o).Import();
     },
     "8 bits from 0.5 to 2"},
    {"EmptyRange",
     [] {
       fb::FakeQuantOptionsT o;
       o.num_bits = 8;
       return OneOp("FAKE_QUANT").In({2}).With(o).Import();
     },
     "8 bits from 0 to 0"},
    {"TooManyBits",
     [] {
       fb::FakeQuantOptionsT o;
       o.num_bits = 17;
       o.max = 1;
       return OneOp("FAKE_QUANT").In({2}).With(o).Import();
     },
     "17 bits from 0 to 1"},
};
MICRORT_EXPECT_REFUSALS(TfliteNumbers, kNumbers);

OneOp SparseLookup(const std::vector<int32_t>& shape) {
  OneOp op("EMBEDDING_LOOKUP_SPARSE");
  const auto dims = static_cast<int32_t>(shape.size());
  op.In({2}, fb::TensorType::Int32).In({2, std::max(1, dims)}, fb::TensorType::Int32).Ints(shape).In({2});
  return op;
}

const Refusal kTables[] = {
    {"IdsWithoutAShape", MICRORT_STATUS(SparseLookup({}).In({5, 3}).Import()),
     "the shape of the ids has no dimension"},
    {"NoBags", MICRORT_STATUS(SparseLookup({0, 4}).In({5, 3}).Import()), "dimension 0 of the ids' shape"},
    {"ManyBags", MICRORT_STATUS(SparseLookup({1 << 13, 1 << 12, 4}).In({5, 3}).Import()),
     "dimension 4096 of the ids' shape"},
    {"OpenTable", MICRORT_STATUS(SparseLookup({2, 4}).In({-1, 3}).Import()),
     "a table whose shape is not fixed", kUnsupported},
    {"TableThatIsANumber", MICRORT_STATUS(SparseLookup({2, 4}).In({}).Import()),
     "a table whose shape is not fixed", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TfliteTables, kTables);

}  // namespace
}  // namespace micrort::testing::tflite_refused_joins
