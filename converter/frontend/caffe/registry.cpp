#include "converter/frontend/caffe/registry.h"

#include "converter/frontend/common/importer_table.h"

namespace micrort::frontend::caffe {

namespace {

const ImporterTable<LayerImporter>& Table() {
  static const ImporterTable<LayerImporter> table({MICRORT_CAFFE_IMPORTERS}, &LayerImporter::type);
  return table;
}

}  // namespace

const LayerImporter* FindLayerImporter(const std::string& type) { return Table().Find(type); }

const char* WhyNoLayerImporter(const std::string& type) {
  if (type == "Python") return "code in Python cannot be converted";
  if (type == "PSROIPooling" || type == "DeformablePSROIPooling")
    return "position-sensitive pooling is not supported; ROIPooling is";
  return "unknown layer type";
}

std::vector<const LayerImporter*> AllLayerImporters() { return Table().All(); }

}  // namespace micrort::frontend::caffe
