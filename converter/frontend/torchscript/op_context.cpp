#include "converter/frontend/torchscript/op_context.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "converter/frontend/torchscript/numbers.h"

namespace micrort::frontend::torchscript {

namespace {

// The version of ONNX whose operators are asked for.
constexpr int kOnnxVersion = 21;
// What reads and writes parts goes from one to the next.
constexpr int kMaxPartsDeep = 1000;

}  // namespace

ir::ValueId OpContext::DequantizedOf(const Value& given) {
  const ir::ValueId id = TensorOf(given);
  const ir::Quantization& q = value(id).quantization;
  if (q.empty()) {
    Fail(Unsupported("expected a quantized tensor"));
    return id;
  }
  const int32_t zero = q.zero_points.empty() ? 0 : q.zero_points[0];
  const ir::ValueId zero_point = dtype(id) == DType::kUInt8
                                     ? build.Constant<uint8_t>({}, {static_cast<uint8_t>(zero)})
                                     : build.Constant<int8_t>({}, {static_cast<int8_t>(zero)});
  return Onnx("DequantizeLinear", {id, build.Scalar(q.scales[0]), zero_point});
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

ir::ValueId OpContext::Scalar(DType dtype, double v) {
  if (IsWhole(dtype)) {
    const bool fits = v >= -9.2e18 && v <= 9.2e18;
    return WholeScalar(build, dtype, fits ? static_cast<int64_t>(v) : std::numeric_limits<int64_t>::max());
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

std::function<ir::ValueId()> OpContext::Later(ir::ValueId id) {
  return [table = &table_, tensor = table_.Make(id)] {
    const Result<ir::ValueId> here = table->Read(*tensor);
    return here.ok() ? here.value() : ir::kNoValue;
  };
}

std::vector<ir::ValueId> OpContext::OnnxMany(const char* op, const std::vector<ir::ValueId>& inputs,
                                             std::vector<Attribute> attributes, size_t outputs) {
  std::vector<ir::ValueId> ids(outputs, ir::kNoValue);
  if (status().ok())
    Fail(Take(AddOnnxOperator(op, kOnnxVersion, inputs, attributes, build, ids.size()), &ids));
  if (!status().ok()) std::fill(ids.begin(), ids.end(), build.Scalar(0));
  return ids;
}

ir::ValueId OpContext::Onnx(const char* op, const std::vector<ir::ValueId>& inputs,
                            std::vector<Attribute> attributes) {
  return OnnxMany(op, inputs, std::move(attributes), 1)[0];
}

ir::ValueId OpContext::ReshapeTo(ir::ValueId x, ir::ValueId shape) {
  return Onnx("Reshape", {x, shape}, {{"allowzero", int64_t{1}}});
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

// PyTorch gives the result the strides of arguments of its rank, if these have all its elements.
Value OpContext::Of(ir::ValueId id) {
  Value result = Value::OfTensor(table_.Make(id));
  const auto is_reordered = [&](const Value& v) {
    return v.is_tensor() && v.tensor != nullptr && v.tensor->may_be_reordered;
  };
  for (const Value& v : arguments_) {
    result.tensor->may_be_reordered |=
        is_reordered(v) || (v.is_sequence() && std::any_of(v.items->begin(), v.items->end(), is_reordered));
  }
  return result;
}

Value OpContext::Many(Kind kind, const std::vector<ir::ValueId>& ids) {
  std::vector<Value> items;
  for (const ir::ValueId id : ids) items.push_back(Of(id));
  return Value::Sequence(kind, std::move(items));
}

void OpContext::ReturnView(ir::ValueId id, ReadPart read, WritePart write) {
  result_ = View(id, std::move(read), std::move(write));
}

Value OpContext::View(ir::ValueId id, ReadPart read, WritePart write) {
  return View(arg(0), id, std::move(read), std::move(write));
}

Value OpContext::View(const Value& whole, ir::ValueId id, ReadPart read, WritePart write) {
  Value view = Of(id);
  const std::shared_ptr<Tensor>& base = whole.tensor;
  if (base == nullptr) return view;
  if (base->parts_deep >= kMaxPartsDeep) {
    Fail(Unsupported("a part of a part of a tensor, and so on more than {} times", kMaxPartsDeep));
    return view;
  }
  view.tensor->base = base;
  view.tensor->parts_deep = base->parts_deep + 1;
  view.tensor->base_version = base->version;
  view.tensor->is_spread = base->is_spread;
  view.tensor->may_be_reordered = base->may_be_reordered;
  view.tensor->read = std::move(read);
  view.tensor->write = std::move(write);
  return view;
}

void MarkSpread(OpContext& c) { c.result().tensor->is_spread = true; }

void MarkReordered(OpContext& c) {
  MarkSpread(c);
  c.result().tensor->may_be_reordered = true;
}

bool IsSpread(const OpContext& c) { return c.arg(0).tensor != nullptr && c.arg(0).tensor->is_spread; }

bool MayBeReordered(const OpContext& c) {
  return c.arg(0).tensor != nullptr && c.arg(0).tensor->may_be_reordered;
}

}  // namespace micrort::frontend::torchscript
