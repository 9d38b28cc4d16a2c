#include "converter/frontend/common/model_inputs.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "converter/frontend/common/errors.h"
#include "kernels/base/shape.h"
#include "tools/io/array.h"

namespace micrort::frontend {

namespace {

std::string PositionText(size_t position) { return "#" + std::to_string(position); }

bool IsFor(const std::string& given, const std::string& name, size_t position) {
  return given == name || given == PositionText(position);
}

Status ApplyOverride(const std::vector<int64_t>& dims, ir::Value* out) {
  if (out->has_shape && dims.size() != out->shape.size()) {
    return MICRORT_ERROR(kInvalidArgument, "--input-shape: expected rank %zu, as in %s, found rank %zu, %s",
                         out->shape.size(), io::ShapeText(out->shape).c_str(), dims.size(),
                         io::ShapeText(dims).c_str());
  }
  for (int64_t dim : dims) {
    if (dim == ir::kDynamic || dim > 0) continue;
    return MICRORT_ERROR(kInvalidArgument, "--input-shape: expected dimensions from 1, found %s",
                         io::ShapeText(dims).c_str());
  }
  out->shape = dims;
  out->dim_names.resize(dims.size());
  out->has_shape = true;
  return Status();
}

Status CheckShape(const ir::Value& value) {
  if (value.rank() > kMaxRank)
    return Unsupported("{} dimensions, at most {} are possible", value.rank(), kMaxRank);
  Shape fixed;
  for (int64_t dim : value.shape) {
    if (dim > std::numeric_limits<int32_t>::max()) return Invalid("dimension {} does not fit 32 bits", dim);
    fixed[fixed.rank++] = dim == ir::kDynamic ? 1 : dim;
  }
  int64_t elements = 0;
  const size_t size = value.dtype == DType::kUnknown ? 1 : SizeOf(value.dtype);
  if (!fixed.CheckedElements(size, &elements)) return Invalid("shape {} is too large", ShapeString(fixed));
  return Status();
}

}  // namespace

Status SettleInputShape(const ImportOptions& options, size_t position, ir::Value* input) {
  const std::vector<int64_t>* dims = nullptr;
  for (const auto& [given, shape] : options.input_shapes) {
    if (!IsFor(given, input->name, position)) continue;
    if (dims != nullptr) return MICRORT_ERROR(kInvalidArgument, "two shapes are given for it");
    dims = &shape;
  }
  if (dims != nullptr) MICRORT_RETURN_IF_ERROR(ApplyOverride(*dims, input));
  if (!input->has_shape)
    return Unsupported("the model does not declare its shape; give one with --input-shape");
  if (input->is_static()) input->dim_names.clear();
  return CheckShape(*input);
}

bool ModelInputs::IsNext(const std::string& given, const std::string& name) const {
  return IsFor(given, name, names_.size());
}

bool ModelInputs::HasShape(const std::string& name) const {
  return std::any_of(options_.input_shapes.begin(), options_.input_shapes.end(),
                     [&](const auto& o) { return IsNext(o.first, name); });
}

const InputValue* ModelInputs::FindValue(const std::string& name, size_t position) const {
  for (const InputValue& given : options_.input_values) {
    if (IsFor(given.input, name, position)) return &given;
  }
  return nullptr;
}

Status ModelInputs::Take(const InputValue& given, ir::Value* input) {
  MICRORT_RETURN_IF_ERROR(TakeValue(given, options_.preprocess, input));
  MICRORT_RETURN_IF_ERROR(CheckShape(*input));
  diagnostics_.constant_inputs.push_back({input->name, input->dtype, input->shape, given.text});
  return Status();
}

Status ModelInputs::TakeNextValue(ir::Value* input) {
  const InputValue& given = *FindValue(input->name, names_.size());
  names_.push_back(input->name);
  return Take(given, input);
}

std::string ModelInputs::NextText(const std::string& name) const {
  const InputValue* const given = FindValue(name, names_.size());
  return given == nullptr ? "" : given->text;
}

std::string ModelInputs::TakeNextText(const std::string& name) {
  const std::string text = NextText(name);
  names_.push_back(name);
  diagnostics_.constant_inputs.push_back({name, DType::kUnknown, {}, text});
  return text;
}

Result<ir::ValueId> ModelInputs::Add(ir::Value input) {
  const size_t position = names_.size();
  const InputValue* const given = FindValue(input.name, position);
  if (given == nullptr || input.has_shape || HasShape(input.name))
    MICRORT_RETURN_IF_ERROR(SettleInputShape(options_, position, &input));
  names_.push_back(input.name);
  if (given != nullptr) {
    MICRORT_RETURN_IF_ERROR(Take(*given, &input));
    return graph_.AddValue(std::move(input));
  }
  graph_.inputs.push_back(graph_.AddValue(std::move(input)));
  return graph_.inputs.back();
}

Result<ir::ValueId> ModelInputs::AddOptional(ir::Value input) {
  // No position is as large.
  const InputValue* const given = FindValue(input.name, std::numeric_limits<size_t>::max());
  if (given == nullptr) return ir::kNoValue;
  optional_.push_back(input.name);
  MICRORT_RETURN_IF_ERROR(Take(*given, &input));
  return graph_.AddValue(std::move(input));
}

bool ModelInputs::IsInput(const std::string& name) const {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (IsFor(name, names_[i], i)) return true;
  }
  return std::find(optional_.begin(), optional_.end(), name) != optional_.end();
}

// "'x' (1x3x?x?), 'y' (4), 'rate'", where the last one has become a constant.
std::string ModelInputs::InputsText() const {
  std::string text;
  for (const std::string& name : names_) {
    text += (text.empty() ? "'" : ", '") + name + "'";
    const ir::ValueId id = graph_.FindValue(name);
    if (id != ir::kNoValue && !graph_.value(id).is_constant())
      text += " (" + io::ShapeText(graph_.value(id).shape) + ")";
  }
  return text;
}

Status ModelInputs::CheckOptions() const {
  const auto check = [this](const char* flag, const std::string& name) {
    if (IsInput(name)) return Status();
    return MICRORT_ERROR(kInvalidArgument, "%s: '%s' is no input of the model, whose inputs are %s", flag,
                         name.c_str(), InputsText().c_str());
  };
  for (const auto& [name, shape] : options_.input_shapes)
    MICRORT_RETURN_IF_ERROR(check("--input-shape", name));
  for (size_t i = 0; i < options_.input_values.size(); ++i) {
    const std::string& name = options_.input_values[i].input;
    MICRORT_RETURN_IF_ERROR(check("--input-value", name));
    for (size_t k = 0; k < names_.size(); ++k) {
      if (IsFor(name, names_[k], k) && FindValue(names_[k], k) != &options_.input_values[i])
        return MICRORT_ERROR(kInvalidArgument, "--input-value: two values are given for '%s'",
                             names_[k].c_str());
    }
  }
  return Status();
}

}  // namespace micrort::frontend
