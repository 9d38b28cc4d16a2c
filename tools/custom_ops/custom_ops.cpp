#include "tools/custom_ops/custom_ops.h"

#include "micrort/custom_op.h"
#include "tools/io/platform/shared_library.h"

namespace micrort::io {
namespace {

constexpr char kExport[] = "micrort_custom_ops";
using ExportFn = const micrort_custom_op* const* (*)(size_t* count);

Status AddLibrary(const std::string& path, OpResolver* resolver) {
  void* function = nullptr;
  MICRORT_RETURN_IF_ERROR(FunctionOfLibrary(path, kExport, &function));
  if (function == nullptr) {
    return MICRORT_ERROR(kInvalidArgument, "%s: expected a function %s, found none", path.c_str(), kExport);
  }
  size_t count = 0;
  const micrort_custom_op* const* ops = reinterpret_cast<ExportFn>(function)(&count);
  if (ops == nullptr && count != 0) {
    return MICRORT_ERROR(kInvalidArgument, "%s: expected a list of %zu operators, found null", path.c_str(),
                         count);
  }
  for (size_t i = 0; i < count; ++i) {
    MICRORT_RETURN_IF_ERROR(CheckCustomOp(ops[i]).WithPrefix("%s", path.c_str()));
    resolver->AddCustom(*ops[i]);
  }
  return Status();
}

}  // namespace

Status AddCustomOps(const std::vector<std::string>& libraries, OpResolver* resolver) {
  for (const std::string& path : libraries) MICRORT_RETURN_IF_ERROR(AddLibrary(path, resolver));
  return Status();
}

}  // namespace micrort::io
