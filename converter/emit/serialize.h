#pragma once
// The object form of the file as bytes.

#include "converter/emit/aligned_bytes.h"
#include "converter/ir/graph.h"
#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort::emit {

// Buffers lie at multiples of 64 bytes. The same model gives the same bytes.
// Errors: kUnsupported if the file would be over the format's 2 GiB.
Status Serialize(const schema::ModelT& model, AlignedBytes* file);

// BuildModel and Serialize in one: a file without a memory plan.
Status EmitModule(const ir::Module& module, AlignedBytes* file);

}  // namespace micrort::emit
