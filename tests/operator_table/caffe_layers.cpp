#include "tests/operator_table/caffe_layers.h"

#include <cstdio>
#include <string>

#include "converter/frontend/caffe/registry.h"

namespace micrort {

void PrintCaffeLayers() {
  std::string rows;
  const auto importers = frontend::caffe::Importers().All();
  for (const frontend::caffe::LayerImporter* importer : importers) {
    rows += "| " + std::string(importer->op) + " | " + importer->support.without + " |\n";
  }
  std::printf(
      "\n## Caffe\n\n"
      "%zu layers of mainline Caffe, of SSD and of other forks, also in old formats (V0, V1).\n"
      "Layers for data become inputs, and those for training (losses, Accuracy) are left out.\n\n"
      "| layer | not supported |\n| --- | --- |\n%s",
      importers.size(), rows.c_str());
}

}  // namespace micrort
