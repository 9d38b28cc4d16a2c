#pragma once
// Which Caffe layers can be imported, and by what.

#include "converter/frontend/caffe/layer_context.h"
#include "converter/frontend/common/importer_table.h"

namespace micrort::frontend::caffe {

// `op`: the layer's type, "Convolution". Inputs are bottoms.
using LayerImporter = ImporterRow<LayerContext>;

// Why there is no importer, for messages.
const char* WhyNoLayerImporter(const std::string& type);

const ImporterTable<LayerImporter>& Importers();

// One list a file of layers/.
#define MICRORT_CAFFE_IMPORTERS                                                                \
  ActivationLayers, CombiningLayers, ConstantLayers, ConvolutionLayers, DetectionOutputLayers, \
      InnerProductLayers, NormalizationLayers, PoolingLayers, PriorBoxLayers, RecurrentLayers, \
      ReductionLayers, ResizingLayers, ScalingLayers, ShapeLayers, SlicingLayers
using ImporterList = std::initializer_list<LayerImporter>;
extern const ImporterList MICRORT_CAFFE_IMPORTERS;

}  // namespace micrort::frontend::caffe
