#include "micrort/model.h"

#include <algorithm>
#include <utility>

#include "runtime/memory/objects.h"
#include "runtime/model/model_impl.h"

namespace micrort {

namespace {

Result<ModelImpl*> NewImpl() {
  auto* impl = NewObject<ModelImpl>();
  if (impl == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(ModelImpl));
  return impl;
}

}  // namespace

Result<Model> Model::FromFile(const char* path) {
  if (path == nullptr) return MICRORT_ERROR(kInvalidArgument, "the path is null");
  MICRORT_ASSIGN_OR_RETURN(ModelImpl * impl, NewImpl());
  Model model(impl);
  MICRORT_RETURN_IF_ERROR(impl->LoadFile(path));
  return model;
}

Result<Model> Model::FromBuffer(const void* data, size_t size) {
  if (data == nullptr) return MICRORT_ERROR(kInvalidArgument, "the model's buffer is null");
  MICRORT_ASSIGN_OR_RETURN(ModelImpl * impl, NewImpl());
  Model model(impl);
  MICRORT_RETURN_IF_ERROR(impl->LoadBuffer({static_cast<const uint8_t*>(data), size}, "model"));
  return model;
}

Result<Model> Model::FromTrustedBuffer(const void* data, size_t size) {
  if (data == nullptr) return MICRORT_ERROR(kInvalidArgument, "the model's buffer is null");
  MICRORT_ASSIGN_OR_RETURN(ModelImpl * impl, NewImpl());
  Model model(impl);
  MICRORT_RETURN_IF_ERROR(impl->LoadTrusted({static_cast<const uint8_t*>(data), size}, "model"));
  return model;
}

Model::Model(Model&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}

Model& Model::operator=(Model&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

Model::~Model() { DeleteObject(impl_); }

size_t Model::input_count() const { return CallerInputs(impl_->entry()).size(); }

TensorView Model::input(size_t i) const {
  if (i >= input_count()) return TensorView();
  const schema::Tensor& tensor = InputTensor(impl_->entry(), i);
  TensorView view;
  view.name = Text(tensor.name());
  view.dtype = TypeOf(tensor);
  view.shape = ShapeOf(tensor);
  view.quantization = QuantizationOf(tensor);
  return view;
}

bool Model::decides_shapes(size_t i) const {
  return i < input_count() && InputTensor(impl_->entry(), i).decides_shapes();
}

size_t Model::file_bytes() const { return impl_->file().size(); }
size_t Model::weight_bytes() const { return impl_->weight_bytes(); }
size_t Model::packed_file_bytes() const { return impl_->packed_file_bytes(); }
size_t Model::packed_bytes() const { return impl_->packed().bytes(); }

size_t Model::state_chunk() const {
  size_t chunk = SIZE_MAX;
  for (uint32_t i = 0; i < Count(impl_->entry().operators()); ++i) {
    const schema::Operator& op = *impl_->entry().operators()->Get(i);
    const schema::AppendOptions* const options = op.options_as_AppendOptions();
    if (op.code() != schema::OpCode::Append || options == nullptr || options->window() == 0) continue;
    const auto cache = static_cast<uint32_t>(op.inputs()->Get(0));
    const int64_t rows = ShapeOf(*impl_->entry().tensors()->Get(cache))[1] - options->window() + 1;
    // Where rows are fewer than the window, no interpreter is made.
    chunk = std::min(chunk, static_cast<size_t>(std::max<int64_t>(rows, 1)));
  }
  return chunk;
}
Span<const uint8_t> Model::file() const { return impl_->file(); }

}  // namespace micrort
