#pragma once
// Pickles, without the code that they would run in Python: plain data, tensors, and objects of classes that
// the archive's own code defines. Source: Python's Lib/pickletools.py.

#include <string>

#include "converter/frontend/torchscript/value.h"
#include "converter/frontend/torchscript/work_meter.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

// folder: where the storages of its tensors lie, "data/". Errors say "pickle" and where.
Status ReadPickle(const std::string& bytes, const std::string& folder, WorkMeter* meter, Value* out);

}  // namespace micrort::frontend::torchscript
