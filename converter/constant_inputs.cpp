#include "converter/constant_inputs.h"

#include <algorithm>

namespace micrort {

namespace {

Status Refuse(const char* flag, const frontend::ConstantInput& constant, const char* what) {
  return MICRORT_ERROR(kInvalidArgument, "%s: --input-value makes '%s' the constant %s, %s", flag,
                       constant.name.c_str(), constant.value.c_str(), what);
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Status CheckConstantInputs(const ConvertOptions& options,
                           const std::vector<frontend::ConstantInput>& constants) {
  for (const frontend::ConstantInput& constant : constants) {
    if (Contains(options.feeds, constant.name))
      return Refuse("--feeds", constant, "which is no input any more: leave one of the two out");
    for (const ir::StateNames& state : options.states) {
      if (state.input == constant.name)
        return Refuse("--state", constant, "but a state changes from run to run: leave one of the two out");
    }
    const std::string prefix = constant.name + "=";
    for (const std::string& source : options.calibration) {
      if (source.compare(0, prefix.size(), prefix) == 0)
        return Refuse("--calib", constant, "so it needs no samples: leave them out");
    }
  }
  return Status();
}

}  // namespace micrort
