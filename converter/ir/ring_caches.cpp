#include "converter/ir/ring_caches.h"

#include <algorithm>
#include <map>

#include "kernels/attention/attend_few.h"

namespace micrort::ir {
namespace {

using schema::OpCode;

// Places of Attention's inputs.
struct Inputs {
  static constexpr size_t kKeys = 1, kValues = 2, kMask = 3, kPositions = 4;
};

// The window of an Attention of which the value is keys or values; 0: it is more, or there is no window.
int64_t WindowOf(const Node& node, ValueId rows) {
  if (node.code != OpCode::Attention || node.has_input(Inputs::kMask) || node.has_input(Inputs::kPositions))
    return 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == rows && i != Inputs::kKeys && i != Inputs::kValues) return 0;
  }
  return node.as<schema::AttentionOptionsT>().window;
}

struct Ring {
  size_t state;
  Node* append;
  int64_t window;
};

class RingMaker {
 public:
  RingMaker(std::optional<int64_t> chunk, Graph* graph, std::vector<std::string>* notes)
      : chunk_(chunk), graph_(*graph), notes_(*notes), uses_(graph->ComputeUses()) {}

  Status Run() {
    for (size_t k = 0; k < graph_.states.size(); ++k) {
      if (graph_.states[k].kind == schema::StateKind::Cache) Find(k);
    }
    while (DropUnpaired()) {
    }
    for (const auto& [rows, ring] : rings_) Make(ring);
    Tell();
    return graph_.Sort() ? Status() : MICRORT_ERROR(kInternal, "--kv-cache: the graph has a cycle");
  }

 private:
  const std::vector<Node*>& ReadersOf(ValueId id) const { return uses_.consumers[static_cast<size_t>(id)]; }
  Value& CacheOf(const Ring& ring) {
    return graph_.value(graph_.inputs[graph_.caller_inputs() + ring.state]);
  }

  void Find(size_t k) {
    const ValueId rows = graph_.outputs[graph_.caller_outputs() + k];
    const std::vector<Node*>& readers = ReadersOf(rows);
    if (readers.empty() || std::count(graph_.outputs.begin(), graph_.outputs.end(), rows) != 1) return;
    const int64_t window = WindowOf(*readers[0], rows);
    const bool agree = std::all_of(readers.begin(), readers.end(),
                                   [&](const Node* node) { return WindowOf(*node, rows) == window; });
    if (window == 0 || !agree) return;
    const Ring ring = {k, uses_.producer[static_cast<size_t>(rows)], window};
    const std::optional<int64_t> chunk = ChunkOf(ring);
    if (!chunk) {
      open_window_ = window;
    } else if (RingRows(window, *chunk) < CacheOf(ring).shape[1]) {
      rings_.emplace(rows, ring);
    }
  }

  std::optional<int64_t> ChunkOf(const Ring& ring) const {
    constexpr size_t kNewRows = 2;
    const int64_t rows = graph_.value(ring.append->inputs[kNewRows]).dim(1);
    return rows == kDynamic ? chunk_ : std::max(rows, chunk_.value_or(rows));
  }

  // Keys in a ring are read beside values in a ring of as many rows. False if that holds for all.
  bool DropUnpaired() {
    for (const auto& [rows, ring] : rings_) {
      for (const Node* reader : ReadersOf(rows)) {
        if (RowsOf(reader->inputs[Inputs::kKeys]) == RowsOf(reader->inputs[Inputs::kValues])) continue;
        rings_.erase(rows);
        return true;
      }
    }
    return false;
  }
  // 0: it is no ring.
  int64_t RowsOf(ValueId rows) const {
    const auto ring = rings_.find(rows);
    return ring == rings_.end() ? 0 : RingRows(ring->second.window, *ChunkOf(ring->second));
  }

  void Make(const Ring& ring) {
    Value& cache = CacheOf(ring);
    cache.shape[1] = RingRows(ring.window, *ChunkOf(ring));
    ring.append->as<schema::AppendOptionsT>().window = static_cast<int32_t>(ring.window);
    // The next value of the length, the first state, counts the positions.
    for (Node* reader : ReadersOf(ring.append->outputs[0])) {
      reader->inputs.resize(std::max(reader->inputs.size(), Inputs::kPositions + 1), kNoValue);
      reader->inputs[Inputs::kPositions] = graph_.outputs[graph_.caller_outputs()];
    }
    std::string& names = names_[{ring.window, cache.shape[1]}];
    names += (names.empty() ? "'" : ", '") + cache.name + "'";
  }

  void Tell() {
    for (const auto& [sizes, names] : names_) {
      const auto [window, rows] = sizes;
      notes_.push_back("--kv-cache: rings of " + std::to_string(rows) + " rows, of which attention sees " +
                       std::to_string(window) + ", and a run appends at most " +
                       std::to_string(rows - window + 1) + ": " + names);
    }
    if (open_window_ != 0 && !chunk_) {
      notes_.push_back("--kv-cache: attention sees " + std::to_string(open_window_) +
                       " tokens at most; if runs append at most N, --kv-chunk N makes its caches smaller");
    }
    if (chunk_ && names_.empty())
      notes_.push_back(
          "--kv-chunk: no cache is smaller so: expected attention with a window that leaves room");
  }

  const std::optional<int64_t> chunk_;
  Graph& graph_;
  std::vector<std::string>& notes_;
  const Graph::Uses uses_;
  std::map<ValueId, Ring> rings_;                             // by what an Append gives
  std::map<std::pair<int64_t, int64_t>, std::string> names_;  // of caches, by window and rows
  int64_t open_window_ = 0;  // of a cache that runs append to, nobody says how much
};

}  // namespace

// In whole blocks attention sums up what it would over a cache of all rows, in the same order.
int64_t RingRows(int64_t window, int64_t chunk) {
  constexpr int64_t kLanes = 8;
  const int64_t rows = window + chunk - 1, block = rows > kAttendFewBlock ? kAttendFewBlock : kLanes;
  return (rows + block - 1) / block * block;
}

Status MakeRings(std::optional<int64_t> chunk, Graph* graph, std::vector<std::string>* notes) {
  return RingMaker(chunk, graph, notes).Run();
}

}  // namespace micrort::ir
