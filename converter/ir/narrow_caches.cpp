#include "converter/ir/narrow_caches.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "kernels/attention/cache_rows.h"

namespace micrort::ir {
namespace {

using schema::OpCode;

// Whether rows of the last dimension take less memory so.
bool IsSmaller(const Value& cache, DType type) {
  const int64_t width = cache.shape.back();
  if (type == DType::kInt8 && cache.rank() < 3) return false;  // rows of one number
  return (width + CacheScaleElements(type)) * static_cast<int64_t>(SizeOf(type)) <
         width * static_cast<int64_t>(SizeOf(DType::kFloat32));
}

class Narrower {
 public:
  Narrower(DType type, Graph* graph, std::vector<std::string>* notes)
      : type_(type), graph_(*graph), notes_(*notes), uses_(graph->ComputeUses()) {}

  Status Run() {
    for (size_t k = 0; k < graph_.states.size(); ++k) {
      if (graph_.states[k].kind == schema::StateKind::Cache) Narrow(k);
    }
    for (const auto& [floats, rows] : rows_) ReadInPlace(floats);
    for (const auto& [floats, rows] : rows_) AddReader(floats, rows);
    if (!kept_.empty()) notes_.push_back("--kv-type: not smaller so, and float32 as before: " + kept_);
    return graph_.Sort() ? Status() : MICRORT_ERROR(kInternal, "--kv-type: the graph has a cycle");
  }

 private:
  // Makes the Append write rows of the type. Nobody computes the floats that it wrote from now on.
  void Narrow(size_t k) {
    Value& cache = graph_.value(graph_.inputs[graph_.caller_inputs() + k]);
    if (!IsSmaller(cache, type_)) {
      kept_ += (kept_.empty() ? "'" : ", '") + cache.name + "'";
      return;
    }
    ValueId& output = graph_.outputs[graph_.caller_outputs() + k];
    const ValueId floats = output;
    Value rows = graph_.value(floats);
    rows.name += "/rows";
    rows.in_source = false;
    for (Value* value : {&cache, &rows}) {
      value->dtype = type_;
      value->shape.back() += CacheScaleElements(type_);
    }
    output = graph_.AddValue(std::move(rows));
    uses_.producer[static_cast<size_t>(floats)]->outputs[0] = output;
    rows_.emplace_back(floats, output);
    rows_of_[floats] = output;
  }

  void ReadInPlace(ValueId floats) {
    constexpr size_t kKeys = 1, kValues = 2;
    for (Node* node : uses_.consumers[static_cast<size_t>(floats)]) {
      if (node->code != OpCode::Attention) continue;
      const auto keys = rows_of_.find(node->inputs[kKeys]), values = rows_of_.find(node->inputs[kValues]);
      if (keys == rows_of_.end() || values == rows_of_.end()) continue;
      node->inputs[kKeys] = keys->second;
      node->inputs[kValues] = values->second;
    }
  }

  void AddReader(ValueId floats, ValueId rows) {
    const auto reads = [floats](const auto& node) {
      return std::find(node->inputs.begin(), node->inputs.end(), floats) != node->inputs.end();
    };
    const bool is_output =
        std::find(graph_.outputs.begin(), graph_.outputs.end(), floats) != graph_.outputs.end();
    if (!is_output && std::none_of(graph_.nodes.begin(), graph_.nodes.end(), reads)) return;
    const Node& append = *uses_.producer[static_cast<size_t>(floats)];
    auto node = std::make_unique<Node>();
    node->name = append.name;
    node->source_op = append.source_op;
    node->source_opset = append.source_opset;
    node->code = OpCode::ReadCache;
    node->as<schema::ReadCacheOptionsT>();
    node->inputs = {rows};
    node->outputs = {floats};
    graph_.nodes.push_back(std::move(node));
  }

  const DType type_;
  Graph& graph_;
  std::vector<std::string>& notes_;
  const Graph::Uses uses_;                         // as they were
  std::vector<std::pair<ValueId, ValueId>> rows_;  // the floats that an Append gave, and what it gives now
  std::unordered_map<ValueId, ValueId> rows_of_;   // the same
  std::string kept_;
};

}  // namespace

Status NarrowCaches(DType type, Graph* graph, std::vector<std::string>* notes) {
  return Narrower(type, graph, notes).Run();
}

}  // namespace micrort::ir
