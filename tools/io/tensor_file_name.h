#pragma once
// Names of tensors as names of files.

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace micrort::io {

// Names of which none is given twice, in time that does not grow with their number.
class TakenNames {
 public:
  // The name, or with _2, _3 ... the first one that is free.
  std::string Take(const std::string& name);

 private:
  std::set<std::string> names_;
  std::unordered_map<std::string, int> numbers_;  // behind the last one that was tried, less 2
};

// One a tensor, without ".npy": characters outside [A-Za-z0-9_.-] become '_', at most 100 characters; where
// two would collide the later one gets _2, _3 ...
std::vector<std::string> FileSafeNames(const std::vector<std::string>& names);

// Position of the tensor that `text` means: a name, its file-safe form, or "#0"; -1 if there is none.
int FindTensor(const std::vector<std::string>& names, const std::string& text);

}  // namespace micrort::io
