#pragma once
// Names of tensors as names of files.

#include <string>
#include <vector>

namespace micrort::io {

// One a tensor, without ".npy": characters outside [A-Za-z0-9_.-] become '_', at most 100 characters; where
// two would collide the later one gets _2, _3 ...
std::vector<std::string> FileSafeNames(const std::vector<std::string>& names);

// Position of the tensor that `text` means: a name, its file-safe form, or "#0"; -1 if there is none.
int FindTensor(const std::vector<std::string>& names, const std::string& text);

}  // namespace micrort::io
