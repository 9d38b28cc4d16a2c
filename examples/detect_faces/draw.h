#pragma once

#include "examples/common/picture.h"

namespace examples {

// A green frame along the inside of `box`; what lies outside the picture is left out.
void DrawFrame(const Box& box, Picture* picture);

}  // namespace examples
