#pragma once
// Memory planned offline.

#include <cstdint>
#include <optional>

#include "converter/emit/aligned_bytes.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort::plan {

struct PlanOptions {
  CpuFeatures features = 0;  // exactly, of whatever CPU it is planned for
  int threads = 1;
  std::optional<uint64_t> max_arena;  // bytes
};

// What max_arena costs: layers that do not take their cheapest algorithm, and by how much the estimated time
// of all layers grows, as a share of it.
struct PlanReport {
  size_t given_up = 0;
  double loss = 0;
};

// `file` is `model` serialized without plans. Gives every subgraph of static shapes its plan, made with much
// more effort than a device could spend. Scratch is planned as a CPU with `features` needs it on so many
// threads, so that there the arena is as small as the planner can make it.
// With max_arena, layers take algorithms that need less scratch where that is necessary, and every operator's
// scratch is limited to what is free as it runs, so that no device takes more. kUnsupported if nothing fits.
Status PlanModel(const AlignedBytes& file, const PlanOptions& options, schema::ModelT* model,
                 PlanReport* report);

}  // namespace micrort::plan
