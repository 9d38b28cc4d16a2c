#include "converter/frontend/common/input_shapes.h"

#include <limits>

#include "kernels/base/shape.h"
#include "tools/io/array.h"

namespace micrort::frontend {

namespace {

using ShapeOverride = std::pair<std::string, std::vector<int64_t>>;

bool IsFor(const ShapeOverride& o, size_t position, const ir::Value& input) {
  return o.first == input.name || o.first == "#" + std::to_string(position);
}

Status ApplyOverride(const std::vector<int64_t>& dims, ir::Value* out) {
  if (out->has_shape && dims.size() != out->shape.size()) {
    return MICRORT_ERROR(kInvalidArgument, "the shape given for it has %zu dimensions, its own has %zu",
                         dims.size(), out->shape.size());
  }
  for (int64_t dim : dims) {
    if (dim == ir::kDynamic || dim > 0) continue;
    return MICRORT_ERROR(kInvalidArgument, "dimension %lld in the shape given for it",
                         static_cast<long long>(dim));
  }
  out->shape = dims;
  out->dim_names.resize(dims.size());
  out->has_shape = true;
  return Status();
}

// "'x' (1x3x?x?), 'y' (4)"
std::string InputsText(const ir::Graph& graph) {
  std::string text;
  for (const ir::ValueId id : graph.inputs) {
    const ir::Value& value = graph.value(id);
    text += (text.empty() ? "'" : ", '") + value.name + "' (" + io::ShapeText(value.shape) + ")";
  }
  return text;
}

Status CheckShape(const ir::Value& value) {
  if (value.rank() > kMaxRank) {
    return MICRORT_ERROR(kUnsupported, "%d dimensions, at most %d are possible", value.rank(), kMaxRank);
  }
  Shape fixed;
  for (int64_t dim : value.shape) {
    if (dim > std::numeric_limits<int32_t>::max()) {
      return MICRORT_ERROR(kInvalidModel, "dimension %lld does not fit 32 bits", static_cast<long long>(dim));
    }
    fixed[fixed.rank++] = dim == ir::kDynamic ? 1 : dim;
  }
  int64_t elements = 0;
  if (!fixed.CheckedElements(SizeOf(value.dtype), &elements)) {
    return MICRORT_ERROR(kInvalidModel, "shape %s is too large", ShapeString(fixed).c_str());
  }
  return Status();
}

}  // namespace

Status SettleInputShape(const ImportOptions& options, size_t position, ir::Value* input) {
  const std::vector<int64_t>* dims = nullptr;
  for (const ShapeOverride& o : options.input_shapes) {
    if (!IsFor(o, position, *input)) continue;
    if (dims != nullptr) return MICRORT_ERROR(kInvalidArgument, "two shapes are given for it");
    dims = &o.second;
  }
  if (dims != nullptr) MICRORT_RETURN_IF_ERROR(ApplyOverride(*dims, input));
  if (!input->has_shape) {
    return MICRORT_ERROR(kUnsupported, "the model does not declare its shape; give one with --input-shape");
  }
  if (input->is_static()) input->dim_names.clear();
  return CheckShape(*input);
}

Status CheckOverrides(const ir::Graph& graph, const ImportOptions& options) {
  for (const ShapeOverride& o : options.input_shapes) {
    bool is_input = false;
    for (size_t i = 0; i < graph.inputs.size(); ++i) is_input |= IsFor(o, i, graph.value(graph.inputs[i]));
    if (is_input) continue;
    return MICRORT_ERROR(kInvalidArgument,
                         "--input-shape: '%s' is no input of the model, whose inputs are %s", o.first.c_str(),
                         InputsText(graph).c_str());
  }
  return Status();
}

}  // namespace micrort::frontend
