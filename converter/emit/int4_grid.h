#pragma once
// Scales and zero points of int4 in as few bits as keep them.

#include "schema/micrort_generated.h"

namespace micrort::emit {

// Scales become halves if each of them is one, and zero points int4. Returns whether anything changed.
bool MakeNarrow(schema::QuantizationT* int4);

}  // namespace micrort::emit
