#include "converter/frontend/caffe/registry.h"

#include <map>

namespace micrort::frontend::caffe {

namespace {

using LayerTable = std::map<std::string, const LayerImporter*>;

LayerTable MakeLayerTable() {
  const Span<const LayerImporter> lists[] = {
      ActivationLayers(),      CombiningLayers(),    ConstantLayers(),      ConvolutionLayers(),
      DetectionOutputLayers(), InnerProductLayers(), NormalizationLayers(), PoolingLayers(),
      PriorBoxLayers(),        RecurrentLayers(),    ReductionLayers(),     ResizingLayers(),
      RoiPoolingLayers(),      ScalingLayers(),      SelectionLayers(),     ShapeLayers(),
      SlicingLayers(),
  };
  LayerTable table;
  for (const auto& list : lists) {
    for (const LayerImporter& importer : list) table.emplace(importer.type, &importer);
  }
  return table;
}

const LayerTable& LayersByType() {
  static const LayerTable table = MakeLayerTable();
  return table;
}

}  // namespace

const LayerImporter* FindLayerImporter(const std::string& type) {
  const auto found = LayersByType().find(type);
  return found == LayersByType().end() ? nullptr : found->second;
}

const char* WhyNoLayerImporter(const std::string& type) {
  if (type == "Python") return "code in Python cannot be converted";
  if (type == "PSROIPooling" || type == "DeformablePSROIPooling")
    return "position-sensitive pooling is not supported; ROIPooling is";
  return "unknown layer type";
}

std::vector<const LayerImporter*> AllLayerImporters() {
  std::vector<const LayerImporter*> all;
  for (const auto& entry : LayersByType()) all.push_back(entry.second);
  return all;
}

}  // namespace micrort::frontend::caffe
