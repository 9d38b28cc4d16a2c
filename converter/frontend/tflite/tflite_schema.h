#pragma once

#include "schema/tflite_generated.h"

namespace micrort::frontend::tflite {

namespace fb = ::micrort::tflite_file;

}  // namespace micrort::frontend::tflite
