#include "converter/frontend/torchscript/op_context.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "converter/frontend/torchscript/element_types.h"

namespace micrort::frontend::torchscript {

namespace {

// The version of ONNX whose operators are asked for.
constexpr int kOnnxVersion = 21;

}  // namespace

const Value& OpContext::arg(size_t i) const {
  static const Value kNone;
  return i < arguments_.size() ? arguments_[i] : kNone;
}

void OpContext::Unexpected(size_t i, const char* expected) {
  Fail(MICRORT_ERROR(kUnsupported, "argument %zu: expected %s, found %s%s", i, expected,
                     KindName(arg(i).kind), arg(i).is_computed() ? " that a run decides" : ""));
}

ir::ValueId OpContext::TensorOf(const Value& value) {
  ir::ValueId id = ir::kNoValue;
  if (value.tensor != nullptr) {
    Fail(table_.Read(*value.tensor, &id));
    if (value.tensor->is_complex) Fail(MICRORT_ERROR(kUnsupported, "complex numbers"));
  } else if (value.Is(Kind::kInt)) {
    id = build.Constant<int64_t>({}, {value.integer});
  } else if (value.Is(Kind::kFloat)) {
    id = build.Scalar(static_cast<float>(value.number));
  } else if (value.Is(Kind::kBool)) {
    id = build.graph().AddConstant("bool", DType::kBool, {}, {static_cast<uint8_t>(value.integer)});
  } else {
    Fail(MICRORT_ERROR(kUnsupported, "expected a tensor, found %s", KindName(value.kind)));
  }
  // Importers go on with something that has a type and a shape.
  return status_.ok() ? id : build.Scalar(0);
}

ir::ValueId OpContext::TensorAt(size_t i) {
  if (arg(i).tensor == nullptr && !arg(i).is_scalar()) Unexpected(i, "a tensor");
  return TensorOf(arg(i));
}

ir::ValueId OpContext::ComplexAt(size_t i) {
  ir::ValueId id = ir::kNoValue;
  if (arg(i).is_tensor() && arg(i).tensor->is_complex) {
    Fail(table_.Read(*arg(i).tensor, &id));
  } else {
    Unexpected(i, "complex numbers");
  }
  return status_.ok() ? id : build.Scalar(0);
}

ir::ValueId OpContext::DequantizedOf(const Value& given) {
  const ir::ValueId id = TensorOf(given);
  const ir::Quantization& q = value(id).quantization;
  if (q.empty()) {
    Fail(MICRORT_ERROR(kUnsupported, "expected a quantized tensor"));
    return id;
  }
  const int32_t zero = q.zero_points.empty() ? 0 : q.zero_points[0];
  const ir::ValueId zero_point = dtype(id) == DType::kUInt8
                                     ? build.Constant<uint8_t>({}, {static_cast<uint8_t>(zero)})
                                     : build.Constant<int8_t>({}, {static_cast<int8_t>(zero)});
  return Onnx("DequantizeLinear", {id, build.Scalar(q.scales[0]), zero_point});
}

ir::ValueId OpContext::IndicesAt(size_t i) { return IndicesOf(arg(i)); }

ir::ValueId OpContext::IndicesOf(const Value& given) {
  const ir::ValueId id = TensorOf(given);
  if (dtype(id) != DType::kFloat32) return id;
  if (table_.IsInput(id)) table_.integer_inputs.insert(value(id).name);
  Fail(MICRORT_ERROR(kUnsupported, "positions must be integers, '%s' is of float32", value(id).name.c_str()));
  return build.Constant<int64_t>({}, {0});
}

std::vector<ir::ValueId> OpContext::Tensors(size_t i) {
  std::vector<ir::ValueId> ids;
  if (!arg(i).is_sequence()) {
    Unexpected(i, "a list of tensors");
    return ids;
  }
  for (const Value& item : *arg(i).items) ids.push_back(TensorOf(item));
  return ids;
}

int64_t OpContext::Int(size_t i, int64_t otherwise) {
  const Value& v = arg(i);
  if (v.is_none()) return otherwise;
  if (v.is_scalar() && !v.is_computed())
    return v.Is(Kind::kFloat) ? static_cast<int64_t>(v.number) : v.integer;
  if (v.tensor != nullptr) {
    std::vector<int64_t> elements;
    const ir::ValueId id = TensorAt(i);
    if (ir::IntegersOf(value(id), &elements) && elements.size() == 1) return elements[0];
  }
  Unexpected(i, "an integer");
  return otherwise;
}

double OpContext::Float(size_t i, double otherwise) {
  const Value& v = arg(i);
  if (v.is_none()) return otherwise;
  if (v.is_scalar() && !v.is_computed()) return v.AsDouble();
  if (v.tensor != nullptr) {
    std::vector<float> elements;
    const ir::ValueId id = TensorAt(i);
    if (ir::FloatsOf(value(id), &elements) && elements.size() == 1) return elements[0];
  }
  Unexpected(i, "a number");
  return otherwise;
}

bool OpContext::Bool(size_t i, bool otherwise) {
  const Value& v = arg(i);
  if (v.is_none()) return otherwise;
  if (v.is_scalar() && !v.is_computed()) return v.AsDouble() != 0;
  Unexpected(i, "a bool");
  return otherwise;
}

std::string OpContext::String(size_t i, const char* otherwise) {
  if (!Has(i)) return otherwise;
  if (!arg(i).Is(Kind::kString)) Unexpected(i, "a string");
  return arg(i).text;
}

std::vector<int64_t> OpContext::Ints(size_t i, std::vector<int64_t> otherwise) {
  if (!Has(i)) return otherwise;
  if (!arg(i).is_sequence()) return {Int(i, 0)};
  std::vector<int64_t> ints;
  for (const Value& item : *arg(i).items) {
    if (!item.is_known_int()) {
      Unexpected(i, "a list of known integers");
      return otherwise;
    }
    ints.push_back(item.integer);
  }
  return ints;
}

std::vector<int64_t> OpContext::IntsFor(size_t i, size_t count, int64_t otherwise) {
  std::vector<int64_t> ints = Ints(i);
  if (ints.empty()) ints = {otherwise};
  if (ints.size() == 1) ints.assign(count, ints[0]);
  if (ints.size() != count) {
    Fail(
        MICRORT_ERROR(kInvalidModel, "argument %zu: expected %zu numbers, found %zu", i, count, ints.size()));
    ints.assign(count, otherwise);
  }
  return ints;
}

std::vector<double> OpContext::Floats(size_t i) {
  std::vector<double> numbers;
  if (!Has(i)) return numbers;
  if (!arg(i).is_sequence()) return {Float(i, 0)};
  for (const Value& item : *arg(i).items) {
    if (!item.is_scalar() || item.is_computed()) Unexpected(i, "a list of known numbers");
    numbers.push_back(item.AsDouble());
  }
  return numbers;
}

DType OpContext::Type(size_t i, DType otherwise) {
  if (!Has(i)) return otherwise;
  const int64_t number = Int(i, 0);
  const DType type = DTypeOfNumber(number);
  if (type == DType::kUnknown) {
    Fail(MICRORT_ERROR(kUnsupported, "element type %lld of PyTorch", static_cast<long long>(number)));
    return otherwise;
  }
  return type;
}

int OpContext::AxisOf(int64_t axis, int rank) {
  const int64_t dims = std::max(rank, 1);  // a scalar has the axes of a vector
  if (axis < -dims || axis >= dims) {
    Fail(MICRORT_ERROR(kInvalidModel, "dimension %lld of a tensor with %d", static_cast<long long>(axis),
                       rank));
    return 0;
  }
  return static_cast<int>(axis < 0 ? axis + dims : axis);
}

int OpContext::Axis(size_t i, int rank, int64_t otherwise) { return AxisOf(Int(i, otherwise), rank); }

std::vector<int32_t> OpContext::Axes(size_t i, int rank) {
  std::vector<int32_t> axes;
  for (const int64_t axis : Ints(i)) axes.push_back(AxisOf(axis, rank));
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

bool OpContext::IsKnown(const Value& list) {
  if (!list.is_sequence()) return list.is_known_int();
  return std::all_of(list.items->begin(), list.items->end(), [](const Value& v) { return v.is_known_int(); });
}

ir::ValueId OpContext::IntegerTensor(const Value& list) {
  std::vector<int64_t> ints;
  std::vector<ir::ValueId> parts;
  const std::vector<Value> items = list.is_sequence() ? *list.items : std::vector<Value>{list};
  const bool known = IsKnown(list);
  for (const Value& item : items) {
    if (known) {
      ints.push_back(item.integer);
    } else {
      parts.push_back(build.Reshape(CastTo(TensorOf(item), DType::kInt64), {1}));
    }
  }
  if (known) return Integers(ints);
  return parts.size() == 1 ? parts[0] : build.Concat(parts, 0);
}

int64_t OpContext::dim(ir::ValueId id, int axis) const {
  const auto& shape = value(id).shape;
  return axis >= 0 && axis < static_cast<int>(shape.size()) ? shape[static_cast<size_t>(axis)] : 1;
}

int64_t OpContext::FixedDim(ir::ValueId id, int axis) {
  const int64_t size = dim(id, axis);
  if (size != ir::kDynamic) return size;
  Fail(MICRORT_ERROR(kUnsupported, "dimension %d must be fixed here; give one with --input-shape", axis));
  return 1;
}

ir::ValueId OpContext::Scalar(DType dtype, double v) {
  if (dtype == DType::kInt64) {
    const bool fits = v >= -9.2e18 && v <= 9.2e18;
    return build.Constant<int64_t>({},
                                   {fits ? static_cast<int64_t>(v) : std::numeric_limits<int64_t>::max()});
  }
  if (dtype == DType::kFloat64) return build.Constant<double>({}, {v});
  return CastTo(build.Scalar(static_cast<float>(v)), dtype);
}

ir::ValueId OpContext::CastTo(ir::ValueId id, DType to) {
  return id == ir::kNoValue || dtype(id) == to ? id : build.Cast(id, to);
}

ir::ValueId OpContext::Filled(DType dtype, const Value& shape, double v) {
  return Onnx("Expand", {Scalar(dtype, v), IntegerTensor(shape)});
}

std::vector<ir::ValueId> OpContext::OnnxMany(const char* op, const std::vector<ir::ValueId>& inputs,
                                             std::vector<Attribute> attributes, size_t outputs) {
  std::vector<ir::ValueId> ids(outputs, ir::kNoValue);
  if (status_.ok()) Fail(onnx::Lower(op, kOnnxVersion, inputs, attributes, build, &ids));
  if (!status_.ok()) std::fill(ids.begin(), ids.end(), build.Scalar(0));
  return ids;
}

ir::ValueId OpContext::Onnx(const char* op, const std::vector<ir::ValueId>& inputs,
                            std::vector<Attribute> attributes) {
  return OnnxMany(op, inputs, std::move(attributes), 1)[0];
}

void OpContext::TakeOff(Value* given, Quantized* first) {
  if (given->is_sequence()) {
    auto items = std::make_shared<std::vector<Value>>(*given->items);
    for (Value& item : *items) TakeOff(&item, first);
    given->items = std::move(items);
    return;
  }
  if (!given->is_tensor() || given->tensor->stored != nullptr || given->tensor->is_complex) return;
  const ir::ValueId id = TensorOf(*given);
  if (value(id).quantization.empty()) return;
  if (first->quantization.empty()) *first = {dtype(id), value(id).quantization};
  *given = Of(DequantizedOf(*given));
}

OpContext::Quantized OpContext::TakeOffQuantization() {
  Quantized first;
  const bool understands = op_.compare(0, 11, "quantized::") == 0 || op_ == "dequantize";
  for (Value& argument : arguments_) {
    if (!understands) TakeOff(&argument, &first);
  }
  return first;
}

void OpContext::PutOnQuantization(const Quantized& quantized) {
  if (quantized.quantization.empty() || !status_.ok()) return;
  std::vector<Value*> results = {&result_};
  if (result_.is_sequence()) {
    results.clear();
    for (Value& item : *result_.items) results.push_back(&item);
  }
  for (Value* one : results) {
    if (!one->is_tensor()) continue;
    const ir::ValueId id = TensorOf(*one);
    if (dtype(id) != DType::kFloat32) continue;
    *one = Of(build.Quantize(id, quantized.dtype, quantized.quantization));
  }
}

Value OpContext::Many(Kind kind, const std::vector<ir::ValueId>& ids) {
  std::vector<Value> items;
  for (const ir::ValueId id : ids) items.push_back(Of(id));
  return Value::Sequence(kind, std::move(items));
}

void OpContext::ReturnView(ir::ValueId id, std::function<ir::ValueId(ir::Builder&, ir::ValueId)> read,
                           std::function<ir::ValueId(ir::Builder&, ir::ValueId, ir::ValueId)> write) {
  result_ = Of(id);
  const std::shared_ptr<Tensor>& base = arg(0).tensor;
  if (base == nullptr) return;
  result_.tensor->base = base;
  result_.tensor->base_version = base->version;
  result_.tensor->read = std::move(read);
  result_.tensor->write = std::move(write);
}

}  // namespace micrort::frontend::torchscript
