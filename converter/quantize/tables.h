#pragma once
// Tables of embeddings: constant floats whose rows Gather picks. They are stored in the type that is asked of
// layers, and the rows that are read become floats again.

#include <cstdint>
#include <set>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/quantize/adjust_weights.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/layer_types.h"
#include "converter/quantize/quant_report.h"

namespace micrort::quantize {

struct Table {
  ir::ValueId value = ir::kNoValue;
  std::vector<ir::Node*> gathers;
  std::vector<ir::Node*> layers;  // that multiply by it
  std::vector<ir::Node*> tied;    // those of them that have a row for each output channel
};

// Constants that nothing but Gathers along axis 0 and layers read, with rows long enough for a scale each.
std::vector<Table> FindTables(const ir::Graph& graph);

// Which products score the entries of one of these tables: those that have a row of weights for each row of
// the table, as long as it, and whose sums are an output of the graph, but for element-wise operators. The
// graph may get other weights later, not other nodes.
class ScoredTables {
 public:
  ScoredTables(const ir::Graph& graph, const std::vector<Table>& tables);
  bool IsScoredBy(const ir::Node& node, const Layer& layer) const;

 private:
  std::set<std::vector<int64_t>> shapes_;
  std::vector<bool> is_score_;  // by value
};

// After the graph's layers have been given their types. A table whose rows are output channels of such a
// layer becomes what the layer's weights are, so that both are one; one that a layer still reads as floats
// stays. What differs from `asked`, which is no int8 with ranges, goes to the report.
void StoreTables(ir::Graph* graph, const std::vector<Table>& tables, LayerType asked,
                 const LayerTypes& exceptions, const WeightCorrection& tools, Report* report);

}  // namespace micrort::quantize
