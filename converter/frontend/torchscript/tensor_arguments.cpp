#include "converter/frontend/torchscript/tensor_arguments.h"

#include "converter/frontend/torchscript/decided_by_run.h"

namespace micrort::frontend::torchscript {

const Value& TensorArguments::arg(size_t i) const {
  static const Value kNone;
  return i < arguments_.size() ? arguments_[i] : kNone;
}

void TensorArguments::Unexpected(size_t i, const char* expected) {
  Fail(Unsupported("argument {}: expected {}, found {}{}", i, expected, KindName(arg(i).kind),
                   ThatARunDecides(arg(i))));
}

ir::ValueId TensorArguments::TensorOf(const Value& value) {
  ir::ValueId id = ir::kNoValue;
  if (value.tensor != nullptr) {
    Fail(Take(table_.Read(*value.tensor), &id));
    if (value.tensor->is_complex) Fail(Unsupported("complex numbers"));
  } else if (value.Is(Kind::kInt)) {
    id = build.Integer(value.integer);
  } else if (value.Is(Kind::kFloat)) {
    id = build.Scalar(static_cast<float>(value.number));
  } else if (value.Is(Kind::kBool)) {
    id = build.graph().AddConstant("bool", DType::kBool, {}, {static_cast<uint8_t>(value.integer)});
  } else {
    Fail(Unsupported("expected a tensor, found {}", KindName(value.kind)));
  }
  // Importers go on with something that has a type and a shape.
  return status_.ok() ? id : build.Scalar(0);
}

ir::ValueId TensorArguments::TensorAt(size_t i) {
  if (arg(i).tensor == nullptr && !arg(i).is_scalar()) Unexpected(i, "a tensor");
  return TensorOf(arg(i));
}

ir::ValueId TensorArguments::ComplexAt(size_t i) {
  ir::ValueId id = ir::kNoValue;
  if (arg(i).is_tensor() && arg(i).tensor->is_complex) {
    Fail(Take(table_.Read(*arg(i).tensor), &id));
  } else {
    Unexpected(i, "complex numbers");
  }
  return status_.ok() ? id : build.Scalar(0);
}

ir::ValueId TensorArguments::IndicesAt(size_t i) { return IndicesOf(arg(i)); }

ir::ValueId TensorArguments::IndicesOf(const Value& given) {
  const ir::ValueId id = TensorOf(given);
  if (dtype(id) != DType::kFloat32) return id;
  if (table_.IsInput(id)) table_.integer_inputs.insert(value(id).name);
  Fail(Unsupported("positions must be integers, '{}' is of float32", value(id).name));
  return build.Integer(0);
}

std::vector<ir::ValueId> TensorArguments::Tensors(size_t i) {
  std::vector<ir::ValueId> ids;
  if (!arg(i).is_sequence()) {
    Unexpected(i, "a list of tensors");
    return ids;
  }
  for (const Value& item : *arg(i).items) ids.push_back(TensorOf(item));
  return ids;
}

int64_t TensorArguments::dim(ir::ValueId id, int axis) const {
  const auto& shape = value(id).shape;
  return axis >= 0 && axis < static_cast<int>(shape.size()) ? shape[static_cast<size_t>(axis)] : 1;
}

int64_t TensorArguments::FixedDim(ir::ValueId id, int axis) {
  const int64_t size = dim(id, axis);
  if (size != ir::kDynamic) return size;
  Fail(Unsupported("dimension {} must be fixed here; give one with --input-shape", axis));
  return 1;
}

}  // namespace micrort::frontend::torchscript
