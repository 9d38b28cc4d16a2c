#pragma once
// Options of interpreters, as C states them.

#include "kernels/base/fixed_array.h"
#include "runtime/c_api/handles.h"

namespace micrort::c_api {

Status ReadShapes(const micrort_shape* shapes, size_t count, FixedArray<Shape>* out);

// What options refer to.
struct OptionMemory {
  FixedArray<Shape> shapes;
  OwnedObject<TunedChoices> tuned;
  OwnedObject<Callbacks> callbacks;
  OpResolver resolver;
};

// A caller built against an older, shorter structure leaves the rest at its defaults.
Status ReadOptions(const micrort_options* given, const OpResolver& resolver, OptionMemory* memory,
                   InterpreterOptions* options);

}  // namespace micrort::c_api
