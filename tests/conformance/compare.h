#pragma once
// Are two tensors the same within the suites' tolerance?

#include "micrort/tensor_view.h"
#include "tools/io/array.h"

namespace micrort::conformance {

// Types, shapes and integers exactly; floats within 1e-3 relative and 1e-5 absolute, NaN equal to NaN.
Status Compare(const io::NamedArray& expected, const TensorView& found);

}  // namespace micrort::conformance
