#pragma once
// Which Caffe layers can be imported, and by what.

#include <initializer_list>
#include <string>
#include <vector>

#include "converter/frontend/caffe/layer_context.h"

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
#define MICRORT_CAFFE_IMPORTERS                                                                       \
  ActivationLayers, CombiningLayers, ConstantLayers, ConvolutionLayers, DetectionOutputLayers,        \
      InnerProductLayers, NormalizationLayers, PoolingLayers, PriorBoxLayers, RecurrentLayers,        \
      ReductionLayers, ResizingLayers, RoiPoolingLayers, ScalingLayers, SelectionLayers, ShapeLayers, \
      SlicingLayers
using ImporterList = std::initializer_list<LayerImporter>;
extern const ImporterList MICRORT_CAFFE_IMPORTERS;

}  // namespace micrort::frontend::caffe
