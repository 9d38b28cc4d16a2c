#include "runtime/model/check_cpu.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {

Status CheckCpu(CpuFeatures available) {
  if ((available & kSureFeatures) == kSureFeatures) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "this build has no portable kernels (MICRORT_ISA_SCALAR): it needs %s, found %s",
                       TargetName(kSureFeatures), TargetName(available));
}

}  // namespace micrort
