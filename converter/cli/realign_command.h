#pragma once
// mnnconvert --realign: a model file as flatc writes it, laid out as the runtime needs it.

#include <string>

#include "converter/emit/aligned_bytes.h"
#include "kernels/base/status.h"

namespace micrort::cli {

// The same contents, with data at multiples of 64 bytes, checked as any model that is loaded. kInvalidModel
// if `path` is no MicroRT model or a broken one.
Status Realign(const std::string& path, AlignedBytes* file);

}  // namespace micrort::cli
