#include "converter/custom/custom_ops.h"

#include <dlfcn.h>

#include "micrort/custom_op.h"

namespace micrort {
namespace {

constexpr char kExport[] = "micrort_custom_ops";
using ExportFn = const micrort_custom_op* const* (*)(size_t* count);

thread_local const OpResolver* current = nullptr;

OpResolver AnyOps() {
  OpResolver resolver = AllOps();
  resolver.TakeUnknownCustom();
  return resolver;
}

Status CheckOp(const std::string& path, size_t i, const micrort_custom_op* op) {
  const bool is_whole = op != nullptr && op->struct_bytes == sizeof(micrort_custom_op) &&
                        op->domain != nullptr && op->name != nullptr && op->prepare != nullptr &&
                        op->run != nullptr;
  if (is_whole) return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "%s: operator %zu: expected struct_bytes of %zu, a domain, a name, prepare and run",
                       path.c_str(), i, sizeof(micrort_custom_op));
}

// A name without a slash would be searched for among the system's libraries.
std::string PathOf(const std::string& path) {
  return path.find('/') == std::string::npos ? "./" + path : path;
}

}  // namespace

ConversionOps::ConversionOps() : resolver_(AnyOps()), outer_(current) { current = &resolver_; }

ConversionOps::~ConversionOps() { current = outer_; }

Status ConversionOps::Load(const std::string& path) {
  void* library = dlopen(PathOf(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return MICRORT_ERROR(kIo, "--custom-ops: %s", dlerror());
  const auto list = reinterpret_cast<ExportFn>(dlsym(library, kExport));
  if (list == nullptr) {
    return MICRORT_ERROR(kInvalidArgument, "--custom-ops: %s: expected a function %s, found none",
                         path.c_str(), kExport);
  }
  size_t count = 0;
  const micrort_custom_op* const* ops = list(&count);
  if (ops == nullptr && count != 0) {
    return MICRORT_ERROR(kInvalidArgument, "--custom-ops: %s: expected a list of %zu operators, found null",
                         path.c_str(), count);
  }
  for (size_t i = 0; i < count; ++i) {
    MICRORT_RETURN_IF_ERROR(CheckOp(path, i, ops[i]));
    resolver_.AddCustom(*ops[i]);
  }
  return Status();
}

const OpResolver& CurrentOps() {
  static const OpResolver any = AnyOps();
  return current == nullptr ? any : *current;
}

}  // namespace micrort
