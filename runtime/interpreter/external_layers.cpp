#include "runtime/interpreter/external_layers.h"

#include <utility>

#include "kernels/base/part.h"
#include "kernels/mat_mul/mat_mul.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {

MICRORT_PART(kExternalLibrary);

namespace {

// null where it is the operator's own.
const ConvCall* CallOf(const Node& node) {
  if (node.prepared.conv != nullptr) return node.prepared.conv;
  const auto* const product = std::get_if<const MatMulCall*>(&node.prepared.call);
  return product == nullptr ? nullptr : &(*product)->layer;
}

}  // namespace

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

// A layer whose algorithm has no number (kernels/conv2d/algorithm_ids.h).
bool ExternalLayers::IsExternal(const Node& node) {
  return !node.skipped && node.prepared.layer != 0 && node.prepared.algorithm_id == 0;
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
  ConvTensors tensors = {};
  tensors.x = node.inputs[kLayerX]->data;
  tensors.bias = FloatBias(node.inputs);
  tensors.y = node.outputs[0]->data;
  MICRORT_RETURN_IF_ERROR(
      kExternalLibrary.create(*CallOf(node), weights, tensors, threads_, &layers_[created_]));
  node.packed[0] = layers_[created_++];
  return Status();
}

}  // namespace micrort
