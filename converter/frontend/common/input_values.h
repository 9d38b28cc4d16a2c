#pragma once
// Values that the user gives inputs, which become constants.

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"
#include "tools/io/array.h"
#include "tools/io/image.h"

namespace micrort::frontend {

struct InputValue {
  std::string input;  // its name, or its position: "#0"
  std::string text;   // "16000", "1,2,3", "true"; the path of a file; or, for what is no tensor, a text
};

// An input that has become a constant.
struct ConstantInput {
  std::string name;
  DType dtype = DType::kUnknown;  // of texts and None, too
  std::vector<int64_t> shape;
  std::string value;  // as it was given

  bool is_tensor() const { return dtype != DType::kUnknown; }
};

// Whether the text lists numbers or booleans; else it is the path of a file.
bool IsListOfElements(const std::string& text);

// The elements of such a list, as its longest type has them: booleans, int64 or float64. One element alone
// has no dimensions, several have one.
Status ParseElements(const std::string& text, io::NamedArray* out);

// Gives the input this value as its elements. Where its type or dimensions are not known, they become the
// value's; else the value has to fit. A list is in row-major order. kInvalidArgument names what was expected
// and what was found; kIo.
Status TakeValue(const InputValue& given, const io::Preprocess& preprocess, ir::Value* input);

}  // namespace micrort::frontend
