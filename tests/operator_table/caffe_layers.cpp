#include "tests/operator_table/caffe_layers.h"

#include <cstdio>
#include <string>

#include "converter/frontend/caffe/registry.h"

namespace micrort {

void PrintCaffeLayers() {
  std::string rows;
  const auto importers = frontend::caffe::AllLayerImporters();
  for (const frontend::caffe::LayerImporter* importer : importers) {
    rows += "| " + std::string(importer->type) + " | " + importer->without + " |\n";
  }
  std::printf(
      "\n## Caffe: %zu layers\n\n"
      "Of mainline Caffe, of SSD and of other forks, in forms of every age (V0, V1). Layers for data become "
      "inputs, and\n"
      "those for training (losses, Accuracy) are left out.\n\n"
      "| layer | not supported |\n| --- | --- |\n%s",
      importers.size(), rows.c_str());
}

}  // namespace micrort
