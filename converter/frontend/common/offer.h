#pragma once
// What a source model offers to convert.

#include <string>
#include <vector>

#include "kernels/base/dtype.h"

namespace micrort::frontend {

struct OfferedTensor {
  std::string name;
  DType dtype = DType::kUnknown;  // kUnknown: one that we do not have, or that the file does not tell
  bool has_shape = false;
  std::vector<int64_t> shape = {};  // -1: dynamic
  std::string value = {};           // that the user gives the input, which becomes a constant
};

struct Offer {
  std::string signature = {}, tag_set = {};  // as --signature and --tag-set take them; empty: it has none
  std::vector<OfferedTensor> inputs = {}, outputs = {};
};

}  // namespace micrort::frontend
