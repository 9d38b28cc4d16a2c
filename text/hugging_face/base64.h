#pragma once

#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace micrort::text {

// kInvalidModel if it is none.
Status DecodeBase64(std::string_view encoded, std::string* bytes);

}  // namespace micrort::text
