#pragma once
// A Caffe network into a graph. Layers are imported in order; one that cannot be is noted and its tops are
// marked, so that all such layers are found.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/caffe/net_inputs.h"
#include "converter/frontend/caffe/registry.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/common/named_values.h"
#include "converter/frontend/frontend.h"

namespace micrort::frontend::caffe {

class NetImporter {
 public:
  NetImporter(const CaffeNet& net, NetWeights& weights, const ImportOptions& options, ir::Graph* graph,
              ImportDiagnostics* diagnostics)
      : net_(net), weights_(weights), options_(options), assembler_(graph), diagnostics_(diagnostics) {}

  Status Import();

 private:
  Status SelectLayers();
  Status KeepFetched();
  Status AddInputs();
  Status AddLayer(const TestLayer& test);
  void NoteMissingWeights(const ::caffe::LayerParameter& layer, const Status& status);
  Status FindBottoms(const ::caffe::LayerParameter& layer, std::vector<ir::ValueId>* bottoms,
                     bool* reachable);
  Status ImportLayer(const TestLayer& test, const std::vector<ir::ValueId>& bottoms);
  Status DefineTops(const ::caffe::LayerParameter& layer, const LayerContext& c, ir::ValueId first_new);
  // Tops that no layer reads, in the order in which they are made.
  std::vector<std::string> UnreadTops() const;
  Status AddOutputs();

  const CaffeNet& net_;
  NetWeights& weights_;
  const ImportOptions& options_;
  GraphAssembler assembler_;
  ImportDiagnostics* diagnostics_;
  std::vector<TestLayer> layers_;           // those that are imported
  std::vector<TestLayer> data_layers_;      // those that make inputs
  std::map<std::string, int> definitions_;  // by name: how many layers are still to write it
  NamedValues values_;
  Status missing_weights_;  // the first such error, which unsupported layers go before
};

}  // namespace micrort::frontend::caffe
