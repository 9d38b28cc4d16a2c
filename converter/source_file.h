#pragma once
// The file to read of what users name as the model.

#include <string>

#include "kernels/base/status.h"

namespace micrort {

// A file as it is; of a SavedModel's folder, its saved_model.pb. kIo if the folder has none.
Status FindSourceFile(const std::string& path, std::string* file);

}  // namespace micrort
