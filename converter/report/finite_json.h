#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace micrort::report {

using Json = nlohmann::ordered_json;

// JSON knows no infinities.
inline Json Finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

}  // namespace micrort::report
