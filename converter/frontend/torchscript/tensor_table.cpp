#include "converter/frontend/torchscript/tensor_table.h"

#include <algorithm>
#include <cstring>

namespace micrort::frontend::torchscript {

namespace {

bool IsRowMajor(const StoredTensor& t) {
  int64_t stride = 1;
  for (size_t i = t.shape.size(); i-- > 0;) {
    if (t.shape[i] != 1 && t.strides[i] != stride) return false;
    stride *= t.shape[i];
  }
  return true;
}

int64_t ElementsOf(const StoredTensor& t) {
  int64_t elements = 1;
  for (const int64_t dim : t.shape) elements *= dim;
  return elements;
}

// Goes through the indices like an odometer.
void CopyStrided(const StoredTensor& t, const uint8_t* storage, size_t size, uint8_t* out) {
  std::vector<int64_t> index(t.shape.size(), 0);
  int64_t at = t.offset;
  for (int64_t left = ElementsOf(t); left > 0; --left) {
    std::memcpy(out, storage + static_cast<size_t>(at) * size, size);
    out += size;
    for (size_t d = t.shape.size(); d-- > 0;) {
      at += t.strides[d];
      if (++index[d] < t.shape[d]) break;
      at -= t.strides[d] * t.shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace

Status LoadElements(const ZipArchive& archive, const StoredTensor& tensor, ir::Bytes* out) {
  MICRORT_ASSIGN_OR_RETURN(Span<const uint8_t> storage, archive.View(tensor.storage));
  const size_t size = SizeOf(tensor.dtype);
  const auto elements = static_cast<size_t>(ElementsOf(tensor));
  // The pickle's number of elements was what strides were checked against.
  int64_t last = tensor.offset;
  for (size_t i = 0; i < tensor.shape.size(); ++i) last += (tensor.shape[i] - 1) * tensor.strides[i];
  if (elements > 0 && static_cast<uint64_t>(last) >= storage.size() / size)
    return Invalid("entry '{}' of the archive has {} bytes, its tensor needs more", tensor.storage,
                   storage.size());
  out->resize(elements * size);
  if (elements == 0) return Status();
  if (IsRowMajor(tensor)) {
    std::memcpy(out->data(), storage.data() + static_cast<size_t>(tensor.offset) * size, out->size());
  } else {
    CopyStrided(tensor, storage.data(), size, out->data());
  }
  return Status();
}

Status TensorTable::Load(Tensor& tensor) {
  const StoredTensor& stored = *tensor.stored;
  ir::Bytes elements;
  MICRORT_RETURN_IF_ERROR(LoadElements(archive_, stored, &elements));
  const std::string name = tensor.name.empty() ? "constant" : tensor.name;
  tensor.id = outermost_->graph().AddConstant(name, stored.dtype, stored.shape, std::move(elements));
  tensor.assembler = outermost_;
  return Status();
}

ir::ValueId TensorTable::BringIn(GraphAssembler* to, const Tensor& tensor) {
  if (to == tensor.assembler) return tensor.id;
  if (to->parent() == nullptr) return ir::kNoValue;
  const ir::ValueId outer = BringIn(to->parent(), tensor);
  return outer == ir::kNoValue ? outer : to->Capture(outer);
}

void TensorTable::NoteChange(Tensor& tensor) {
  if (journal != nullptr) journal->push_back({tensor.shared_from_this(), tensor});
}

Status TensorTable::BringUpToDate(Tensor& tensor) {
  if (tensor.is_outdated) return Unsupported("a tensor is read of which a part was changed in place");
  if (tensor.base == nullptr) {
    if (tensor.id != ir::kNoValue) return Status();
    if (tensor.stored == nullptr) return Invalid("a tensor is read that is not there");
    return Load(tensor);
  }
  MICRORT_RETURN_IF_ERROR(BringUpToDate(*tensor.base));
  if (tensor.base_version == tensor.base->version) return Status();
  if (!tensor.read) return Unsupported("a view is read of what was changed in place");
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId base, Read(*tensor.base));
  ir::Builder builder = current_->BuilderFor(origin, origin.name + "/view");
  const ir::ValueId id = tensor.read(builder, base);
  MICRORT_RETURN_IF_ERROR(builder.status());
  NoteChange(tensor);
  tensor.id = id;
  tensor.assembler = current_;
  tensor.base_version = tensor.base->version;
  ++tensor.version;
  return Status();
}

void TensorTable::LetGoOfParts(size_t kept) {
  for (; with_parts_.size() > kept; with_parts_.pop_back()) {
    const std::shared_ptr<Tensor> tensor = with_parts_.back().lock();
    if (tensor != nullptr) tensor->parts[0] = tensor->parts[1] = nullptr;
  }
}

Result<ir::ValueId> TensorTable::Read(Tensor& tensor) {
  MICRORT_RETURN_IF_ERROR(BringUpToDate(tensor));
  const ir::ValueId id = BringIn(current_, tensor);
  if (id != ir::kNoValue) return id;
  return Unsupported("a tensor is read that only one branch or a loop computes");
}

Status TensorTable::Write(Tensor& tensor, ir::ValueId id) {
  if (tensor.base != nullptr && !tensor.write) {
    // What it is a part of is not what it was, and cannot be said: nothing may read it.
    for (std::shared_ptr<Tensor> whole = tensor.base; whole != nullptr; whole = whole->base) {
      NoteChange(*whole);
      whole->is_outdated = true;
    }
    NoteChange(tensor);
    tensor.base = nullptr;
  } else if (tensor.base != nullptr) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId base, Read(*tensor.base));
    ir::Builder builder = current_->BuilderFor(origin, origin.name + "/view");
    const ir::ValueId whole = tensor.write(builder, base, id);
    MICRORT_RETURN_IF_ERROR(builder.status());
    MICRORT_RETURN_IF_ERROR(Write(*tensor.base, whole));
  }
  NoteChange(tensor);
  tensor.id = id;
  tensor.assembler = current_;
  ++tensor.version;
  if (tensor.base != nullptr) tensor.base_version = tensor.base->version;
  return Status();
}

bool TensorTable::IsInput(ir::ValueId id) const {
  const auto& inputs = outermost_->graph().inputs;
  return current_ == outermost_ && std::find(inputs.begin(), inputs.end(), id) != inputs.end();
}

std::shared_ptr<Tensor> TensorTable::Make(ir::ValueId id) {
  auto tensor = std::make_shared<Tensor>();
  tensor->id = id;
  tensor->assembler = current_;
  return tensor;
}

}  // namespace micrort::frontend::torchscript
