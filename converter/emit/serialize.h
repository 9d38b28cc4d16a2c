#pragma once
// The object form of the file as bytes.

#include "converter/emit/aligned_bytes.h"
#include "converter/emit/file_model.h"
#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::emit {

// Buffers lie at multiples of 64 bytes. The same model gives the same bytes. Above CurrentFileLimits(), what
// the model shares lies behind the flatbuffer, and the file shares it, too. Errors: kUnsupported if what it
// does not share is over the format's 2 GiB.
Status Serialize(const FileModel& model, AlignedBytes* file);

// BuildModel and Serialize in one: a file without a memory plan.
Status EmitModule(const ir::Module& module, AlignedBytes* file);

}  // namespace micrort::emit
