#include "kernels/base/calling_thread.h"

namespace micrort {

const Parallel& CallingThread() {
  static constexpr Sequential kSequential;
  return kSequential;
}

}  // namespace micrort
