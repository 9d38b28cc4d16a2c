#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

const ImporterTable<LayerImporter>& Importers() {
  static const ImporterTable<LayerImporter> table({MICRORT_CAFFE_IMPORTERS});
  return table;
}

const char* WhyNoLayerImporter(const std::string& type) {
  if (type == "Python") return "code in Python cannot be converted";
  if (type == "PSROIPooling" || type == "DeformablePSROIPooling")
    return "position-sensitive pooling is not supported; ROIPooling is";
  return "unknown layer type";
}

}  // namespace micrort::frontend::caffe
