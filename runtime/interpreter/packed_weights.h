#pragma once
// Packed weights: those that the file holds are used in place, the others are asked for.

#include "runtime/interpreter/graph.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/model/packed_cache.h"

namespace micrort {

// Lets a prepared node use what the file holds packed for it. kInvalidModel where the file's is of another
// size, or there is no other form of a constant and the node does not read this one.
Status UsePackedInFile(const schema::Model& model, Node& node);
// Bytes of packed weights that are used in place from the file.
size_t PackedInPlaceBytes(const Graph& graph);
// What the nodes want packed and the file does not hold so, in run order; `subgraph` is the graph's index.
// Returns the number of requests.
size_t CountPackRequests(const Graph& graph);
size_t AddPackRequests(int32_t subgraph, Graph& graph, PackRequest* requests);
Status AddAllPackRequests(Span<Subgraph> subgraphs, FixedArray<PackRequest>* requests);

}  // namespace micrort
