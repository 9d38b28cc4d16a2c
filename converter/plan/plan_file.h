#pragma once
// Memory planned offline.

#include "converter/emit/aligned_bytes.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort::plan {

// `file` is `model` serialized without plans. Gives every subgraph of static shapes its plan, made with much
// more effort than a device could spend. Scratch is planned as this machine needs it with `features` on one
// thread, so that there the arena is as small as the planner can make it.
Status PlanModel(const AlignedBytes& file, CpuFeatures features, schema::ModelT* model);

}  // namespace micrort::plan
