#pragma once
// Weights stored in the layouts that one CPU class computes with.

#include <cstddef>
#include <string>

#include "converter/emit/aligned_bytes.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"

namespace micrort::target {

struct Target {
  std::string name;          // as ParseTarget takes it; empty: weights are portable
  CpuFeatures features = 0;  // exactly; of any architecture whose kernels this build knows
  int threads = 1;           // that the device runs the model on
  bool packed_only = false;  // whether portable weights go where nobody needs them any more
  bool is_portable() const { return name.empty(); }
};

struct PackedReport {
  size_t operators = 0;      // that read packed weights
  size_t packed_bytes = 0;   // added to the file
  size_t dropped_bytes = 0;  // of portable weights
};

// Adds to a whole file, in which other targets may have their weights packed already, what the runtime would
// pack on this target and its threads, by the very code that it would run: every host writes the same bytes.
// Dynamic dimensions are 1, or the first size tried with which the operators can be prepared. Errors: those
// of preparing them; those of emit::Serialize.
Status PackWeights(const Target& target, AlignedBytes* file, PackedReport* report);

}  // namespace micrort::target
