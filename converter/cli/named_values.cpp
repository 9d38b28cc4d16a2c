#include "converter/cli/command_line.h"

namespace micrort::cli {

// A name may hold '=', and so may a file's: what lists elements follows the last one, a path the first.
Status ParseInputValue(const std::string& text, frontend::InputValue* out) {
  size_t equals = text.rfind('=');
  if (equals != std::string::npos && !frontend::IsListOfElements(text.substr(equals + 1)))
    equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return MICRORT_ERROR(kInvalidArgument,
                         "--input-value: expected NAME=16000, NAME=1,2,3, NAME=true, NAME=FILE or, of "
                         "TorchScript, NAME=TEXT, found '%s'",
                         text.c_str());
  }
  *out = {text.substr(0, equals), text.substr(equals + 1)};
  return Status();
}

Status ParseMaxSize(const std::string& text, ir::MaxSize* out) {
  const size_t equals = text.rfind('=');
  const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  const bool is_number =
      !number.empty() && number.size() < 11 &&
      std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  const int64_t size = is_number ? std::stoll(number) : 0;
  if (equals == 0 || size < 1 || size > INT32_MAX) {
    return MICRORT_ERROR(kInvalidArgument,
                         "--max-size: expected NAME=400, a size of 1 to 2147483647, found '%s'",
                         text.c_str());
  }
  *out = {text.substr(0, equals), static_cast<int32_t>(size)};
  return Status();
}

Status ParseInputType(const std::string& text, frontend::InputType* out) {
  const size_t equals = text.rfind('=');
  const std::string type = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (type == "complex64" && equals != 0) {
    *out = {text.substr(0, equals), DType::kFloat32, true};
    return Status();
  }
  for (int i = 1; i < kDTypeCount && equals != 0; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (type != Name(dtype) || dtype == DType::kInt4) continue;
    *out = {text.substr(0, equals), dtype};
    return Status();
  }
  return MICRORT_ERROR(kInvalidArgument,
                       "--input-type: expected NAME=int64 or another element type, found '%s'", text.c_str());
}

}  // namespace micrort::cli
