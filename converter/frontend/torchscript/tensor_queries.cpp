#include "converter/frontend/torchscript/tensor_queries.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "converter/frontend/torchscript/element_types.h"
#include "converter/frontend/torchscript/numbers.h"

namespace micrort::frontend::torchscript {

namespace {

// What no tensor is here.
bool AsksForKinds(const std::string& name, const std::string& op) {
  static const std::set<std::string> kOps = {"is_cuda",   "requires_grad", "is_mkldnn",
                                             "is_sparse", "is_nested",     "_is_zerotensor"};
  return name == "prim::type" || kOps.count(op) != 0;
}

Status PackedSize() {
  return Unsupported("how many steps a packed sequence has in all; call pad_packed_sequence before");
}

}  // namespace

Answer TensorQueries::Ask(const std::string& name, const std::vector<Value>& a) {
  const std::string op = name.substr(name.find("::") + 2);
  if (op == "size" && a.size() == 2) return Size(a[0], a[1]);
  if (op == "size" || name == "prim::shape") return Sizes(a[0]);
  if (op == "len") return Size(a[0], Value::Int(0));
  Numbers numbers(state_);
  if (op == "Int" || op == "IntImplicit") return numbers.Convert(Kind::kInt, a[0]);
  if (op == "Float" || op == "FloatImplicit") return numbers.Convert(Kind::kFloat, a[0]);
  if (op == "Bool") return numbers.Convert(Kind::kBool, a[0]);
  if (op == "item" || op == "ScalarImplicit") return numbers.ElementOf(a[0]);
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, state_.table.Read(*a[0].tensor));
  const ir::Value& value = state_.table.value(id);
  const bool is_complex = a[0].tensor->is_complex;
  if (op == "numel" && a[0].tensor->is_packed) return PackedSize();
  if (op == "numel") return CountElements(id, is_complex);
  if (op == "dim") return Value::Int(RankOf(a[0], id));
  if (op == "dtype") return Value::Int(is_complex ? ComplexNumberOf(value.dtype) : NumberOf(value.dtype));
  if (op == "layout") return Value::Int(0);
  if (op == "get_device") return Value::Int(-1);
  if (op == "is_floating_point") return Value::Bool(IsFloat(value.dtype) && !is_complex);
  if (op == "is_complex") return Value::Bool(is_complex);
  if (op == "is_quantized") return Value::Bool(!value.quantization.empty());
  if (AsksForKinds(name, op)) return Value::Bool(false);
  return std::nullopt;
}

Result<Value> TensorQueries::Size(const Value& tensor, const Value& axis) {
  TensorTable& table = state_.table;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, table.Read(*tensor.tensor));
  const int rank = RankOf(tensor, id);
  int64_t at = axis.integer < 0 ? axis.integer + rank : axis.integer;
  if (!axis.is_known_int() || at < 0 || at >= rank)
    return Invalid("dimension {} of a tensor with {}", axis.integer, rank);
  // The first one is how many steps all sequences have.
  if (tensor.tensor->is_packed && at++ == 0) return PackedSize();
  const int64_t size = table.value(id).dim(static_cast<size_t>(at));
  if (size != ir::kDynamic) return Value::Int(size);
  ir::Builder builder = table.assembler().BuilderFor({state_.NodeName("size"), "aten::size", 0}, "size");
  return builder.Checked(Computed(builder.Reshape(builder.SizesOf(id, at, at + 1), {})));
}

Result<Value> TensorQueries::Sizes(const Value& tensor) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, state_.table.Read(*tensor.tensor));
  std::vector<Value> sizes(static_cast<size_t>(RankOf(tensor, id)));
  for (size_t i = 0; i < sizes.size(); ++i) {
    MICRORT_ASSIGN_OR_RETURN(sizes[i], Size(tensor, Value::Int(static_cast<int64_t>(i))));
  }
  return Value::Sequence(Kind::kList, std::move(sizes));
}

Result<Value> TensorQueries::CountElements(ir::ValueId id, bool is_complex) {
  TensorTable& table = state_.table;
  if (table.value(id).is_static()) return Value::Int(table.value(id).elements() / (is_complex ? 2 : 1));
  ir::Builder builder = table.assembler().BuilderFor({state_.NodeName("numel"), "aten::numel", 0}, "numel");
  ir::ValueId sizes = builder.ShapeOf(id);
  if (is_complex) sizes = builder.Slice(sizes, 0, 0, table.value(id).rank() - 1);
  return builder.Checked(Computed(builder.Reduce(schema::ReduceKind::Prod, sizes, {0}, false)));
}

int TensorQueries::RankOf(const Value& tensor, ir::ValueId id) {
  const bool is_complex = tensor.tensor->is_complex, is_packed = tensor.tensor->is_packed;
  return state_.table.value(id).rank() - (is_complex ? 1 : 0) - (is_packed ? 1 : 0);
}

Value TensorQueries::Computed(ir::ValueId id) {
  Value value = Value::Of(Kind::kInt);
  value.tensor = state_.table.Make(id);
  return value;
}

namespace {

// `gather` gives what the indices are; the others what argument 0 is, or a vector.
bool ComputesAlongDim(const std::string& op) {
  static constexpr const char* kOps[] = {
      "argmax",   "argmin",      "argsort",        "cummax",     "cummin",     "cumprod",
      "cumsum",   "gather",      "index_add",      "index_copy", "index_fill", "index_select",
      "kthvalue", "log_softmax", "logcumsumexp",   "max",        "median",     "min",
      "scatter",  "scatter_add", "scatter_reduce", "softmax",    "sort",       "topk"};
  return std::any_of(std::begin(kOps), std::end(kOps), [&op](const char* name) { return op == name; });
}

}  // namespace

bool OpContext::TakeAsVectors() {
  const bool may_be_of_all =
      op_ == "argmax" || op_ == "argmin" || op_ == "max" || op_ == "median" || op_ == "min";
  const bool has_dim =
      ComputesAlongDim(op_) && arg(0).is_tensor() && !arg(0).tensor->is_complex && (Has(1) || !may_be_of_all);
  // The maximum of two tensors.
  const bool is_of_two = (op_ == "max" || op_ == "min") && arg(1).is_tensor();
  if (!has_dim || is_of_two || rank(TensorOf(arg(0))) != 0) return false;
  if (op_ == "gather" && rank(TensorOf(arg(2))) != 0) {
    arguments_[0] = Of(build.Reshape(TensorOf(arg(0)), {1}));
    return false;
  }
  for (Value& argument : arguments_) {
    if (argument.is_tensor() && rank(TensorOf(argument)) == 0)
      argument = Of(build.Reshape(TensorOf(argument), {1}));
  }
  return true;
}

void ReturnWithoutDims(OpContext& c) {
  const bool is_sequence = c.result().is_sequence();
  std::vector<Value> results = is_sequence ? *c.result().items : std::vector<Value>{c.result()};
  for (Value& one : results) {
    if (!one.is_tensor() || c.rank(c.TensorOf(one)) != 1) continue;
    one = Value::OfTensor(c.table().Make(c.build.Reshape(c.TensorOf(one), {})));
  }
  c.ReturnValue(is_sequence ? Value::Sequence(c.result().kind, std::move(results)) : results[0]);
}

}  // namespace micrort::frontend::torchscript
