#pragma once
// Fused element-wise functions as loops over vectors.

#include <string>

#include "kernels/fused/fused_layout.h"

namespace micrort::aot {

// Defines the function `name`, a FusedFn, and says in the layout which buffers it wants.
std::string LoopText(const FusedGraph& graph, const std::string& name, CpuFeatures features,
                     FusedLayout* layout);

// What LoopText gave, at the end of a source file and in this namespace, for CPUs with these features.
std::string LoopsBlock(CpuFeatures features, const std::string& space, const std::string& loops);

}  // namespace micrort::aot
