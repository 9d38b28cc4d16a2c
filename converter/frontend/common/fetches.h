#pragma once
// Models cut off at values inside them (--fetches).

#include <set>
#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::frontend {

// kInvalidArgument if one of the names is no tensor of the model (`defined`), or is given twice.
Status CheckFetches(const std::vector<std::string>& names, const std::set<std::string>& defined,
                    const char* flag = "--fetches");

// What a node of the source model reads, in graphs inside it too, and what it writes.
struct NodeEdges {
  std::vector<std::string> reads, writes;
};

// Which nodes compute these values, a flag each. Nodes are in an order in which they can run.
std::vector<bool> NeededNodes(const std::vector<NodeEdges>& nodes, const std::vector<std::string>& values);

}  // namespace micrort::frontend
