#pragma once
// Minimum cuts of small networks.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace micrort::passes {

// Splits nodes into a source side and a sink side so that the capacities of the edges that lead from the
// first to the second add up to the least.
class MinCut {
 public:
  static constexpr int64_t kUncuttable = std::numeric_limits<int64_t>::max() / 4;
  static constexpr int kSource = 0;
  static constexpr int kSink = 1;

  int AddNode();
  void AddEdge(int from, int to, int64_t capacity);
  // By node: whether it is on the source side. Of several minimum cuts, the one with the most nodes there.
  std::vector<bool> Solve();

 private:
  struct Edge {
    int to;
    int64_t capacity;  // what is left of it
  };
  bool FindLevels();
  int64_t Push(int node, int64_t limit);
  std::vector<bool> ReachesSink() const;

  std::vector<Edge> edges_;  // edge e and its reverse e ^ 1
  std::vector<std::vector<int>> edges_of_ = std::vector<std::vector<int>>(2);
  std::vector<int> level_;
  std::vector<size_t> next_;
};

}  // namespace micrort::passes
