#include "kernels/base/core_type.h"

namespace micrort {

bool RunsInOrder() { return false; }

}  // namespace micrort
