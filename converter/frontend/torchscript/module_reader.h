#pragma once
// The model of an archive: its root module, and the constants of its code.

#include "converter/frontend/torchscript/value.h"
#include "converter/frontend/torchscript/work_meter.h"
#include "converter/frontend/torchscript/zip_archive.h"

namespace micrort::frontend::torchscript {

// kUnsupported, with what to do, for archives of PyTorch that hold no TorchScript.
Status ReadModule(const ZipArchive& archive, WorkMeter* meter, Value* root, Value* constants);

}  // namespace micrort::frontend::torchscript
