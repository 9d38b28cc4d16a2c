#pragma once
// Which Caffe layers can be imported, and by what.

#include <string>
#include <vector>

#include "converter/frontend/caffe/layer_context.h"
#include "kernels/base/span.h"

namespace micrort::frontend::caffe {

struct LayerImporter {
  const char* type;  // "Convolution"
  int min_bottoms;
  int max_bottoms;  // -1: any number
  // Appends nodes that compute the tops, and sets these. kInvalidModel if the layer contradicts what Caffe
  // defines, kUnsupported if we cannot do what it asks for.
  Status (*import)(LayerContext& c);
  const char* without = "";  // what is not supported: it is refused with its reason
};

// Null if there is none.
const LayerImporter* FindLayerImporter(const std::string& type);

// Why there is no importer, for messages.
const char* WhyNoLayerImporter(const std::string& type);

// All of them, sorted by type.
std::vector<const LayerImporter*> AllLayerImporters();

// One list a file of layers/.
Span<const LayerImporter> ActivationLayers();
Span<const LayerImporter> CombiningLayers();
Span<const LayerImporter> ConstantLayers();
Span<const LayerImporter> ConvolutionLayers();
Span<const LayerImporter> DetectionOutputLayers();
Span<const LayerImporter> InnerProductLayers();
Span<const LayerImporter> NormalizationLayers();
Span<const LayerImporter> PoolingLayers();
Span<const LayerImporter> PriorBoxLayers();
Span<const LayerImporter> RecurrentLayers();
Span<const LayerImporter> ReductionLayers();
Span<const LayerImporter> ResizingLayers();
Span<const LayerImporter> RoiPoolingLayers();
Span<const LayerImporter> ScalingLayers();
Span<const LayerImporter> SelectionLayers();
Span<const LayerImporter> ShapeLayers();
Span<const LayerImporter> SlicingLayers();

}  // namespace micrort::frontend::caffe
