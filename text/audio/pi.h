#pragma once

namespace micrort::text {

constexpr double kPi = 3.14159265358979323846;

}  // namespace micrort::text
