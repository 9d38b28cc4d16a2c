#pragma once
// The converter's graphs as the object form of the file.

#include "converter/emit/file_model.h"
#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::emit {

// The version of a file is the first one that has all it uses.
constexpr uint32_t kFirstSchemaVersion = 1, kSchemaVersionOfMaxScratch = 2, kSchemaVersionOfPacked = 3,
                   kSchemaVersionOfConvInPlace = 4, kSchemaVersionOfStates = 5, kSchemaVersionOfPrograms = 6,
                   kSchemaVersionOfRounding = 7, kSchemaVersionOfCustom = 7, kSchemaVersionOfReinterpret = 8,
                   kSchemaVersionOfProduct = 8, kSchemaVersionOfHalf = 9, kSchemaVersionOfSymmetric = 10,
                   kSchemaVersionOfStateRounding = 10, kSchemaVersionOfHalfTensors = 11,
                   kSchemaVersionOfInt4Products = 12, kSchemaVersionOfSizeRules = 13,
                   kSchemaVersionOfMaxShape = 14, kSchemaVersionOfInt16 = 14, kSchemaVersionOfMoreInt16 = 15,
                   kSchemaVersionOfTables = 16, kSchemaVersionOfGroupedInt8 = 17,
                   kSchemaVersionOfInt4ZeroPoints = 17, kSchemaVersionOfCaches = 18,
                   kSchemaVersionOfNarrowCaches = 19, kSchemaVersionOfWindows = 20,
                   kSchemaVersionOfSlopes = 21, kSchemaVersionOfSoftcaps = 22,
                   kSchemaVersionOfHalfScales = 23, kSchemaVersionOfOuterBuffers = 24;

// Tensors are the values that some node or the graph's interface names, in the order in which they are first
// named; identical constants share one buffer, and large ones stay with the module. No memory plan. The same
// module gives the same model. Errors: kUnsupported where a dimension does not fit the file's 32 bits.
Status BuildModel(const ir::Module& module, FileModel* model);

}  // namespace micrort::emit
