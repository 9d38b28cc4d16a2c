// Dinic's algorithm: repeatedly saturates the shortest paths from source to sink.
#include "converter/passes/layout/min_cut.h"

#include <algorithm>
#include <queue>

namespace micrort::passes {

int MinCut::AddNode() {
  edges_of_.emplace_back();
  return static_cast<int>(edges_of_.size()) - 1;
}

void MinCut::AddEdge(int from, int to, int64_t capacity) {
  edges_of_[static_cast<size_t>(from)].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({to, capacity});
  edges_of_[static_cast<size_t>(to)].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({from, 0});
}

// Distance from the source along edges with capacity left; false if the sink is out of reach.
bool MinCut::FindLevels() {
  level_.assign(edges_of_.size(), -1);
  level_[kSource] = 0;
  std::queue<int> queue({kSource});
  while (!queue.empty()) {
    const int node = queue.front();
    queue.pop();
    for (int e : edges_of_[static_cast<size_t>(node)]) {
      const Edge& edge = edges_[static_cast<size_t>(e)];
      int& level = level_[static_cast<size_t>(edge.to)];
      if (edge.capacity == 0 || level >= 0) continue;
      level = level_[static_cast<size_t>(node)] + 1;
      queue.push(edge.to);
    }
  }
  return level_[kSink] >= 0;
}

int64_t MinCut::Push(int node, int64_t limit) {
  if (node == kSink) return limit;
  const auto n = static_cast<size_t>(node);
  for (size_t& at = next_[n]; at < edges_of_[n].size(); ++at) {
    const auto e = static_cast<size_t>(edges_of_[n][at]);
    const int to = edges_[e].to;
    if (edges_[e].capacity == 0 || level_[static_cast<size_t>(to)] != level_[n] + 1) continue;
    const int64_t pushed = Push(to, std::min(limit, edges_[e].capacity));
    if (pushed == 0) continue;
    edges_[e].capacity -= pushed;
    edges_[e ^ 1].capacity += pushed;
    return pushed;
  }
  return 0;
}

std::vector<bool> MinCut::ReachesSink() const {
  std::vector<bool> reaches(edges_of_.size(), false);
  reaches[kSink] = true;
  std::queue<int> queue({kSink});
  while (!queue.empty()) {
    const int node = queue.front();
    queue.pop();
    for (int e : edges_of_[static_cast<size_t>(node)]) {
      const auto from = static_cast<size_t>(edges_[static_cast<size_t>(e)].to);
      if (edges_[static_cast<size_t>(e ^ 1)].capacity == 0 || reaches[from]) continue;
      reaches[from] = true;
      queue.push(static_cast<int>(from));
    }
  }
  return reaches;
}

std::vector<bool> MinCut::Solve() {
  while (FindLevels()) {
    next_.assign(edges_of_.size(), 0);
    while (Push(kSource, kUncuttable) > 0) {
    }
  }
  std::vector<bool> source_side = ReachesSink();
  source_side.flip();
  return source_side;
}

}  // namespace micrort::passes
