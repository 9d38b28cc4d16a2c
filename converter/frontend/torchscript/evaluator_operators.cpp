// Calls of PyTorch's operators.

#include <algorithm>
#include <set>
#include <sstream>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/element_types.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/scalar_ops.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsUnreachable(const Value& value) {
  if (value.Is(Kind::kUnreachable)) return true;
  return value.items != nullptr && std::any_of(value.items->begin(), value.items->end(), IsUnreachable);
}

// "aten::relu" is "relu".
std::string ShortName(const std::string& name) {
  return name.compare(0, 6, "aten::") == 0 ? name.substr(6) : name;
}

// Whether the operator may be one on plain data.
bool MayBePlain(const std::string& op, const std::vector<Value>& arguments) {
  return op == "aten::__is__" || op == "aten::__isnot__" || arguments.empty() || !arguments[0].is_tensor();
}

bool ChangesList(const std::string& op) {
  static const std::set<std::string> kOps = {"append", "extend",  "insert", "pop",
                                             "clear",  "reverse", "add_",   "_set_item"};
  return kOps.count(op) != 0;
}

// Keywords that leave an operator on plain numbers what it is.
bool SaysNothing(const std::vector<std::pair<std::string, Value>>& keywords) {
  return std::all_of(keywords.begin(), keywords.end(), [](const auto& keyword) {
    return keyword.second.is_none() || (keyword.first == "alpha" && keyword.second == Value::Int(1));
  });
}

}  // namespace

std::string Evaluator::NodeName(const std::string& op) {
  std::string name = frame_ == nullptr || frame_->path.empty() ? op : frame_->path + "/" + op;
  const int count = ++node_names_[name];
  return count == 1 ? name : name + "_" + std::to_string(count);
}

Status Evaluator::CallOperator(const std::string& name, std::vector<Value> arguments, Keywords keywords,
                               Value* out) {
  if (std::any_of(arguments.begin(), arguments.end(), IsUnreachable)) {
    *out = Value::Of(Kind::kUnreachable);
    return Status();
  }
  bool handled = false;
  MICRORT_RETURN_IF_ERROR(CallSpecial(name, arguments, out, &handled));
  if (handled) return Status();
  const bool is_plain = name.compare(0, 6, "aten::") == 0 || name.compare(0, 6, "prim::") == 0;
  if (is_plain && MayBePlain(name, arguments) && SaysNothing(keywords)) {
    if (ChangesList(name.substr(6)) && !arguments.empty()) {
      MICRORT_RETURN_IF_ERROR(frozen_.CheckMayChange(arguments[0]));
    }
    MICRORT_RETURN_IF_ERROR(RunScalarOp(name.substr(6), arguments, out, &handled));
    if (handled) return Status();
  }
  const bool computed =
      std::any_of(arguments.begin(), arguments.end(), [](const Value& v) { return v.is_computed(); });
  std::string op = ShortName(name);
  if (op.compare(0, 6, "prim::") == 0 && (computed || op == "prim::min" || op == "prim::max"))
    op = op.substr(6);
  // `a // b` on numbers that a run decides.
  if (op == "floordiv") op = "floor_divide";
  const bool are_numbers = computed && std::all_of(arguments.begin(), arguments.end(),
                                                   [](const Value& v) { return v.is_scalar(); });
  MICRORT_RETURN_IF_ERROR(ImportOperator(op, std::move(arguments), std::move(keywords), out));
  if (!are_numbers || !out->is_tensor()) return Status();
  const Value result = *out;
  return WrapScalar(result, out);
}

Status Evaluator::WrapScalar(const Value& result, Value* out) {
  ir::ValueId id = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(table_.Read(*result.tensor, &id));
  const DType dtype = table_.value(id).dtype;
  const bool is_float = dtype == DType::kFloat32 || dtype == DType::kFloat64;
  return Convert(dtype == DType::kBool ? Kind::kBool : is_float ? Kind::kFloat : Kind::kInt, result, out);
}

Status Evaluator::SizeOfDimension(const Value& tensor, const Value& axis, Value* out) {
  ir::ValueId id = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(table_.Read(*tensor.tensor, &id));
  const int rank = table_.value(id).rank();
  const int64_t at = axis.integer < 0 ? axis.integer + rank : axis.integer;
  if (!axis.is_known_int() || at < 0 || at >= rank) {
    return MICRORT_ERROR(kInvalidModel, "dimension %lld of a tensor with %d",
                         static_cast<long long>(axis.integer), rank);
  }
  const int64_t size = table_.value(id).shape[static_cast<size_t>(at)];
  if (size != ir::kDynamic) {
    *out = Value::Int(size);
    return Status();
  }
  ir::Builder builder = table_.assembler().BuilderFor({NodeName("size"), "aten::size", 0}, "size");
  const ir::ValueId dim = builder.Reshape(builder.Slice(builder.ShapeOf(id), 0, at, at + 1), {});
  MICRORT_RETURN_IF_ERROR(builder.status());
  *out = Value::Of(Kind::kInt);
  out->tensor = table_.Make(dim);
  return Status();
}

Status Evaluator::Sizes(const Value& tensor, Value* out) {
  ir::ValueId id = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(table_.Read(*tensor.tensor, &id));
  const int rank = table_.value(id).rank();
  std::vector<Value> sizes(static_cast<size_t>(rank));
  for (int i = 0; i < rank; ++i) {
    MICRORT_RETURN_IF_ERROR(SizeOfDimension(tensor, Value::Int(i), &sizes[static_cast<size_t>(i)]));
  }
  *out = Value::Sequence(Kind::kList, std::move(sizes));
  return Status();
}

// What asks for types and shapes, and what is no computation.
Status Evaluator::CallSpecial(const std::string& name, const std::vector<Value>& a, Value* out,
                              bool* handled) {
  *handled = true;
  const std::string op = name.substr(name.find("::") + 2);
  const bool has_tensor = !a.empty() && a[0].is_tensor();
  if (name == "prim::RaiseException") {
    has_raised_ = true;
    return MICRORT_ERROR(kUnsupported, "the model raises an exception for inputs like these: %s",
                         a.empty() ? "" : Shown(a[0].text).c_str());
  }
  if (op == "warn" || op == "manual_seed" || op == "is_grad_enabled" || op == "_set_grad_enabled" ||
      op == "is_scripting" || op == "is_autocast_enabled" || op == "has_torch_function") {
    *out = Value::Bool(op == "is_scripting");
    return Status();
  }
  if (name == "aten::device" || name == "prim::device") {
    *out = Value::Of(Kind::kDevice);
    out->text = a.empty() || a[0].text.empty() ? "cpu" : a[0].text;
    return Status();
  }
  if (!has_tensor) {
    const bool is_conversion = op == "Int" || op == "Float" || op == "Bool" || op == "IntImplicit" ||
                               op == "FloatImplicit" || op == "ScalarImplicit" || op == "NumToTensor";
    if (is_conversion && a.size() == 1 && a[0].is_scalar()) {
      if (op == "NumToTensor") {
        *out = a[0];
        if (a[0].is_computed()) out->kind = Kind::kTensor;
        return Status();
      }
      if (op == "ScalarImplicit") {
        *out = a[0];
        return Status();
      }
      return Convert(op[0] == 'I' ? Kind::kInt : op[0] == 'F' ? Kind::kFloat : Kind::kBool, a[0], out);
    }
    *handled = false;
    return Status();
  }
  if (op == "size" && a.size() == 2) return SizeOfDimension(a[0], a[1], out);
  if (op == "size" || name == "prim::shape") return Sizes(a[0], out);
  if (op == "len") return SizeOfDimension(a[0], Value::Int(0), out);
  if (op == "Int" || op == "IntImplicit") return Convert(Kind::kInt, a[0], out);
  if (op == "Float" || op == "FloatImplicit") return Convert(Kind::kFloat, a[0], out);
  if (op == "Bool") return Convert(Kind::kBool, a[0], out);
  ir::ValueId id = ir::kNoValue;
  const bool asks = op == "dim" || op == "dtype" || op == "numel" || op == "item" || op == "ScalarImplicit" ||
                    op == "is_floating_point" || op == "is_complex" || op == "layout" ||
                    name == "prim::type" || op == "is_cuda" || op == "requires_grad" ||
                    op == "is_quantized" || op == "is_mkldnn" || op == "is_sparse" || op == "is_nested" ||
                    op == "_is_zerotensor" || op == "get_device";
  *handled = asks;
  if (!asks) return Status();
  MICRORT_RETURN_IF_ERROR(table_.Read(*a[0].tensor, &id));
  const ir::Value& value = table_.value(id);
  const bool is_float = value.dtype == DType::kFloat32 || value.dtype == DType::kFloat16 ||
                        value.dtype == DType::kBFloat16 || value.dtype == DType::kFloat64;
  if (op == "item" || op == "ScalarImplicit") {
    return Convert(value.dtype == DType::kBool ? Kind::kBool
                   : is_float                  ? Kind::kFloat
                                               : Kind::kInt,
                   a[0], out);
  }
  if (op == "numel") {
    if (value.is_static()) {
      *out = Value::Int(value.elements());
      return Status();
    }
    ir::Builder builder = table_.assembler().BuilderFor({NodeName(op), "aten::numel", 0}, op);
    const ir::ValueId count = builder.Reduce(schema::ReduceKind::Prod, builder.ShapeOf(id), {0}, false);
    MICRORT_RETURN_IF_ERROR(builder.status());
    *out = Value::Of(Kind::kInt);
    out->tensor = table_.Make(count);
    return Status();
  }
  *out = op == "dim"                 ? Value::Int(value.rank())
         : op == "dtype"             ? Value::Int(NumberOf(value.dtype))
         : op == "layout"            ? Value::Int(0)
         : op == "get_device"        ? Value::Int(-1)
         : op == "is_floating_point" ? Value::Bool(is_float)
                                     : Value::Bool(false);
  return Status();
}

Status Evaluator::BindParameters(const OpImporter& importer, std::vector<Value> arguments, Keywords keywords,
                                 std::vector<Value>* out) const {
  std::istringstream names(importer.parameters);
  std::vector<std::string> parameters;
  for (std::string name; names >> name;) parameters.push_back(name);
  if (arguments.size() > parameters.size()) {
    return MICRORT_ERROR(kUnsupported, "%zu arguments, at most %zu are known", arguments.size(),
                         parameters.size());
  }
  *out = std::move(arguments);
  out->resize(parameters.size());
  for (auto& [name, value] : keywords) {
    const auto found = std::find(parameters.begin(), parameters.end(), name);
    if (found != parameters.end()) {
      (*out)[static_cast<size_t>(found - parameters.begin())] = std::move(value);
    } else {
      // Where and how a tensor lies makes no difference here.
      static const std::set<std::string> kIgnored = {
          "layout", "device", "pin_memory", "memory_format", "generator", "requires_grad", "non_blocking"};
      if (kIgnored.count(name) != 0) continue;
      return MICRORT_ERROR(kUnsupported, "argument '%s' is not known", Shown(name).c_str());
    }
  }
  return Status();
}

Status Evaluator::ImportOperator(const std::string& op, std::vector<Value> arguments, Keywords keywords,
                                 Value* out) {
  bool in_place = false;
  const OpImporter* importer = FindOpImporter(op, &in_place);
  const std::string node = NodeName(op);
  const std::string qualified = op.find("::") == std::string::npos ? "aten::" + op : op;
  Status status;
  if (importer == nullptr) {
    status = MICRORT_ERROR(kUnsupported, "%s", WhyNoOpImporter(op));
  } else {
    const Value self = arguments.empty() ? Value() : arguments[0];
    std::vector<Value> bound;
    status = BindParameters(*importer, std::move(arguments), std::move(keywords), &bound);
    if (status.ok()) {
      const ir::ValueId first_new = table_.assembler().NextValue();
      table_.origin = {node, qualified, 0};
      ir::Builder builder = table_.assembler().BuilderFor(table_.origin, node);
      OpContext c(importer->op, builder, table_, std::move(bound));
      const OpContext::Quantized quantized = c.TakeOffQuantization();
      importer->import(c);
      c.PutOnQuantization(quantized);
      status = builder.status().ok() ? c.status() : builder.status();
      if (status.ok()) {
        *out = c.result();
        if (out->is_tensor()) table_.assembler().NameResult(node, out->tensor->id, first_new);
      }
      if (status.ok() && in_place && self.is_tensor() && out->is_tensor()) {
        ir::ValueId before = ir::kNoValue;
        MICRORT_RETURN_IF_ERROR(table_.Read(*self.tensor, &before));
        const DType dtype = table_.value(before).dtype;
        status = table_.Write(*self.tensor, c.CastTo(out->tensor->id, dtype));
        *out = self;
      }
    }
  }
  if (status.ok()) return Status();
  if (status.code() != StatusCode::kUnsupported) {
    return status.WithPrefix("%s", Describe(SourceNode{node, qualified, 0}).c_str());
  }
  NoteUnsupported({node, qualified, 0}, status.message(), diagnostics_);
  *out = Value::Of(Kind::kUnreachable);
  return Status();
}

}  // namespace micrort::frontend::torchscript
