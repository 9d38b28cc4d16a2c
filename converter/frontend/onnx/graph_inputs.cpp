#include "converter/frontend/onnx/graph_inputs.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/onnx/tensor_reader.h"
#include "kernels/base/shape.h"

namespace micrort::frontend {

namespace {

using ShapeOverride = std::pair<std::string, std::vector<int64_t>>;

const ShapeOverride* FindOverride(const ImportOptions& options, const std::string& name) {
  for (const ShapeOverride& o : options.input_shapes) {
    if (o.first == name) return &o;
  }
  return nullptr;
}

void ReadDeclaredShape(const ::onnx::TensorShapeProto& shape, ir::Value* out) {
  for (const auto& dim : shape.dim()) {
    const bool fixed = dim.has_dim_value() && dim.dim_value() >= 0;
    out->shape.push_back(fixed ? dim.dim_value() : ir::kDynamic);
    out->dim_names.push_back(fixed ? "" : dim.dim_param());
  }
  out->has_shape = true;
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

Status ReadInput(const ::onnx::ValueInfoProto& info, const ImportOptions& options, ir::Value* out) {
  if (!info.type().has_tensor_type()) return MICRORT_ERROR(kUnsupported, "it is not a tensor");
  const auto& type = info.type().tensor_type();
  out->name = info.name();
  out->in_source = true;
  out->dtype = DTypeOfOnnx(type.elem_type());
  if (out->dtype == DType::kUnknown) {
    return MICRORT_ERROR(kUnsupported, "element type %s", OnnxTypeName(type.elem_type()).c_str());
  }
  if (type.has_shape()) ReadDeclaredShape(type.shape(), out);
  if (const ShapeOverride* o = FindOverride(options, info.name())) {
    MICRORT_RETURN_IF_ERROR(ApplyOverride(o->second, out));
  }
  if (!out->has_shape) {
    return MICRORT_ERROR(kUnsupported, "the model does not declare its shape; give one with --input-shape");
  }
  if (out->is_static()) out->dim_names.clear();
  return CheckShape(*out);
}

Status CheckOverrides(const ir::Graph& graph, const ImportOptions& options) {
  for (const ShapeOverride& o : options.input_shapes) {
    const bool is_input = std::any_of(graph.inputs.begin(), graph.inputs.end(),
                                      [&](ir::ValueId id) { return graph.value(id).name == o.first; });
    if (!is_input) {
      return MICRORT_ERROR(kInvalidArgument, "a shape is given for '%s', which is no input of the model",
                           o.first.c_str());
    }
  }
  return Status();
}

void NameDimensions(const ::onnx::ValueInfoProto& info, ir::Value* value) {
  const auto& shape = info.type().tensor_type().shape();
  if (shape.dim_size() != value->rank() || value->is_static()) return;
  value->dim_names.resize(value->shape.size());
  for (int i = 0; i < shape.dim_size(); ++i) {
    const auto k = static_cast<size_t>(i);
    if (value->shape[k] == ir::kDynamic && value->dim_names[k].empty()) {
      value->dim_names[k] = shape.dim(i).dim_param();
    }
  }
}

}  // namespace micrort::frontend
