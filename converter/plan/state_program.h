#pragma once
// What was decided offline about a program, as the file states it for one target.

#include <string>

#include "converter/emit/aligned_bytes.h"
#include "converter/plan/memory_regions.h"
#include "kernels/base/status.h"
#include "runtime/program/decisions.h"
#include "schema/micrort_generated.h"

namespace micrort::plan {

// `file` is `model` serialized. Adds to the entry, and to the bodies of operators that are planned with it,
// what a device needs to make the program for this target without a search, with dynamic dimensions 1: places
// are sought with much more effort than a device could spend. `target_name` as ParseTarget takes it. Adds
// nothing where shapes depend on the values of inputs, or where dynamic dimensions cannot be 1. `regions`,
// unless it is null or has none, are where everything lies.
Status StateProgram(const AlignedBytes& file, const std::string& target_name, const ProgramTarget& target,
                    schema::ModelT* model, RegionPlan* regions = nullptr);

}  // namespace micrort::plan
