#pragma once
// Figures of all models in Prometheus' text format.

#include <string>

#include "serve/repository/repository.h"

namespace micrort::serve {

std::string MetricsText(const Repository& repository);

}  // namespace micrort::serve
