// EMBEDDING_LOOKUP_SPARSE and HASHTABLE_LOOKUP: rows of a table.

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// Weighted rows added up, a sum for each bag. The places of ids in the sparse tensor of bags say which bag
// has them.
class SparseLookup {
 public:
  explicit SparseLookup(OpContext& c) : c_(c), m_(c.build) {}

  Status Read() {
    MICRORT_ASSIGN_OR_RETURN(bags_, c_.ConstantIntegers(kDenseShape));
    if (bags_.empty()) return Invalid("the shape of the ids has no dimension");
    bags_.pop_back();
    for (const int64_t dim : bags_) {
      if (dim < 1 || dim > ir::kMaxMade || (count_ *= dim) > ir::kMaxMade)
        return Invalid("dimension {} of the ids' shape", dim);
    }
    MICRORT_RETURN_IF_ERROR(c_.CheckRank(kIds, 1));
    MICRORT_RETURN_IF_ERROR(c_.CheckRank(kIndices, 2));
    const ir::Value& values = c_.x(kValues);
    if (values.rank() < 1 || !values.is_static()) return Unsupported("a table whose shape is not fixed");
    return Status();
  }

  ir::ValueId Make(fb::CombinerType combiner) {
    const ir::ValueId weights = c_.input(kWeights);
    ir::ValueId along_rows = weights;
    std::vector<int64_t> row(c_.x(kValues).shape.begin() + 1, c_.x(kValues).shape.end());
    for (size_t i = 0; i < row.size(); ++i)
      along_rows = c_.build.InsertDim(along_rows, static_cast<int>(i) + 1);
    const ir::ValueId rows = c_.build.Gather(c_.input(kValues), c_.stored(kIds), 0);
    ir::ValueId sums = Scattered(m_.Mul(rows, along_rows), row);
    if (combiner != fb::CombinerType::Sum) {
      const bool is_mean = combiner == fb::CombinerType::Mean;
      ir::ValueId total = Scattered(is_mean ? weights : m_.Mul(weights, weights), {});
      if (!is_mean) total = c_.build.Sqrt(total);
      // Bags without an id stay 0.
      const ir::ValueId is_empty = c_.build.Equal(total, m_.Scalar(0));
      ir::ValueId divisor = m_.If(is_empty, m_.Scalar(1), total);
      for (size_t i = 0; i < row.size(); ++i) divisor = c_.build.InsertDim(divisor, static_cast<int>(i) + 1);
      sums = m_.Div(sums, divisor);
    }
    std::vector<int64_t> shape = bags_;
    shape.insert(shape.end(), row.begin(), row.end());
    return c_.build.Add(schema::ReshapeOptionsT(), {sums, c_.build.Integers(shape)});
  }

 private:
  static constexpr size_t kIds = 0, kIndices = 1, kDenseShape = 2, kWeights = 3, kValues = 4;

  // Each id's bag, int64 [n, 1].
  ir::ValueId Bags() {
    std::vector<int64_t> steps(bags_.size());
    int64_t step = 1;
    for (size_t i = bags_.size(); i-- > 0; step *= bags_[i]) steps[i] = step;
    if (bags_.empty())
      return c_.build.Mul(c_.build.Slice(c_.Int64(kIndices), 1, 0, 1), c_.build.Integers({0}));
    const ir::ValueId places = c_.build.Slice(c_.Int64(kIndices), 1, 0, static_cast<int64_t>(bags_.size()));
    return c_.build.Reduce(schema::ReduceKind::Sum, c_.build.Mul(places, c_.build.Integers(steps)), {1},
                           true);
  }
  // [n, row...] added up, [bags, row...].
  ir::ValueId Scattered(ir::ValueId updates, const std::vector<int64_t>& row) {
    std::vector<int64_t> shape = {count_};
    shape.insert(shape.end(), row.begin(), row.end());
    const ir::ValueId zeros = c_.build.Expand({m_.Scalar(0), c_.build.Integers(shape)});
    return c_.build.ScatterND({zeros, Bags(), updates}, schema::ScatterReduction::Add);
  }

  OpContext& c_;
  ir::Builder& m_;
  std::vector<int64_t> bags_;
  int64_t count_ = 1;
};

Status ImportEmbeddingLookupSparse(OpContext& c) {
  SparseLookup lookup(c);
  MICRORT_RETURN_IF_ERROR(lookup.Read());
  return c.Return(lookup.Make(c.op.Options<fb::EmbeddingLookupSparseOptionsT>().combiner));
}

// Rows of the values whose keys are looked up, zeros for those that no key is; and which were found.
Status ImportHashtableLookup(OpContext& c) {
  constexpr size_t kLookup = 0, kKeys = 1, kValues = 2;
  MICRORT_RETURN_IF_ERROR(c.CheckRank(kLookup, 1));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(kKeys, 1));
  const ir::ValueId is_key =
      c.build.Equal(c.build.InsertDim(c.stored(kLookup), 1), c.build.InsertDim(c.stored(kKeys), 0));
  const ir::ValueId numbers = c.build.Cast(is_key, DType::kInt32);
  const ir::ValueId row = c.build.Reduce(schema::ReduceKind::ArgMax, numbers, {1}, false);
  const ir::ValueId hits = c.build.Reduce(schema::ReduceKind::Max, numbers, {1}, false);
  ir::ValueId found = c.build.Cast(hits, DType::kBool);
  for (int i = 1; i < c.x(kValues).rank(); ++i) found = c.build.InsertDim(found, i);
  c.SetOutput(
      0, c.build.Select({found, c.build.Gather(c.input(kValues), row, 0), c.Scalar(c.x(kValues).dtype, 0)}));
  c.SetOutput(1, hits);
  return c.build.status();
}

}  // namespace

const ImporterList EmbeddingSparseImporters = {
    {"EMBEDDING_LOOKUP_SPARSE", 5, 5, ImportEmbeddingLookupSparse,
     Types(TypesOf(DType::kInt32)).Without("a shape of ids that is not constant")},
    {"HASHTABLE_LOOKUP", 3, 3, ImportHashtableLookup,
     Types(TypesOf(DType::kInt32)).Without("values that are strings")},
};

}  // namespace micrort::frontend::tflite
