#include "runtime/model/packed_in_file.h"

#include "kernels/base/packed_revision.h"
#include "kernels/base/target.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "runtime/model/schema_text.h"

namespace micrort {

namespace {

// Calls visit(entry) for all packed weights of a model.
template <typename Visit>
void VisitPacked(const schema::Model& model, Visit visit) {
  for (const schema::Subgraph* subgraph : *model.subgraphs()) {
    for (uint32_t i = 0; i < Count(subgraph->operators()); ++i) {
      const auto* packed = subgraph->operators()->Get(i)->packed();
      for (uint32_t k = 0; k < Count(packed); ++k) visit(*packed->Get(k));
    }
  }
}

}  // namespace

Span<const uint8_t> FindPacked(const schema::Model& model, const schema::Operator& op, int slot,
                               AlgorithmVariant layout) {
  if (model.packed_revision() != kPackedRevision) return {};
  for (uint32_t i = 0; i < Count(op.packed()); ++i) {
    const schema::PackedWeights& packed = *op.packed()->Get(i);
    if (packed.slot() != slot || FindVariant(packed.layout()->c_str()) != layout) continue;
    return BytesOfBuffer(model, packed.buffer());
  }
  return {};
}

const char* PackedLayout(const schema::Operator& op) {
  return Count(op.packed()) == 0 ? nullptr : op.packed()->Get(0)->layout()->c_str();
}

AlgorithmVariant PackedVariant(const schema::Operator& op) {
  const char* const layout = PackedLayout(op);
  return layout == nullptr ? 0 : FindVariant(layout);
}

bool HasPackedOnly(const schema::Model& model) {
  for (const schema::Subgraph* subgraph : *model.subgraphs()) {
    for (uint32_t i = 0; i < Count(subgraph->tensors()); ++i) {
      if (subgraph->tensors()->Get(i)->packed_only()) return true;
    }
  }
  return false;
}

Status KeepToTarget(const schema::Model& model, CpuFeatures* features) {
  const char* const name = Text(model.target());
  CpuFeatures target = 0;
  const bool is_known = ParseTarget(name, &target);
  // Whoever has no instruction sets takes the same variants.
  if ((target & ~kCpuTraits) == 0) target = 0;
  if (!is_known || (target & *features) != target) {
    return MICRORT_ERROR(
        kUnsupported,
        "weights are stored packed for %.40s only, found a CPU with %s: convert without --packed-only to run "
        "the file on both, or with --target %s for this CPU",
        name, IsaName(*features), TargetName(*features));
  }
  if (model.packed_revision() != kPackedRevision) {
    return MICRORT_ERROR(kUnsupported,
                         "weights are stored packed only: expected layouts of revision %u, found %u: convert "
                         "again, or without --packed-only",
                         kPackedRevision, model.packed_revision());
  }
  *features = target | (*features & kCpuTraits);
  return Status();
}

Status CountPackedBytes(const schema::Model& model, size_t* bytes) {
  *bytes = 0;
  FixedArray<bool> counted;  // operators may share a buffer
  MICRORT_RETURN_IF_ERROR(counted.Allocate(model.buffers()->size()));
  VisitPacked(model, [&](const schema::PackedWeights& packed) {
    if (!counted[packed.buffer()]) *bytes += BytesOfBuffer(model, packed.buffer()).size();
    counted[packed.buffer()] = true;
  });
  return Status();
}

}  // namespace micrort
