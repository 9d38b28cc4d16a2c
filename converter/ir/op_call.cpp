#include "converter/ir/op_call.h"

#include "converter/custom/custom_ops.h"
#include "converter/ir/budget.h"
#include "converter/ir/options_bytes.h"

namespace micrort::ir {

Tensor HostTensor::View() const {
  Tensor view;
  view.name = name.c_str();
  view.dtype = dtype;
  view.shape = shape;
  view.constant = constant;
  view.extents = extents;
  if (declared.rank != 0) view.declared = &declared;
  if (data != nullptr) {
    view.contents = Contents::kFixed;
    view.data = const_cast<uint8_t*>(data->data());
  }
  if (quantization != nullptr && !quantization->empty()) {
    view.quantization = {quantization->scales.data(),
                         quantization->zero_points.empty() ? nullptr : quantization->zero_points.data(),
                         quantization->scales.size(), quantization->axis, quantization->group};
    view.grid = Int4Grid::Of(view.quantization.scales, nullptr, view.quantization.zero_points, nullptr);
  }
  return view;
}

HostTensor HostTensor::Of(const Value& value, const Shape& shape) {
  HostTensor t;
  t.name = value.name;
  t.dtype = value.dtype;
  t.shape = shape;
  t.quantization = &value.quantization;
  t.data = value.data;
  t.constant = value.is_constant();
  return t;
}

Status StaticShape(const Value& value, Shape* out) {
  if (value.rank() > kMaxRank) {
    return MICRORT_ERROR(kUnsupported, "'%s' has %d dimensions, at most %d are possible", value.name.c_str(),
                         value.rank(), kMaxRank);
  }
  *out = Shape();
  for (int64_t dim : value.shape) out->dims[out->rank++] = dim;
  return CheckElements(value.name, value.dtype, *out);
}

Status CheckElements(const std::string& name, DType dtype, const Shape& shape) {
  int64_t elements = 0;
  if (shape.CheckedElements(SizeOf(dtype), &elements)) return Status();
  return MICRORT_ERROR(kInvalidModel, "shape %s of '%s' is negative or too large", ShapeString(shape).c_str(),
                       name.c_str());
}

Status OpCall::Init(const Node& node, CpuFeatures features) {
  flatbuffer_ = OptionsBytes(node);
  op_.SetControl(CurrentBudget());
  return op_.Init(*flatbuffers::GetRoot<schema::Operator>(flatbuffer_.data()), CurrentOps(), features);
}

void OpCall::SetBodies(std::vector<BodyPlan*> bodies) {
  bodies_ = std::move(bodies);
  op_.SetBodies({bodies_.data(), bodies_.size()});
}

Status OpCall::Infer(const std::vector<const HostTensor*>& inputs, const std::vector<HostTensor*>& outputs) {
  results_ = outputs;
  tensors_.clear();
  tensors_.reserve(inputs.size() + outputs.size());  // the pointers below stay valid
  inputs_.clear();
  outputs_.clear();
  for (const HostTensor* t : inputs) {
    if (t != nullptr) {
      tensors_.push_back(t->View());
      tensors_.back().extents = Extents();
    }
    inputs_.push_back(t == nullptr ? nullptr : &tensors_.back());
  }
  for (const HostTensor* t : outputs) {
    tensors_.push_back(t->View());
    outputs_.push_back(&tensors_.back());
  }
  MICRORT_RETURN_IF_ERROR(op_.Infer(inputs_, outputs_));
  for (size_t i = 0; i < results_.size(); ++i) {
    results_[i]->dtype = outputs_[i]->dtype;
    results_[i]->shape = outputs_[i]->shape;
    results_[i]->extents = outputs_[i]->extents;
  }
  return Status();
}

Status OpCall::Run() {
  std::vector<std::shared_ptr<Bytes>> data;
  for (size_t i = 0; i < results_.size(); ++i) {
    data.push_back(std::make_shared<Bytes>(results_[i]->bytes()));
    outputs_[i]->data = data.back()->data();
  }
  MICRORT_RETURN_IF_ERROR(op_.Run(inputs_, outputs_));
  for (size_t i = 0; i < results_.size(); ++i) {
    results_[i]->shape = outputs_[i]->shape;
    results_[i]->extents = Extents();
    data[i]->resize(results_[i]->bytes());
    results_[i]->data = std::move(data[i]);
  }
  return Status();
}

}  // namespace micrort::ir
