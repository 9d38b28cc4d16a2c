// Determinants by Gaussian elimination, one group of nodes a column.

#include <limits>
#include <numeric>

#include "converter/frontend/onnx/ops/halves_in_float32.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::ReduceKind;

constexpr int64_t kMaxSize = 64;

// Rows are not swapped: eliminating the pivot's row with itself leaves exact zeros there, so that it is not
// chosen again unless everything left is zero.
class Elimination {
 public:
  Elimination(NodeContext& c, int64_t n) : c_(c), b_(c.build), n_(n), rank_(c.x().rank()), rest_(c.input(0)) {
    std::vector<int64_t> indices(static_cast<size_t>(n));
    std::iota(indices.begin(), indices.end(), 0);
    rows_ = b_.Constant<int64_t>({n, 1}, indices);
    zero_ = c.Scalar(c.x().dtype, 0);
    one_ = c.Scalar(c.x().dtype, 1);
  }

  ir::ValueId Determinant() {
    for (int64_t column = 0; column < n_; ++column) EliminateColumn();
    const ir::ValueId product = Product(b_.Concat(pivots_, rank_ - 1));
    return b_.Mul(product, Sign());
  }

 private:
  int row_axis() const { return rank_ - 2; }
  int column_axis() const { return rank_ - 1; }

  // Removes the first column that is left.
  void EliminateColumn() {
    const ir::ValueId column = b_.Slice(rest_, column_axis(), 0, 1);
    const ir::ValueId chosen =
        b_.Reduce(ReduceKind::ArgMax, b_.Abs(column), {static_cast<int32_t>(row_axis())}, true);
    const ir::ValueId is_chosen = b_.Equal(chosen, rows_);
    const ir::ValueId only_row = b_.Select({is_chosen, rest_, zero_});
    const ir::ValueId row = b_.Reduce(ReduceKind::Sum, only_row, {static_cast<int32_t>(row_axis())}, true);
    const ir::ValueId pivot = b_.Slice(row, column_axis(), 0, 1);
    pivots_.push_back(pivot);
    chosen_.push_back(chosen);
    if (pivots_.size() == static_cast<size_t>(n_)) return;

    const ir::ValueId is_zero = b_.Equal(pivot, zero_);
    const ir::ValueId divisor = b_.Select({is_zero, one_, pivot});
    const ir::ValueId factors = b_.Div(column, divisor);
    const ir::ValueId removed = b_.Mul(factors, WithoutFirstColumn(row));
    rest_ = b_.Sub(WithoutFirstColumn(rest_), removed);
  }

  ir::ValueId WithoutFirstColumn(ir::ValueId x) {
    return b_.Slice(x, column_axis(), 1, std::numeric_limits<int64_t>::max());
  }

  // -1 for every pair of rows that were chosen in falling order.
  ir::ValueId Sign() {
    const ir::ValueId order = b_.Cast(b_.Concat(chosen_, column_axis()), c_.x().dtype);
    const ir::ValueId differences = b_.Sub(order, b_.SwapLastTwo(order));
    std::vector<uint8_t> later;
    for (int64_t i = 0; i < n_ * n_; ++i) later.push_back(i % n_ > i / n_);
    const ir::ValueId is_later = b_.graph().AddConstant("mask", DType::kBool, {n_, n_}, std::move(later));
    return Product(b_.Select({is_later, b_.Sign(differences), one_}));
  }

  // The product over the last two dimensions, which vanish.
  ir::ValueId Product(ir::ValueId x) {
    return b_.Reduce(ReduceKind::Prod, x,
                     {static_cast<int32_t>(row_axis()), static_cast<int32_t>(column_axis())}, false);
  }

  NodeContext& c_;
  ir::Builder& b_;
  int64_t n_;
  int rank_;
  ir::ValueId rest_;  // columns that are not eliminated yet
  ir::ValueId rows_, zero_, one_;
  std::vector<ir::ValueId> pivots_, chosen_;
};

Status ImportDet(NodeContext& c) {
  const std::vector<int64_t>& dims = c.x().shape;
  if (dims.size() < 2) return Invalid("input of {} dimensions", dims.size());
  const int64_t n = dims.back();
  if (n != ir::kDynamic && dims[dims.size() - 2] != ir::kDynamic && n != dims[dims.size() - 2])
    return Invalid("the matrix is not square");
  if (n < 1 || n > kMaxSize) return Unsupported("matrices must have a fixed size from 1 to {}", kMaxSize);
  return c.Return(Elimination(c, n).Determinant());
}

}  // namespace

const ImporterList DeterminantImporters = {
    {"Det", 1, 1, HalvesInFloat32<ImportDet>,
     Types(kFloats).Since(11).Without("matrices larger than 64 x 64")},
};

}  // namespace micrort::frontend::onnx
