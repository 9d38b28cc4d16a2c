#include "kernels/base/part.h"
#include "kernels/elementwise/binary_chunk.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(RunConvertedChunk);

void parts::BinaryFloat32() {}

}  // namespace micrort
