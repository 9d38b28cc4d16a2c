// Choosing and generating elements. Random numbers are others than those of TFLite, and the same at every
// run.

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/lower/arrays.h"
#include "converter/lower/diagonals.h"
#include "converter/lower/positions.h"
#include "converter/lower/reverse_sequence.h"

namespace micrort::frontend::tflite {

namespace {

// A condition with one dimension chooses among slices of the first one.
Status ImportSelect(OpContext& c) {
  ir::ValueId condition = c.input(0);
  if (c.x(0).rank() == 1 && c.x(1).rank() > 1) {
    std::vector<int32_t> shape(static_cast<size_t>(c.x(1).rank()), 1);
    shape[0] = ir::CopyDim(0);
    condition = c.build.Reshape(condition, shape);
  }
  return c.Return(c.build.Select({condition, c.input(1), c.input(2)}));
}

Status ImportTopK(OpContext& c) {
  if (c.x().rank() < 1) return Invalid("the largest elements of a scalar");
  const ir::ValueId k = c.build.Reshape(c.Int64(1), {1});
  return c.Return(c.build.TopK(c.input(0), k, c.x().rank() - 1));
}

Status ImportCumsum(OpContext& c) {
  const auto o = c.op.Options<fb::CumsumOptionsT>();
  schema::CumulativeSumOptionsT options;
  options.exclusive = o.exclusive;
  options.reverse = o.reverse;
  return c.Return(c.build.Add(std::move(options), {c.input(0), c.stored(1)}));
}

Status ImportRange(OpContext& c) {
  std::vector<ir::ValueId> inputs;
  for (size_t i = 0; i < 3; ++i) inputs.push_back(c.build.Reshape(c.input(i), {}));
  return c.Return(c.build.Add(schema::RangeOptionsT(), inputs));
}

// on where the index is that of the place along the new axis, else off.
Status ImportOneHot(OpContext& c) {
  const int32_t given = c.op.Options<fb::OneHotOptionsT>().axis;
  const int rank = c.value(c.stored(0)).rank();
  MICRORT_ASSIGN_OR_RETURN(const int64_t depth, c.ConstantScalar(1));
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(given, rank + 1));
  if (depth < 0 || depth > ir::kMaxMade) return Invalid("depth {}", depth);
  const ir::ValueId on = c.build.Reshape(c.input(2), {}), off = c.build.Reshape(c.input(3), {});
  return c.Return(lower::OneHot(c.build, c.Int64(0), lower::Positions(c.build, depth), axis, on, off));
}

Status ImportReverseSequence(OpContext& c) {
  const auto o = c.op.Options<fb::ReverseSequenceOptionsT>();
  MICRORT_ASSIGN_OR_RETURN(const int time, c.Axis(o.seq_dim, c.x().rank()));
  MICRORT_ASSIGN_OR_RETURN(const int batch, c.Axis(o.batch_dim, c.x().rank()));
  if (time == batch) return Invalid("time and batch are dimension {}", time);
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 1));
  return c.Return(lower::ReverseSequence(c.build, c.input(0), c.stored(1), time, batch));
}

// The different elements as they first appear, and the place of each element among them.
Status ImportUnique(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 1));
  schema::UniqueOptionsT options;
  options.flatten = true;
  options.sorted = false;
  const std::vector<ir::ValueId> all = c.build.AddMany(std::move(options), {c.input(0)}, 4);
  return c.Return({all[0], all[2]});
}

// How many boundaries are not above the element: for NaN, which is below none, all.
Status ImportBucketize(OpContext& c) {
  const std::vector<float> boundaries = c.op.Options<fb::BucketizeOptionsT>().boundaries;
  return c.Return(lower::BucketOf(c.build, c.input(0), boundaries));
}

using schema::RandomKind;

ir::ValueId Random(OpContext& c, RandomKind kind, ir::ValueId shape) {
  const auto o = c.op.Options<fb::RandomOptionsT>();
  schema::RandomOptionsT options;
  options.kind = kind;
  options.seed = static_cast<uint32_t>(o.seed ^ o.seed2);
  return c.build.Add(std::move(options), {shape});
}

template <RandomKind kKind>
Status ImportRandom(OpContext& c) {
  return c.Return(Random(c, kKind, c.Int64(0)));
}

// Classes by their log-probabilities [N,K]: the largest of these, each with noise of Gumbel's distribution.
Status ImportMultinomial(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  const ir::ValueId shape = c.build.Concat(
      {c.build.DimOf(c.input(0), 0), c.build.Reshape(c.Int64(1), {1}), c.build.DimOf(c.input(0), 1)}, 0);
  ir::ValueId noise = Random(c, RandomKind::Uniform, shape);
  for (int i = 0; i < 2; ++i) noise = c.build.Neg(c.build.Log(noise));
  const ir::ValueId sums = c.build.Add(c.build.InsertDim(c.input(0), 1), noise);
  return c.Return(c.build.Reduce(schema::ReduceKind::ArgMax, sums, {2}, false));
}

constexpr OpSupport kShapes = Types(TypesOf(DType::kInt32)).Without("the same numbers as TFLite");

// [...,N] → [...,N,N]
Status ImportMatrixDiag(OpContext& c) {
  if (c.x().rank() < 1) return Invalid("the diagonal is a scalar");
  const int64_t n = c.x().shape.back();
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  return c.Return(lower::PlaceDiagonal(c.build, {0, n, n}, c.input(0), zero));
}

// The diagonal of [...,M,N] replaced by [...,min(M,N)].
Status ImportMatrixSetDiag(OpContext& c) {
  const int rank = c.x().rank();
  if (rank < 2 || c.x(1).rank() != rank - 1)
    return Invalid("matrices of {} dimensions, and diagonals of {}", rank, c.x(1).rank());
  const int64_t rows = c.x().shape[static_cast<size_t>(rank) - 2], columns = c.x().shape.back();
  return c.Return(lower::PlaceDiagonal(c.build, {0, rows, columns}, c.input(1), c.input(0)));
}

constexpr TypeSet kDiagonals =
    TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16, DType::kInt32, DType::kInt64);

}  // namespace

const ImporterList SelectImporters = {
    {"BUCKETIZE", 1, 1, ImportBucketize,
     Types(TypesOf(DType::kFloat32, DType::kFloat64, DType::kInt32, DType::kInt64))},
    {"CUMSUM", 2, 2, ImportCumsum, Types(kFloat32 | TypesOf(DType::kInt32, DType::kInt64))},
    {"ONE_HOT", 4, 4, ImportOneHot, Types(kAllTypes).Without("a depth that is not constant")},
    {"RANGE", 3, 3, ImportRange, Types(kFloat32 | TypesOf(DType::kInt32, DType::kInt64))},
    {"REVERSE_SEQUENCE", 2, 2, ImportReverseSequence, Types(kAllTypes)},
    {"SELECT", 3, 3, ImportSelect, Types(kAllTypes)},
    {"SELECT_V2", 3, 3, ImportChoice, Types(kAllTypes)},
    {"TOPK_V2", 2, 2, ImportTopK, Types(kNumbers)},
    {"UNIQUE", 1, 1, ImportUnique,
     Types(kFloat32 | kBytes | TypesOf(DType::kInt16, DType::kInt32, DType::kInt64))},
    {"WHERE", 1, 1, ImportNonZeros, Types(kAllTypes)},
    {"MULTINOMIAL", 2, 2, ImportMultinomial, Types(kFloat32).Without("the same classes as TFLite")},
    {"RANDOM_STANDARD_NORMAL", 1, 1, ImportRandom<RandomKind::Normal>, kShapes},
    {"RANDOM_UNIFORM", 1, 1, ImportRandom<RandomKind::Uniform>, kShapes},
    {"MATRIX_DIAG", 1, 1, ImportMatrixDiag, Types(kDiagonals).Without("matrices whose size is not fixed")},
    {"MATRIX_SET_DIAG", 2, 2, ImportMatrixSetDiag,
     Types(kDiagonals).Without("matrices whose size is not fixed")},
};

}  // namespace micrort::frontend::tflite
