#include "tests/runtime/model_builder.h"

#include <new>

#include "kernels/base/checked_math.h"
#include "tests/kept_seeds.h"

namespace micrort::testing {

ModelFile::ModelFile(const void* data, size_t size)
    : bytes_(static_cast<uint8_t*>(::operator new (size + 1, std::align_val_t{kAlignment}))), size_(size) {
  std::memcpy(bytes_.get(), data, size);
}

void ModelFile::Free::operator()(uint8_t* p) const { ::operator delete (p, std::align_val_t{kAlignment}); }

ModelBuilder::ModelBuilder() {
  model.schema_version = 1;
  model.subgraphs.push_back(std::make_unique<schema::SubgraphT>());
  model.buffers.push_back(std::make_unique<schema::BufferT>());
}

int ModelBuilder::Tensor(const std::string& name, DType dtype, std::vector<int32_t> shape) {
  auto tensor = std::make_unique<schema::TensorT>();
  tensor->name = name;
  tensor->dtype = static_cast<schema::DType>(dtype);
  tensor->shape = std::move(shape);
  graph().tensors.push_back(std::move(tensor));
  return static_cast<int>(graph().tensors.size()) - 1;
}

int ModelBuilder::Input(const std::string& name, DType dtype, std::vector<int32_t> shape) {
  const int tensor = Tensor(name, dtype, std::move(shape));
  graph().inputs.push_back(tensor);
  return tensor;
}

void ModelBuilder::SetData(int tensor, std::vector<uint8_t> bytes) {
  auto buffer = std::make_unique<schema::BufferT>();
  buffer->data = std::move(bytes);
  this->tensor(tensor).buffer = static_cast<uint32_t>(model.buffers.size());
  model.buffers.push_back(std::move(buffer));
}

void ModelBuilder::Plan(std::vector<int64_t> offsets, uint64_t arena_bytes) {
  graph().plan = std::make_unique<schema::MemoryPlanT>();
  graph().plan->offsets = std::move(offsets);
  graph().plan->arena_bytes = arena_bytes;
}

uint32_t ModelBuilder::AddGraph(const std::string& name) {
  model.subgraphs.push_back(std::make_unique<schema::SubgraphT>());
  model.subgraphs.back()->name = name;
  return static_cast<uint32_t>(model.subgraphs.size()) - 1;
}

ModelFile ModelBuilder::Finish() const {
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishModelBuffer(builder, schema::Model::Pack(builder, &model));
  KeepSeed("model", {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()});
  return ModelFile(builder.GetBufferPointer(), builder.GetSize());
}

}  // namespace micrort::testing
