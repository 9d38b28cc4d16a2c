#include "kernels/base/dcheck.h"

#include <cstdio>
#include <cstdlib>

namespace micrort {

void DcheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: MICRORT_DCHECK(%s) does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace micrort
