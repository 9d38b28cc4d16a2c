#pragma once
// In which opsets ONNX has an operator, from the definitions in ONNX's own library.

#include <string>

namespace micrort {

struct OpsetRange {
  int first = 0;  // 0: the library, which may be older than the operator, does not know it
  int last = 0;   // 0: it has not been withdrawn
};

// Of ONNX's own domain.
OpsetRange OnnxOpsets(const std::string& op);

}  // namespace micrort
