// XNNPACK as the runtime knows it.

#include "kernels/base/memory.h"
#include "xnnpack/layer.h"
#include "xnnpack/memory.h"

namespace micrort {
namespace {

bool IsAvailable() { return xnn_initialize(&XnnpackMemory()) == xnn_status_success; }

const Conv2DAlgorithm* Find(const Conv2DParams& p, const ConvWeights& weights) {
  if (kXnnpackF32.applicable(p)) return &kXnnpackF32;
  return kXnnpackS8.applicable(p) && TakesXnnpackS8(p, weights) ? &kXnnpackS8 : nullptr;
}

Status StartThreads(int count, ExternalThreads** threads) {
  const pthreadpool_t pool = pthreadpool_create(static_cast<size_t>(count));
  if (pool == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot start %d threads of XNNPACK", count);
  *threads = reinterpret_cast<ExternalThreads*>(pool);
  return Status();
}

void StopThreads(ExternalThreads* threads) { pthreadpool_destroy(reinterpret_cast<pthreadpool_t>(threads)); }

void Destroy(ExternalLayer* layer) {
  xnn_delete_operator(layer->op);
  GiveMemory(layer, alignof(ExternalLayer));
}

Status Create(const ConvCall& call, const ConvWeights& weights, const ConvTensors& tensors,
              ExternalThreads* threads, ExternalLayer** out) {
  auto* const layer = static_cast<ExternalLayer*>(TakeMemory(sizeof(ExternalLayer), alignof(ExternalLayer)));
  if (layer == nullptr) return MICRORT_ERROR(kOutOfMemory, "no memory for an operator of XNNPACK");
  *layer = {nullptr, reinterpret_cast<pthreadpool_t>(threads)};
  const auto create = call.algorithm == &kXnnpackF32 ? CreateXnnpackF32 : CreateXnnpackS8;
  const Status status = create(call, weights, tensors, layer);
  if (status.ok()) {
    *out = layer;
  } else {
    Destroy(layer);
  }
  return status;
}

}  // namespace

const ExternalLibrary kExternalLibrary = {IsAvailable, Find,    StartThreads,   StopThreads,
                                          Create,      Destroy, XNN_EXTRA_BYTES};

}  // namespace micrort
