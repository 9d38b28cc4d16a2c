#pragma once
// Weights that the file holds packed (mnnconvert --target), for use in place.

#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/fixed_array.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort {

// What `op` has packed for `slot` in this layout, aligned to kAlignment; no bytes if the file has none, or
// none of kPackedRevision.
Span<const uint8_t> FindPacked(const schema::Model& model, const schema::Operator& op, int slot,
                               AlgorithmVariant layout);

// The layout of the operator's first packed weights, for messages and choices; null if there are none.
const char* PackedLayout(const schema::Operator& op);

// Its number; 0 where this library has no such algorithm.
AlgorithmVariant PackedVariant(const schema::Operator& op);

// Whether weights are there in packed form only.
bool HasPackedOnly(const schema::Model& model);

// For a model that HasPackedOnly: takes away from *features what its weights are not packed for. kUnsupported
// where they are packed for another CPU, or by another version.
Status KeepToTarget(const schema::Model& model, CpuFeatures* features);

// Bytes of all packed weights.
Status CountPackedBytes(const schema::Model& model, size_t* bytes);

}  // namespace micrort
