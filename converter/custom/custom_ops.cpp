#include "converter/custom/custom_ops.h"

#include "tools/custom_ops/custom_ops.h"

namespace micrort {
namespace {

thread_local const OpResolver* current = nullptr;

OpResolver AnyOps() {
  OpResolver resolver = AllOps();
  resolver.TakeUnknownCustom();
  return resolver;
}

}  // namespace

ConversionOps::ConversionOps() : resolver_(AnyOps()), outer_(current) { current = &resolver_; }

ConversionOps::~ConversionOps() { current = outer_; }

Status ConversionOps::Load(const std::vector<std::string>& libraries) {
  return io::AddCustomOps(libraries, &resolver_).WithPrefix("--custom-ops");
}

const OpResolver& CurrentOps() {
  static const OpResolver any = AnyOps();
  return current == nullptr ? any : *current;
}

}  // namespace micrort
