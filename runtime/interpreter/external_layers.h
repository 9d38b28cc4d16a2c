#pragma once
// The layers of an interpreter that another library computes (kernels/conv_call/external_library.h): made
// once memory is bound, and gone with it.

#include "kernels/base/fixed_array.h"
#include "kernels/base/span.h"
#include "kernels/conv_call/external_library.h"
#include "runtime/interpreter/graph.h"

namespace micrort {

class ExternalLayers {
 public:
  ExternalLayers() = default;
  ~ExternalLayers();
  ExternalLayers(ExternalLayers&& o) noexcept { *this = std::move(o); }
  ExternalLayers& operator=(ExternalLayers&& o) noexcept;

  // Whether an interpreter may offer layers to the library.
  static bool MayOffer(const InterpreterOptions& options);

  // What a prepared graph needs beside its own memory, at the end of the arena.
  void CountIn(const Graph& graph);
  size_t arena_bytes() const { return count_ == 0 ? 0 : kAlignment; }
  // Makes them, on so many threads, and gives each to its node, for a graph that is bound to its memory.
  Status Create(Graph& graph, int threads);

 private:
  static bool IsExternal(const Node& node);
  Status CreateOne(Node& node);

  size_t count_ = 0;
  FixedArray<ExternalLayer*> layers_;
  size_t created_ = 0;
  ExternalThreads* threads_ = nullptr;
};

}  // namespace micrort
