#pragma once
// The result of this example: one column a model.

#include <vector>

#include "examples/meter_reader/evaluate.h"
#include "examples/meter_reader/meter_data.h"

namespace examples {

// On stdout.
void PrintTable(const std::vector<MeterPicture>& meters, const std::vector<Score>& scores);

}  // namespace examples
