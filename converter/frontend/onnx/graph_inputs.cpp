#include "converter/frontend/onnx/graph_inputs.h"

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/tensor_reader.h"

namespace micrort::frontend::onnx {

namespace {

void ReadDeclaredShape(const ::onnx::TensorShapeProto& shape, ir::Value* out) {
  for (const auto& dim : shape.dim()) {
    const bool fixed = dim.has_dim_value() && dim.dim_value() >= 0;
    out->shape.push_back(fixed ? dim.dim_value() : ir::kDynamic);
    out->dim_names.push_back(fixed ? "" : dim.dim_param());
  }
  out->has_shape = true;
}

}  // namespace

Status ReadInput(const ::onnx::ValueInfoProto& info, ir::Value* out) {
  if (!info.type().has_tensor_type()) return Unsupported("it is not a tensor");
  const auto& type = info.type().tensor_type();
  out->name = info.name();
  out->in_source = true;
  out->dtype = DTypeOfOnnx(type.elem_type());
  if (out->dtype == DType::kUnknown)
    return Unsupported(
        "it is of type {}; begin with what is computed from it (--feeds), or end before it is needed "
        "(--fetches)",
        OnnxTypeName(type.elem_type()));
  if (type.has_shape()) ReadDeclaredShape(type.shape(), out);
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

}  // namespace micrort::frontend::onnx
