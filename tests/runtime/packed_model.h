#pragma once
// Packed weights in a model file, as the converter puts them there, and some that nobody would.

#include <vector>

#include "kernels/base/packed_revision.h"
#include "kernels/base/target.h"
#include "micrort/micrort.h"
#include "runtime/interpreter/input_shapes.h"
#include "runtime/interpreter/packed_weights.h"
#include "runtime/interpreter/subgraph.h"
#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"

namespace micrort::testing {

inline schema::PackedWeightsT& FirstPacked(ModelBuilder& b) { return *b.graph().operators[0]->packed.at(0); }
inline std::vector<uint8_t>& FirstPackedBytes(ModelBuilder& b) {
  return b.model.buffers[FirstPacked(b).buffer]->data;
}

// Adds what every operator of the entry wants packed on such a target.
inline void PackFor(const char* isa, ModelBuilder* b) {
  CpuFeatures features = 0;
  ASSERT_TRUE(ParseTarget(isa, &features));
  const ModelFile file = b->Finish();
  const schema::Model& model = *schema::GetModel(file.data());
  FixedArray<Subgraph> subgraphs;
  ASSERT_THAT(InitSubgraphs(model, AllOps(), &subgraphs), IsOk());
  FixedArray<Shape> shapes;
  ASSERT_THAT(DefaultInputShapes(*model.subgraphs()->Get(0), &shapes), IsOk());
  ASSERT_THAT(subgraphs[0].Prepare(shapes, {}, {features, 1}), IsOk());
  std::vector<PackRequest> requests(CountPackRequests(subgraphs[0].graph()));
  AddPackRequests(0, subgraphs[0].graph(), requests.data());
  for (PackRequest& request : requests) {
    auto packed = std::make_unique<schema::PackedWeightsT>();
    packed->layout = request.layout_name;
    packed->slot = static_cast<uint8_t>(request.key.slot);
    packed->buffer = static_cast<uint32_t>(b->model.buffers.size());
    b->graph().operators[static_cast<size_t>(request.key.op)]->packed.push_back(std::move(packed));
    b->model.buffers.push_back(std::make_unique<schema::BufferT>());
    b->model.buffers.back()->data.resize(request.key.bytes);
    request.context.destination = b->model.buffers.back()->data.data();
    ASSERT_THAT(request.pack(request.context), IsOk());
  }
  b->model.schema_version = 3;
  b->model.target = isa;
  b->model.packed_revision = kPackedRevision;
}

// Leaves the tensor's data out.
inline void KeepPackedOnly(int tensor, ModelBuilder* b) {
  b->tensor(tensor).packed_only = true;
  b->model.buffers[b->tensor(tensor).buffer]->data.clear();
}

}  // namespace micrort::testing
