#include "tests/fuzz/harness.h"

namespace micrort::fuzz {

Status Refused(const std::string& why) { return MICRORT_ERROR(kInvalidArgument, "%.400s", why.c_str()); }

}  // namespace micrort::fuzz
