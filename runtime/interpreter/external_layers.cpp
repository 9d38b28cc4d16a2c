#include "runtime/interpreter/external_layers.h"

#include <utility>

#include "kernels/base/part.h"
#include "runtime/ops/external_candidate.h"

namespace micrort {

MICRORT_PART(kExternalLibrary);

ExternalLayers::~ExternalLayers() {
  for (size_t i = 0; i < created_; ++i) kExternalLibrary.destroy(layers_[i]);
  if (threads_ != nullptr) kExternalLibrary.stop_threads(threads_);
}

ExternalLayers& ExternalLayers::operator=(ExternalLayers&& o) noexcept {
  layers_ = std::move(o.layers_);
  std::swap(count_, o.count_);
  std::swap(created_, o.created_);
  std::swap(threads_, o.threads_);
  return *this;
}

// It knows neither limits of instruction sets nor chosen CPUs.
bool ExternalLayers::MayOffer(const InterpreterOptions& options) {
  const bool limited = (DetectCpuFeatures() & ~options.features) != 0;
  const bool bound = options.threads > 1 && options.cpus != 0;
  return MICRORT_HAS_PART(kExternalLibrary) && options.chooser != nullptr && !limited && !bound &&
         kExternalLibrary.is_available();
}

bool ExternalLayers::IsExternal(const Node& node) {
  return !node.skipped && node.prepared.external != nullptr;
}

void ExternalLayers::CountIn(const Graph& graph) {
  static_assert(kAlignment >= 16, "what the library reads behind a tensor");
  count_ = 0;
  for (const Node& node : graph.nodes) count_ += IsExternal(node) ? 1 : 0;
}

Status ExternalLayers::Create(Graph& graph, int threads) {
  if (count_ == 0) return Status();
  if (kExternalLibrary.reads_beyond > kAlignment) {
    return MICRORT_ERROR(kUnsupported, "XNNPACK reads %zu bytes behind tensors",
                         kExternalLibrary.reads_beyond);
  }
  if (threads > 1) MICRORT_RETURN_IF_ERROR(kExternalLibrary.start_threads(threads, &threads_));
  MICRORT_RETURN_IF_ERROR(layers_.Allocate(count_));
  for (Node& node : graph.nodes) {
    if (!IsExternal(node)) continue;
    if (Status s = CreateOne(node); !s.ok()) return node.Explain(s);
  }
  return Status();
}

Status ExternalLayers::CreateOne(Node& node) {
  ConvWeights weights = {};
  MICRORT_RETURN_IF_ERROR(node.registration->pack({node.inputs, node.state, 0, &weights}));
  MICRORT_RETURN_IF_ERROR(kExternalLibrary.create(*node.prepared.external, weights,
                                                  ExternalTensors(node.inputs, node.outputs), threads_,
                                                  &layers_[created_]));
  node.packed[0] = layers_[created_++];
  return Status();
}

}  // namespace micrort
